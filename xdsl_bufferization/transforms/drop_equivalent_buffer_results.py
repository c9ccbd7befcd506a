"""
Functions no longer return memrefs that their callers have.

Source: the pass `drop-equivalent-buffer-results` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.returned_buffers import (
    Returned,
    ReturnedKind,
    returned_buffers,
)
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    change_call,
    check_donated_arguments,
    drop_results,
)
from xdsl_bufferization.support.call_graph import is_private
from xdsl_bufferization.support.pass_options import BufferizationPass


class DropEquivalentBufferResultsPass(BufferizationPass):
    """
    Drop each result of a private function that always is the same argument, but for casts:
    callers use the operand instead.

    The argument may be returned through loops, branches and calls, recursive ones, too. A
    function that other ops than `func.call` use stays as it is.

    https://mlir.llvm.org/docs/Passes/#-drop-equivalent-buffer-results
    """

    name = "drop-equivalent-buffer-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        flows = MemrefFlows(op)
        calls = flows.calls
        check_donated_arguments(flows)
        functions = [
            f for f in calls.functions if is_private(f) and calls.may_change(f)
        ]
        if functions:
            returned = returned_buffers(flows)
            for function in functions:
                _drop(function, returned[function], calls.calls[function])


def _drop(
    function: func.FuncOp, returned: Sequence[Returned], calls: Sequence[func.CallOp]
) -> None:
    kept = [i for i, r in enumerate(returned) if r.kind is not ReturnedKind.ARGUMENT]
    if len(kept) == len(returned):
        return
    drop_results(function, kept)
    for call in calls:
        change_call(call, returned, kept, {})
