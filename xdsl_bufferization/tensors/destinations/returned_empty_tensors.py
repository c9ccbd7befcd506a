"""
The empty tensors of a function in whose buffers its results are.

    func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>                     // callers may give it instead
      %r = linalg.exp ins(%x) outs(%e) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }

A search goes back from each return, through operands that are in place, and must end in empty
tensors on all paths, or in results of calls whose functions get such tensors themselves.

Invariant: what the function and those that it calls have allocated at once does not become more
if the memory is allocated before the call. So an empty tensor of a loop stays where it is, and one
that is allocated after the peak. Takes time linear in the program.

`DeadArguments` donates arguments of private functions that are dead after each call:

    func.func private @relu(%x: tensor<4xf32>) -> tensor<4xf32>   // bufferize.aliasing_result = 0
    ...
    %r = func.call @relu(%m)      // no call reads its operand afterwards: %r is in its memory

A donated argument is an init for the ops of the function, and its result is the caller's buffer: no
allocation for each call, and no copy where a loop carries the result. Whether a call copies its
operand all the same, the costs tell. Takes time linear in the program.

`MemoryOfCalls` has the memory that functions have allocated together with those that they call:

    %e = tensor.empty() : tensor<8xf32>                // 32 bytes,
    %r = func.call @f(%e) : ...                        // and the peak of @f while it runs

Callees come first. Memory that functions without a body and recursive calls allocate does not
count. Takes time linear in the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from itertools import chain
from typing import NamedTuple

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation, FunctionSummary
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    Execution,
    execution_of_region,
)
from xdsl_bufferization.models.shared.slices import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    outermost_function,
    returns_of,
)
from xdsl_bufferization.support.donation import donated_arguments, possible_donors
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    is_tensor,
    ranked_tensor,
)
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.costs import DecidedFunction
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    in_memory_of_arguments,
)


class ReturnedEmptyTensor(NamedTuple):
    """A result of a function that is in an empty tensor."""

    type: TensorType[Attribute]
    operands: Sequence[TensorOperand]
    """The operands that are the empty tensor, or one of those of several branches."""
    calls: Sequence[tuple[func.CallOp, int]]
    """The calls, each with the result, that return it instead."""


Returned = Mapping[int, ReturnedEmptyTensor]
"""By result."""


def returned_empty_tensors(
    decided: DecidedFunction,
    of_callees: Mapping[func.FuncOp, Returned],
    graph: CallGraph,
) -> Returned:
    """Those of a function, given those of the functions that it calls."""
    function, donated = decided.function, donated_arguments(decided.function)
    found: dict[int, ReturnedEmptyTensor] = {}
    taken: set[TensorOperand] = set()
    for result, type in enumerate(function.function_type.outputs):
        if result not in donated and is_static_tensor(type):
            search = _Search(decided.analysis, of_callees, graph)
            returned = search.run(function, result, taken)
            if returned is not None:
                found[result] = returned
                taken.update(returned.operands)
    return found


class _Search:
    """The search for the empty tensors of one result."""

    def __init__(
        self,
        analysis: BufferizationAnalysis,
        found: Mapping[func.FuncOp, Returned],
        graph: CallGraph,
    ):
        self._analysis = analysis
        self._found = found
        self._graph = graph

    def run(
        self, function: func.FuncOp, result: int, taken: Container[TensorOperand]
    ) -> ReturnedEmptyTensor | None:
        """The empty tensors that the result is in; `None` if it may be elsewhere."""
        type = function.function_type.outputs.data[result]
        operands: dict[TensorOperand, None] = {}
        calls: dict[tuple[func.CallOp, int], None] = {}
        seen: set[ValueInfo] = set()
        pending = [
            self._analysis.program.operand(op, result) for op in returns_of(function)
        ]
        while pending:
            operand = pending.pop()
            if operand is None or operand in taken or operand.value.value.type != type:
                return None
            owner = operand.value.value.owner
            if isinstance(owner, tensor.EmptyOp):
                if may_be_repeated(operand.owner.op):
                    return None
                operands.update(dict.fromkeys(self._in_the_same_buffer(operand)))
                continue
            if not self._analysis.is_in_place(operand):
                return None
            if operand.value in seen:
                continue
            seen.add(operand.value)
            if (call := self._returning_call(operand)) is not None:
                if may_be_repeated(call[0]):
                    return None
                calls[call] = None
                continue
            sources = [*self._analysis.sources_given.of(operand.value)]
            if not sources or any(
                alias.relation is not BufferRelation.EQUIVALENT for _, alias in sources
            ):
                return None
            pending.extend(source for source, _ in sources)
        if not operands and not calls:
            return None
        return ReturnedEmptyTensor(ranked_tensor(type), [*operands], [*calls])

    def _in_the_same_buffer(self, operand: TensorOperand) -> Iterator[TensorOperand]:
        """The uses of an empty tensor that are in the buffer in which the operand is."""
        yield operand
        if self._analysis.is_in_place(operand):
            for use in operand.value.value.uses:
                other = self._analysis.program.operand(use.operation, use.index)
                if other is not None and self._analysis.is_in_place(other):
                    yield other

    def _returning_call(self, operand: TensorOperand) -> tuple[func.CallOp, int] | None:
        """The call whose result, in an empty tensor of the callee, the operand is."""
        value = operand.value.value
        if not isinstance(value, OpResult) or not isinstance(value.op, func.CallOp):
            return None
        callee = self._graph.callee(value.op)
        if callee is None or value.index not in self._found.get(callee, ()):
            return None
        return value.op, value.index


def may_be_repeated(op: Operation) -> bool:
    """Whether the op may be executed more than once in a call, as far as regions tell."""
    while (block := op.parent) is not None and (around := block.parent_op()):
        region = block.parent
        if region is None or region.first_block is not region.last_block:
            return True
        if isinstance(around, func.FuncOp):
            return False
        if execution_of_region(block) is not Execution.ONCE:
            return True
        op = around
    return True


Donations = Mapping[int, int]
"""By result: the argument in whose memory it is."""


class DeadArguments:
    """The arguments that the functions of the graph may donate, asked for callers first."""

    def __init__(self, program: AnalysedModule, graph: CallGraph):
        self._graph = graph
        self._summaries = program.decisions.summaries
        self._analyses = program.remember(analyses_by_function)
        self._kept: dict[BufferizationAnalysis, AbstractSet[SSAValue]] = {}
        self._donated: set[SSAValue] = set()

    def of(self, function: func.FuncOp) -> Donations:
        """For each result in new memory the first such argument of its size, if there is one."""
        analysis, returns = self._analyses.get(function), [*returns_of(function)]
        if analysis is None or not returns:
            return {}
        equivalent = self._summaries[function].equivalent
        donated = donated_arguments(function)
        new = [
            result
            for result, argument in enumerate(equivalent)
            if argument is None and result not in donated
        ]
        types = {function.function_type.outputs.data[result] for result in new}
        dead: dict[Attribute, dict[int, SSAValue]] = {type: {} for type in types}
        for number in possible_donors(function):
            argument = function.args[number]
            if argument.type in types and self._is_dead(function, number):
                dead[argument.type][number] = argument
        found: dict[int, int] = {}
        for result in new:
            left = dead[function.function_type.outputs.data[result]]
            for number, argument in left.items():
                if all(
                    are_of_one_size(argument, end.operands[result], analysis.program)
                    for end in returns
                ):
                    found[result] = number
                    self._donated.add(left.pop(number))
                    break
        return found

    def _is_dead(self, function: func.FuncOp, argument: int) -> bool:
        """Whether no caller reads the memory of the argument any more after a call."""
        calls = self._graph.calls[function]
        return all(self._is_dead_after(call, argument) for call in calls)

    def _is_dead_after(self, call: func.CallOp, argument: int) -> bool:
        function = outermost_function(call)
        analysis = None if function is None else self._analyses.get(function)
        if not isinstance(analysis, OneShotAnalysis):
            return False
        operand = analysis.program.operand(call, argument)
        if operand is None or operand.value.value in self._kept_by(analysis):
            return False
        info, value = operand.owner, operand.value
        return analysis.writability.read_only(value) is None and all(
            live_range.read.owner is info or live_range.definition.owner is info
            for live_range in analysis.alias_sets.find(value).ranges.overlapping(
                info.enter, info.exit
            )
        )

    def _kept_by(self, analysis: BufferizationAnalysis) -> AbstractSet[SSAValue]:
        """The tensors in memory that is not the caller's to give away."""
        if analysis not in self._kept:
            self._kept[analysis] = in_memory_of_arguments(analysis, self._donated)
        return self._kept[analysis]


def peaks_of_calls(
    functions: Iterable[DecidedFunction],
    graph: CallGraph,
    summaries: Mapping[func.FuncOp, FunctionSummary],
) -> Mapping[func.FuncOp, int]:
    """The most bytes that a call of each function, callees first, has allocated at a time."""
    calls = MemoryOfCalls(graph, summaries)
    for decided in functions:
        calls.peaks[decided.function] = Profile(calls.memory(decided)).peak
    return calls.peaks


class MemoryOfCalls:
    """The memory of functions, given the summaries of those that they call."""

    def __init__(
        self, graph: CallGraph, summaries: Mapping[func.FuncOp, FunctionSummary]
    ):
        self._graph = graph
        self._summaries = summaries
        self.peaks: dict[func.FuncOp, int] = {}
        """The most bytes that a call has allocated at a time, what it returns included."""

    def memory(self, decided: DecidedFunction) -> Sequence[Allocation]:
        """The memory of the function, what calls return, and what else they need."""
        memory = [*decided.allocations]
        calls = [op for op in walk([decided.function]) if isinstance(op, func.CallOp)]
        if not calls:
            return memory
        of_results = self._memory_of_results(decided.uses, calls)
        memory += of_results
        returned = Counter[Operation | None]()
        for result in of_results:
            returned[result.op] += result.bytes
        for call in calls:
            callee = self._graph.callee(call)
            size = 0 if callee is None else self.peaks.get(callee, 0)
            at = round(decided.uses.points.position(call) * SCALE)
            size = Expression.constant(max(0, size - returned[call]))
            memory.append(Allocation(at, at + 1, size, DEFAULT_SPACE))
        return memory

    def _memory_of_results(
        self, uses: BufferUses, calls: Iterable[func.CallOp]
    ) -> Sequence[Allocation]:
        """The new memory that calls return."""
        of_results = copy(uses)
        of_results.allocated = [
            (result, round(uses.points.position(call) * SCALE))
            for call in calls
            for result in self._new_results(call)
            if is_tensor(result)
        ]
        return [*of_results.allocations()]

    def _new_results(self, call: func.CallOp) -> Sequence[OpResult]:
        callee = self._graph.callee(call)
        summary = None if callee is None else self._summaries.get(callee)
        if summary is None:
            return ()
        returned = {*chain(*summary.returns)}
        return [result for result in call.results if result.index not in returned]
