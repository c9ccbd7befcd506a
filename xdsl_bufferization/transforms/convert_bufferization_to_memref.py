"""
The rest of the `bufferization` dialect in a bufferized program, as `memref` ops.

Source: the pass `convert-bufferization-to-memref` of https://mlir.llvm.org/docs/Passes/
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import ancestors, walk
from xdsl_bufferization.support.shaped_types import has_tensor_semantics

_CONVERSIONS = ("bufferization.to_tensor", "bufferization.to_buffer")


@dataclass(frozen=True)
class ConvertBufferizationToMemRefPass(BufferizationPass):
    """
    Make each `bufferization.clone` an allocation and a copy, and lower each
    `bufferization.dealloc` as `bufferization-lower-deallocations` does.

    A program with other ops of the dialect is refused, and so is a clone of unknown sizes
    with another layout than that of a new buffer. Modules within the module may be on tensors:
    `one-shot-bufferize` leaves them as they are.

    https://mlir.llvm.org/docs/Passes/#-convert-bufferization-to-memref
    """

    name = "convert-bufferization-to-memref"

    allow_tensors: bool = False
    """
    Leave `to_tensor` and `to_buffer` as they are, for ops that stay on tensors (not in
    mlir-opt).
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ops = [o for o in walk(op.ops) if op_name(o).startswith("bufferization.")]
        for nested in ops:
            if not (
                (self.allow_tensors and op_name(nested) in _CONVERSIONS)
                or (has_tensor_semantics(nested) and _module_around(nested) is not op)
            ):
                if not isinstance(nested, CloneOp | DeallocOp):
                    raise BufferizationError(
                        nested,
                        "cannot be lowered to memref ops",
                        hint="run one-shot-bufferize with bufferize-function-boundaries first",
                    )
        if any(isinstance(nested, CloneOp | DeallocOp) for nested in ops):
            # Many programs have none of these, and do not wait for the ops that they become.
            from xdsl_bufferization.memrefs.deallocation.lowering import lower

            lower(ops)


def _module_around(op: Operation) -> Operation | None:
    return next((a for a in ancestors(op) if isinstance(a, ModuleOp)), None)
