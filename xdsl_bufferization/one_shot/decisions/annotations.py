"""
Decisions as attributes of the program, which mlir-opt writes too.

- `__inplace_operands_attr__` on each op with tensor operands: for each operand "true" or
  "false", or "none" if it is no tensor;
- `bufferization.access` on arguments of functions: what the function does to their buffers;
- `__equivalent_func_args__` on returns: for each operand the argument that it is equivalent
  to, or -1;
- on request, the names of the tensors that may share memory: for each tensor result in
  `__opresult_alias_set_attr__`, and for each tensor argument of each block of each region
  in `__bbarg_alias_set_attr__`;
- on request, the reasons of decisions, on the ops concerned: `C_<n>[READ: <operand>]`,
  `C_<n>[CONFL-WRITE: <operand>]` and `C_<n>[DEF: ...]` of a conflict,
  `P_<n>[RACING-WRITE: <operand>]` and `P_<n>[DEF: ...]` of a race,
  `W_<n>[NOT-WRITABLE: ...]` of read-only memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from io import StringIO
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
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.printer import Printer

from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.records import OpInfo, ValueInfo
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.shaped_types import is_tensor, is_tensor_like

IN_PLACE_ATTRIBUTE = "__inplace_operands_attr__"
EQUIVALENT_ATTRIBUTE = "__equivalent_func_args__"
ACCESS_ATTRIBUTE = "bufferization.access"
RESULT_ALIASES_ATTRIBUTE = "__opresult_alias_set_attr__"
ARGUMENT_ALIASES_ATTRIBUTE = "__bbarg_alias_set_attr__"


_MARK = re.compile(r"[CWP]_\d+\[(DEF|READ|CONFL-WRITE|NOT-WRITABLE|RACING-WRITE): .*\]")


def remove_annotations(op: Operation) -> None:
    """Remove the attributes that earlier annotations have left on the op."""
    for name in [
        name
        for name in op.attributes
        if name
        in (
            IN_PLACE_ATTRIBUTE,
            EQUIVALENT_ATTRIBUTE,
            RESULT_ALIASES_ATTRIBUTE,
            ARGUMENT_ALIASES_ATTRIBUTE,
        )
        or _MARK.fullmatch(name)
    ]:
        del op.attributes[name]


def annotate_decisions(analysis: BufferizationAnalysis) -> None:
    """Annotate each op with whether its tensor operands are in place."""
    for info in analysis.program.ops:
        if not info.operands:
            continue
        decisions = ["none"] * len(info.op.operands)
        for operand in info.operands:
            decisions[operand.index] = (
                "true" if analysis.is_in_place(operand) else "false"
            )
        info.op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(map(StringAttr, decisions))


def annotate_alias_sets(module: Operation, analyses: Iterable[OneShotAnalysis]) -> None:
    """Annotate each tensor with the names of the tensors that may share its memory."""
    printer = Printer(StringIO())
    printer.print_op(module)
    for analysis in analyses:
        names = _AliasSetNames(analysis, printer)
        for info in analysis.program.ops:
            _annotate_alias_sets(info.op, names)


def _annotate_alias_sets(op: Operation, names: _AliasSetNames) -> None:
    results = names.of_tensors(op.results)
    if results.data:
        op.attributes[RESULT_ALIASES_ATTRIBUTE] = results
    if any(is_tensor(a) for r in op.regions for block in r.blocks for a in block.args):
        op.attributes[ARGUMENT_ALIASES_ATTRIBUTE] = ArrayAttr(
            ArrayAttr(names.of_tensors(block.args) for block in region.blocks)
            for region in op.regions
        )


class _AliasSetNames:
    """The alias sets of an analysis, with the names that the printer gives to values."""

    def __init__(self, analysis: OneShotAnalysis, printer: Printer):
        self._analysis = analysis
        self._names: dict[AliasSet, list[Attribute]] = {}
        for value, info in analysis.program.values.items():
            if not is_tensor(value):
                continue
            name = StringAttr(f"%{printer.print_ssa_value(value)}")
            self._names.setdefault(analysis.alias_sets.find(info), []).append(name)

    def of_tensors(self, values: Iterable[SSAValue]) -> ArrayAttr[ArrayAttr[Attribute]]:
        """For each tensor the names of the tensors in its alias set, in program order."""
        known = self._analysis.program.values
        find = self._analysis.alias_sets.find
        return ArrayAttr(
            ArrayAttr(self._names[find(known[value])])
            for value in values
            if is_tensor(value) and value in known
        )


class ConflictPrinter:
    """
    Annotates ops with the reasons why operands are out of place; the reasons of each kind
    are numbered across a module.
    """

    def __init__(self) -> None:
        self._conflicts = count()
        self._not_writable = count()
        self._races = count()

    def annotate(self, analysis: BufferizationAnalysis) -> None:
        """Annotate the ops of each reason that the analysis has."""
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
    """Annotate functions with what they do to their arguments, and which they return."""
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
            if is_tensor_like(type)
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
