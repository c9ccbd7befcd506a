"""
Decisions written into the program, as attributes that mlir-opt writes too.

- `__inplace_operands_attr__` on each op with tensor operands: "true" or "false" for each,
  "none" for the others;
- `bufferization.access` on function arguments: what the function does to their buffers;
- `__equivalent_func_args__` on returns: the argument that each operand is, or -1;
- on request, the ops of each conflict: `C_<n>[READ: <operand>]`,
  `C_<n>[CONFL-WRITE: <operand>]`, `C_<n>[DEF: ...]`, `W_<n>[NOT-WRITABLE: ...]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.analysis.conflicts import Conflict
from xdsl_bufferization.analysis.functions import returns_of
from xdsl_bufferization.analysis.one_shot import (
    BufferizationAnalysis,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.analysis.program import OpInfo, ValueInfo
from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.shaped_types import is_tensor_type

IN_PLACE_ATTRIBUTE = "__inplace_operands_attr__"
EQUIVALENT_ATTRIBUTE = "__equivalent_func_args__"
ACCESS_ATTRIBUTE = "bufferization.access"


def annotate_decisions(analysis: BufferizationAnalysis) -> None:
    """Write down for each tensor operand whether it is in place."""
    for info in analysis.program.ops:
        if not info.operands:
            continue
        decisions = ["none"] * len(info.op.operands)
        for operand in info.operands:
            decisions[operand.index] = (
                "true" if analysis.is_in_place(operand) else "false"
            )
        info.op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(map(StringAttr, decisions))


class ConflictPrinter:
    """
    Writes down why operands are out of place; numbers the reasons of each kind across a
    module.
    """

    def __init__(self) -> None:
        self._conflicts = count()
        self._not_writable = count()
        self._races = count()

    def annotate(self, analysis: BufferizationAnalysis) -> None:
        """Mark the ops of each reason."""
        for info in reversed(analysis.program.post_order):
            for operand in info.operands:
                if (reason := analysis.reason(operand)) is not None:
                    self._mark(reason)

    def _mark(self, reason: Reason) -> None:
        match reason:
            case Conflict(read, write, definition):
                name = f"C_{next(self._conflicts)}"
                _mark_op(write.owner, f"{name}[CONFL-WRITE: {write.index}]")
                _mark_op(read.owner, f"{name}[READ: {read.index}]")
                _mark_value(definition, f"{name}[DEF: ")
            case Race(write, definition):
                name = f"P_{next(self._races)}"
                _mark_op(write.owner, f"{name}[RACING-WRITE: {write.index}]")
                _mark_value(definition, f"{name}[DEF: ")
            case NotWritable(value):
                _mark_value(value, f"W_{next(self._not_writable)}[NOT-WRITABLE: ")


def _mark_op(info: OpInfo, mark: str) -> None:
    info.op.attributes[mark] = UnitAttr()


def _mark_value(info: ValueInfo, mark: str) -> None:
    value: SSAValue = info.value
    if isinstance(value, OpResult):
        value.op.attributes[f"{mark}result {value.index}]"] = UnitAttr()
    elif isinstance(value, BlockArgument) and (parent := value.block.parent_op()):
        parent.attributes[f"{mark}bbArg {value.index}]"] = UnitAttr()


def annotate_functions(summaries: Mapping[func.FuncOp, FunctionSummary]) -> None:
    """Write down what functions do to their arguments, and which they return."""
    for function, summary in summaries.items():
        inputs = function.function_type.inputs
        given = (
            [DictionaryAttr({})] * len(inputs)
            if function.arg_attrs is None
            else function.arg_attrs.data
        )
        function.arg_attrs = ArrayAttr(
            DictionaryAttr(
                {**attributes.data, ACCESS_ATTRIBUTE: StringAttr(_access(summary, i))}
            )
            if is_tensor_type(type)
            else attributes
            for i, (attributes, type) in enumerate(zip(given, inputs, strict=True))
        )
        if any(argument is not None for argument in summary.equivalent):
            for return_op in returns_of(function):
                return_op.attributes[EQUIVALENT_ATTRIBUTE] = ArrayAttr(
                    IntegerAttr(-1 if argument is None else argument, i64)
                    for argument in summary.equivalent
                )


def _access(summary: FunctionSummary, argument: int) -> str:
    kinds = ("read", summary.reads[argument]), ("write", summary.writes[argument])
    return "-".join(kind for kind, happens in kinds if happens) or "none"
