"""A small program that fails as a large one does."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.fuzzing.trials import Trial, read
from tests.peer import PeerError
from tests.peer.runner import print_generic
from tests.programs.generator import Program
from tests.programs.reduce import reduce


def minimal(module: ModuleOp, trial: Callable[[ModuleOp], Trial]) -> ModuleOp:
    """The program without ops that it does not need for its trial to end the same way."""
    wanted = trial(module)

    def ends_the_same(program: Program) -> bool:
        try:
            return trial(read(program.text)).is_like(wanted)
        except (ParseError, VerifyException, PeerError):
            return False

    program = Program(print_generic(module), ())
    return read(reduce(program, ends_the_same).text)
