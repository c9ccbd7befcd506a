"""
Destinations for what private functions return, kept where they make nothing worse.

    %r = func.call @layer(%x) : ...            // before
    %e = tensor.empty() : tensor<4xf32>        // after
    %r = func.call @layer(%x, %e) : ...

The contents of an empty tensor are undefined, so the function computes the same whatever it gets.
A caller that gives the memory may give that in which it needs the result, such as a slice of a
donated cache, and allocates it once for all iterations of a loop:

    %e = tensor.empty() : tensor<1x4xf32>
    %b = func.call @layer(%a, %e) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %k2 = tensor.insert_slice %b into %k[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>

Peaks are no higher by construction (`returned_empty_tensors.py`). Copies are known once the
changed program is analysed, so it is a clone that is changed first. Programs without functions
that may gain pay one walk over the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
    replace_call,
)
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_types import UnknownCostError
from xdsl_bufferization.tensors.costs.costs import Costs, memory_as_decided
from xdsl_bufferization.tensors.destinations.memory_of_calls import peaks_of_calls
from xdsl_bufferization.tensors.destinations.returned_empty_tensors import (
    Returned,
    ReturnedEmptyTensors,
    may_be_repeated,
)


def take_destinations(
    found: Mapping[func.FuncOp, Returned],
    calls: Mapping[func.FuncOp, Sequence[func.CallOp]],
) -> None:
    """
    Let the functions take the empty tensors `found` as arguments, by result, and their `calls`
    give them: a call that returns what its own function takes passes that on.
    """
    passed_on: dict[tuple[Operation, int], SSAValue] = {}
    for function, returned in found.items():
        arguments = add_arguments(
            function,
            [r.type for r in returned.values()],
            [DictionaryAttr({}) for _ in returned],
        )
        for argument, one in zip(arguments, returned.values(), strict=True):
            for operand in one.operands:
                user, empty = operand.owner.op, operand.value.value
                argument.name_hint = argument.name_hint or empty.name_hint
                user.operands[operand.index] = argument
                if empty.first_use is None and isinstance(empty.owner, Operation):
                    Rewriter.erase_op(empty.owner)
            passed_on.update(((call, index), argument) for call, index in one.calls)
    for function, returned in found.items():
        for call in calls[function]:
            _give(call, returned, passed_on)


def _give(
    call: func.CallOp,
    returned: Returned,
    passed_on: Mapping[tuple[Operation, int], SSAValue],
) -> None:
    builder = builder_for(call, InsertPoint.before(call))
    given: list[SSAValue] = []
    for index, one in returned.items():
        value = passed_on.get((call, index))
        if value is None:
            value = builder.insert(tensor.EmptyOp((), one.type)).tensor
        given.append(value)
    replace_call(call, rebuild_call(call, given, range(len(call.results))).results)


MAX_TRIALS = 3
"""Clones that are tried, each without the functions that were worse in those before."""

Improve = Callable[[ModuleOp], AnalysedModule]
"""Eliminates copies of a module."""


def give_destinations(
    program: AnalysedModule, improve: Improve, *, everywhere: bool = False
) -> AnalysedModule:
    """
    Let private functions compute what they return in tensors that callers give them: those that
    are called in loops or whose results are inserted, if that helps, or `everywhere`. The module
    is improved once more afterwards. Returns what is known of it.
    """
    graph = _graph(program)
    numbers = {
        number
        for number, function in enumerate(graph.functions)
        if is_private(function)
        and graph.calls[function]
        and (everywhere or any(map(_may_gain, graph.calls[function])))
        and graph.may_change(function)
        and function not in graph.recursive
    }
    if program.options.copy_before_write:
        return program
    for _ in range(MAX_TRIALS):
        if not numbers or not (found := _found(program, graph, numbers)):
            return program
        trial = _Trial(program, numbers, improve)
        if not trial.worse:
            if not (everywhere or trial.is_better):
                return program
            take_destinations(found, graph.calls)
            former = program.improved
            program = improve(program.module)
            program.improved = [*dict.fromkeys([*former, *program.improved])]
            return program
        numbers -= trial.worse
    return program


class _Trial:
    """
    A clone of the program in which functions of the module, given by their numbers, take
    destinations.
    """

    def __init__(
        self, program: AnalysedModule, numbers: AbstractSet[int], improve: Improve
    ):
        module = program.module.clone()
        clone = AnalysedModule(module, program.options)
        graph = _graph(clone)
        found = _found(clone, graph, numbers)
        self._functions = graph.functions
        self._number = {f: number for number, f in enumerate(graph.functions)}
        self._converted = found
        self.is_better = any(may_be_repeated(c) for f in found for c in graph.calls[f])
        """Whether anything is gained."""
        self.worse: AbstractSet[int]
        """The numbers of functions that had better be left as they are."""
        arguments = {f: len(f.function_type.inputs) for f in found}
        take_destinations(found, graph.calls)
        try:
            after = improve(module)
            after.check_rewrite()
            self.worse = {
                *self._elsewhere(after, arguments),
                *self._copying(program, after),
                *self._growing(program, after),
            }
        except (BufferizationError, UnknownCostError):
            self.worse = {self._number[f] for f in found}

    def _elsewhere(
        self, after: AnalysedModule, arguments: Mapping[func.FuncOp, int]
    ) -> Iterator[int]:
        """The functions whose results are not in their destinations after all."""
        summaries = after.decisions.summaries
        for function, returned in self._converted.items():
            where = summaries[function].equivalent
            if any(
                where[result] != arguments[function] + index
                for index, result in enumerate(returned)
            ):
                yield self._number[function]

    def _copying(self, program: AnalysedModule, after: AnalysedModule) -> Iterator[int]:
        """The functions that, or whose callers, copy or move more than before."""
        before, now = program.remember(Costs), after.remember(Costs)
        for former, function in zip(
            _graph(program).functions, self._functions, strict=True
        ):
            if not function.body.blocks:
                continue
            cost, limit = now.of(function), before.of(former)
            self.is_better |= cost.traffic < limit.traffic
            if cost.copies.are_no_more_than(limit.copies) and not (
                cost.traffic[0] > limit.traffic[0] or cost.traffic[1] > limit.traffic[1]
            ):
                continue
            yield from self._to_blame(function, after)

    def _growing(self, program: AnalysedModule, after: AnalysedModule) -> Iterator[int]:
        """The functions that, or whose callers, have more allocated at a time than before."""
        before, now = _peaks(program), _peaks(after)
        for former, function in zip(
            _graph(program).functions, self._functions, strict=True
        ):
            layout = DataLayout.of(function)
            returned = self._converted.get(function, {}).values()
            given = sum(layout.bytes_of_contents(one.type) or 0 for one in returned)
            if now.get(function, 0) + given > before.get(
                former, 0
            ) or self._allocates_more(function, former, program, after):
                yield from self._to_blame(function, after)

    def _allocates_more(
        self,
        function: func.FuncOp,
        former: func.FuncOp,
        program: AnalysedModule,
        after: AnalysedModule,
    ) -> bool:
        """Whether a function that takes destinations allocates more often besides."""
        returned = self._converted.get(function)
        if returned is None:
            return False
        own = sum(bool(one.operands) for one in returned.values())
        return _allocations(after)[function] + own > _allocations(program)[former]

    def _to_blame(self, function: func.FuncOp, after: AnalysedModule) -> Iterator[int]:
        """The function and those that it calls, as far as they take destinations."""
        graph = _graph(after)
        if function in self._converted:
            yield self._number[function]
        for callee in self._converted:
            if any(function.is_ancestor(call) for call in graph.calls[callee]):
                yield self._number[callee]


def _peaks(program: AnalysedModule) -> Mapping[func.FuncOp, int]:
    functions = program.remember(memory_as_decided)
    return peaks_of_calls(functions, _graph(program), program.decisions.summaries)


def _allocations(program: AnalysedModule) -> Mapping[func.FuncOp, int]:
    """How many buffers of known size each function allocates."""
    return {
        decided.function: len(decided.allocations)
        for decided in program.remember(memory_as_decided)
    }


def _graph(program: AnalysedModule) -> CallGraph:
    return CallGraph(
        program.module, without=left_modules(program.module, program.options)
    )


def _may_gain(call: func.CallOp) -> bool:
    """Whether the call is in a loop, or what it returns is inserted somewhere."""
    return may_be_repeated(call) or any(
        SubsetInsertionOpInterface.of(use.operation) is not None
        for result in call.results
        for use in result.uses
    )


def _found(
    program: AnalysedModule, graph: CallGraph, numbers: AbstractSet[int]
) -> Mapping[func.FuncOp, Returned]:
    """The results in empty tensors of the functions with these numbers."""
    chosen = {graph.functions[number] for number in numbers}
    try:
        functions = program.remember(memory_as_decided)
    except UnknownCostError:
        return {}
    search = ReturnedEmptyTensors(graph, program.decisions.summaries)
    found = {
        decided.function: search.of(decided, may_change=decided.function in chosen)
        for decided in functions
    }
    return {function: returned for function, returned in found.items() if returned}
