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

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.models.shared.sizes import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    outermost_function,
    returns_of,
)
from xdsl_bufferization.support.donation import donated_arguments, possible_donors
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    in_memory_of_arguments,
)

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
