"""
Copies before each write, in place of an analysis.

The option `copy-before-write` asks for it in the whole program, the option
`no-analysis-func-filter` in some functions.

Source: https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.options import OneShotOptions


def is_copied_before_write(op: Operation, options: OneShotOptions) -> bool:
    """Whether all writes within the op, an outermost one, work on a copy."""
    return options.copy_before_write or (
        isinstance(op, func.FuncOp)
        and options.bufferize_function_boundaries
        and op.sym_name.data in options.no_analysis_func_filter
    )


def options_at(op: Operation, options: OneShotOptions) -> OneShotOptions:
    """The options that hold for the op in the function that it is in."""
    if not options.no_analysis_func_filter:
        return options
    around: Operation | None = op
    while around is not None and not isinstance(around, func.FuncOp):
        around = around.parent_op()
    is_copied = around is not None and is_copied_before_write(around, options)
    return replace(options, copy_before_write=is_copied)


class AlwaysCopyAnalysis(BufferizationAnalysis):
    """
    Every operand that its op writes is out of place, without any analysis; but for memory that
    the program itself writes:

        %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
        %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>   // the only use: %m

    Not valid for a program in which an op writes an operand that must be in place; see
    `fits`.
    """

    ops_share_memory = False

    @staticmethod
    def fits(program: TensorProgram) -> bool:
        """Whether the analysis is valid for the program."""
        return not any(o.writes and o.must_be_in_place for o in program.operands())

    def is_in_place(self, operand: TensorOperand) -> bool:
        return not operand.writes or _is_memory_of_program(operand)


def _is_memory_of_program(operand: TensorOperand) -> bool:
    """Whether a writable memref is a tensor for one `to_buffer` only, this one."""
    value, op = operand.value.value, operand.owner.op
    return (
        isinstance(op, ToBufferOp)
        and isinstance(value.owner, ToTensorOp)
        and value.owner.writable is not None
        and value.has_one_use()
    )
