"""What mlir-opt makes of a program, checked by the same means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError

from tests.fuzzing.trials import Trial, Verdict, compared
from tests.peer import MlirTools, PeerError, find_mlir_tools, why_no_mlir_tools
from tests.peer.runner import parse_module, print_generic

_ONE_SHOT = (
    "--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
)
_FREEING = "--buffer-deallocation-pipeline"
# As for our pipelines: a clone is not to be written, but callers do.
_CLONES = "--convert-bufferization-to-memref"

PEER_PIPELINES: Mapping[str, Sequence[str]] = {
    "mlir-opt": (_ONE_SHOT,),
    "mlir-opt-freed": (_ONE_SHOT, _FREEING, _CLONES),
}
"""Options of mlir-opt, by the name of what they do."""


@cache
def peer_tools() -> MlirTools:
    """MLIR's tools. Raises `RuntimeError` if there are none."""
    tools = find_mlir_tools()
    if tools is None:
        raise RuntimeError(why_no_mlir_tools())
    return tools


def attempt_with_peer(
    module: ModuleOp, options: Sequence[str], seed: int = 0, *, only: str = ""
) -> Trial:
    """
    Check what mlir-opt makes of the program; run `only` the function of that name, if one
    is given.
    """
    try:
        bufferized = peer_tools().opt(print_generic(module), *options)
        after = parse_module(bufferized)
    except PeerError as error:
        if re.search(r"ended with status -\d+", str(error)):
            return Trial(Verdict.FAILED, "crash", error.stderr)
        message = re.sub(r"^<stdin>:[\d:]+ ", "", error.stderr).split("\n", 1)[0]
        return Trial(Verdict.REFUSED, message, error.stderr)
    except ParseError as error:
        return Trial(Verdict.UNDEFINED, "not read by xDSL", str(error))
    frees = any("dealloc" in option for option in options)
    return compared(module, after, seed, leaks=frees, only=only)
