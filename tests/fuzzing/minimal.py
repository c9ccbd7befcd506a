"""A small program that fails as a large one does."""

from __future__ import annotations

from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.fuzzing.trials import Trial, read
from tests.peer import PeerError
from tests.peer.runner import print_generic
from tests.programs.generator import Program
from tests.programs.reduce import reduce


class Try(Protocol):
    """What is done with a program; of its functions, `only` that one is run, if any."""

    def __call__(self, module: ModuleOp, *, only: str = "") -> Trial: ...


def minimal(module: ModuleOp, trial: Try) -> ModuleOp:
    """The program without what it does not need for its trial to end the same way."""
    wanted = trial(module)

    def ends_the_same(candidate: ModuleOp) -> bool:
        try:
            candidate.verify()
            return trial(candidate, only=wanted.function).is_like(wanted)
        except (VerifyException, PeerError):
            return False

    def parsed_ends_the_same(program: Program) -> bool:
        try:
            return ends_the_same(read(program.text))
        except (ParseError, VerifyException):
            return False

    shorter = _up_to(module, wanted.function)
    if ends_the_same(shorter):
        module = shorter
    program = Program(print_generic(module), ())
    return read(reduce(program, parsed_ends_the_same).text)


def _up_to(module: ModuleOp, name: str) -> ModuleOp:
    """The program without the functions behind the one of that name."""
    module = module.clone()
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    names = [function.sym_name.data for function in functions]
    if name in names:
        for function in functions[names.index(name) + 1 :]:
            function.detach()
    return module
