"""
Arguments of private functions that are dead after each call: donated for results.

    func.func private @relu(%x: tensor<4xf32>) -> tensor<4xf32>   // bufferize.aliasing_result = 0
    ...
    %r = func.call @relu(%m)      // no call reads its operand afterwards: %r is in its memory

A donated argument is an init for the ops of the function, and its result is the caller's buffer: no
allocation for each call, and no copy where a loop carries the result. Whether a call copies its
operand all the same, the costs tell. Takes time linear in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, i64
from xdsl.ir import SSAValue

from xdsl_bufferization.models.shared.sizes import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.attributes import argument_attributes
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    outermost_function,
    returns_of,
)
from xdsl_bufferization.support.donation import ALIASING_RESULT, donated_arguments
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.eliminate_copies.inits import in_memory_of_arguments

Donations = Mapping[int, int]
"""By result: the argument in whose memory it is."""


def donation(result: int) -> DictionaryAttr:
    """The attributes of an argument that is donated for the result."""
    return DictionaryAttr({ALIASING_RESULT: IntegerAttr(result, i64)})


def donate(function: func.FuncOp, donations: Donations) -> None:
    """Let the function return results in the memory of these arguments."""
    attributes = [*argument_attributes(function)] or [{}] * len(function.args)
    for result, argument in donations.items():
        attributes[argument] = {**attributes[argument], **donation(result).data}
    function.arg_attrs = ArrayAttr(map(DictionaryAttr, attributes))


class DeadArguments:
    """The arguments that the functions of the graph may donate, asked for callers first."""

    def __init__(self, program: AnalysedModule, graph: CallGraph):
        self._graph = graph
        self._summaries = program.decisions.summaries
        self._analyses = program.remember(analyses_by_function)
        self._kept: dict[BufferizationAnalysis, AbstractSet[SSAValue]] = {}
        self._donated: set[SSAValue] = set()

    def of(self, function: func.FuncOp) -> Donations:
        """For each result the first such argument of its size, if there is one."""
        analysis = self._analyses.get(function)
        if analysis is None or function not in self._summaries:
            return {}
        donated = donated_arguments(function)
        taken = {*donated.values()}
        dead: set[int] | None = None
        found: dict[int, int] = {}
        for result, argument in self._pairs(function, analysis):
            if result in found or result in donated or argument in taken:
                continue
            if dead is None:
                dead = set(self._dead(function))
            if argument in dead:
                found[result] = argument
                taken.add(argument)
        self._donated.update(function.args[i] for i in found.values())
        return found

    def _pairs(
        self, function: func.FuncOp, analysis: BufferizationAnalysis
    ) -> Iterator[tuple[int, int]]:
        """The results that are in new memory, each with the arguments of its size."""
        equivalent = self._summaries[function].equivalent
        returned = zip(*(op.operands for op in returns_of(function)), strict=True)
        for result, values in enumerate(returned):
            if equivalent[result] is not None or not is_tensor(values[0]):
                continue
            for argument in function.args:
                if all(
                    are_of_one_size(argument, value, analysis.program)
                    for value in values
                ):
                    yield result, argument.index

    def _dead(self, function: func.FuncOp) -> Iterator[int]:
        """The arguments whose memory no caller reads any more after a call."""
        calls = self._graph.calls[function]
        for argument in range(len(function.args)):
            if all(self._is_dead(call, argument) for call in calls):
                yield argument

    def _is_dead(self, call: func.CallOp, argument: int) -> bool:
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
