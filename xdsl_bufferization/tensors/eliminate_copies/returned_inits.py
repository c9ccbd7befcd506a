"""
Returned tensors that overwrite an argument, in memory of their own.

    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %r = linalg.add ins(%a, %b) outs(%a)    // outs(%e), a tensor.empty
      func.return %r

The caller owns `%a` and the result, so deallocation copies what is returned in the memory of `%a`.
Private functions need not return it. The memory is allocated earlier than that of the copy, so
the peak may be higher: then nothing is changed. No decision tells of these copies, so costs do
not, and the search cannot find this.

Takes time linear in what is returned, and one analysis more if that has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from xdsl.dialects import func
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.rematerialization import empty_like
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import is_private, returns_of
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.destinations import operands_in_buffer
from xdsl_bufferization.tensors.eliminate_copies.inits import is_overwritten
from xdsl_bufferization.tensors.search import Limits, keep_better


def own_returned_inits(
    program: AnalysedModule,
    functions: Iterable[func.FuncOp],
    came: Costs,
    edits: Edits,
) -> Costs:
    """
    Give inits in the functions empty tensors, as far as `edits` admits, if they are overwritten
    with what is returned; returns the costs, given those before.
    """
    changes, start = program.changes, program.changes.position
    changed: dict[func.FuncOp, None] = {}
    analyses = program.remember(analyses_by_function)
    for function in functions:
        if is_private(function) or function not in analyses:
            continue
        for operand in _returned_inits(function, analyses[function]):
            op, index = operand.owner.op, operand.index
            if edits.admits(Edit(EditKind.FORWARD_COPY, op, index)):
                builder = changes.builder(op, InsertPoint.before(op))
                empty = empty_like(op.operands[index], builder)
                changes.set_operand(op, index, empty)
                changed[function] = None
    if changed:
        unlimited = Limits((), came)
        keep_better(
            program,
            start,
            changed.keys(),
            unlimited,
            lambda f, costs: not _is_worse(f, came, costs),
        )
    return program.remember(Costs)


def _returned_inits(
    function: func.FuncOp, analysis: BufferizationAnalysis
) -> Iterator[TensorOperand]:
    """The last ops that overwrite what is returned in the memory of arguments."""
    donated = donated_arguments(function).values()
    kept = {arg for arg in function.args if arg.index not in donated}
    seen: set[SSAValue] = set()
    for end in returns_of(function):
        for value in end.operands:
            for operand in operands_in_buffer(analysis, value, seen):
                if (
                    operand.owner.op.parent is end.parent
                    and is_overwritten(operand)
                    and analysis.is_in_place(operand)
                ):
                    if analysis.memory_of(operand.value.value) <= kept:
                        yield operand
                    break


def _is_worse(function: func.FuncOp, before: Costs, after: Costs) -> bool:
    """Whether its peak is higher than with copies of what it returns."""
    returned = sum(
        allocation.bytes
        for allocation in after.profile(function).allocations
        if allocation.end == inf
    )
    return after.peak(function) > max(before.peak(function), returned)
