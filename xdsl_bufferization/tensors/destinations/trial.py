"""
Memory of callers for what private functions return, kept where it makes nothing worse.

    %r = func.call @layer(%x) : ...            // in the memory of %x, if that is dead
    %e = tensor.empty() : tensor<4xf32>        // or in that of a tensor of the caller's
    %r = func.call @layer(%x, %e) : ...

Arguments that are dead after each call are donated for results (`donations.py`). Results of other
functions may get destinations.

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

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import ClassVar

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
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_private,
    outermost_function,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donate
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.decided import DecidedFunction
from xdsl_bufferization.tensors.destinations.donations import DeadArguments
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


class _Convention(ABC):
    """Functions of a module and the arguments in whose memory they return results."""

    from_callers: ClassVar[bool] = False
    """Whether functions are searched from callers to callees, not from callees to callers."""

    def __init__(
        self, program: AnalysedModule, graph: CallGraph, numbers: AbstractSet[int]
    ):
        self._graph = graph
        chosen = {graph.functions[number] for number in numbers}
        functions = program.remember(Costs).decided
        self.arguments: dict[func.FuncOp, Mapping[int, int]] = {}
        """By function that changes: its results, each with the argument."""
        for decided in reversed(functions) if self.from_callers else functions:
            if found := self._search(decided, may_change=decided.function in chosen):
                self.arguments[decided.function] = found

    @abstractmethod
    def _search(
        self, decided: DecidedFunction, *, may_change: bool
    ) -> Mapping[int, int]:
        """The results of a function, each with the argument; none unless it `may_change`."""

    def apply(self) -> None:
        """Change the functions and their calls."""
        for function, arguments in self.arguments.items():
            for result, argument in arguments.items():
                donate(function, argument, result)

    def given(self, function: func.FuncOp) -> tuple[int, int]:
        """The buffers that callers allocate in place of the function, and their bytes."""
        return 0, 0

    @staticmethod
    def may_gain(call: func.CallOp) -> bool:
        """Whether a call may gain by it."""
        return True


class _Donations(_Convention):
    """Arguments that are dead after each call."""

    from_callers = True

    def __init__(
        self, program: AnalysedModule, graph: CallGraph, numbers: AbstractSet[int]
    ):
        self._dead = DeadArguments(program, graph)
        super().__init__(program, graph, numbers)

    def _search(
        self, decided: DecidedFunction, *, may_change: bool
    ) -> Mapping[int, int]:
        return self._dead.of(decided.function) if may_change else {}


class _Destinations(_Convention):
    """Arguments that are new."""

    def __init__(
        self, program: AnalysedModule, graph: CallGraph, numbers: AbstractSet[int]
    ):
        self._empty = ReturnedEmptyTensors(graph, program.decisions.summaries)
        self._returned: dict[func.FuncOp, Returned] = {}
        super().__init__(program, graph, numbers)

    def _search(
        self, decided: DecidedFunction, *, may_change: bool
    ) -> Mapping[int, int]:
        if not (found := self._empty.of(decided, may_change=may_change)):
            return {}
        self._returned[decided.function] = found
        first = len(decided.function.args)
        return {result: first + number for number, result in enumerate(found)}

    def apply(self) -> None:
        take_destinations(self._returned, self._graph.calls)
        super().apply()

    def given(self, function: func.FuncOp) -> tuple[int, int]:
        returned = self._returned.get(function, {}).values()
        layout = DataLayout.of(function)
        return (
            sum(bool(one.operands) for one in returned),
            sum(layout.bytes_of_contents(one.type) or 0 for one in returned),
        )

    @staticmethod
    def may_gain(call: func.CallOp) -> bool:
        return may_be_repeated(call) or any(
            SubsetInsertionOpInterface.of(use.operation) is not None
            for result in call.results
            for use in result.uses
        )


MAX_TRIALS = 3
"""Clones that are tried, each without the functions that were worse in those before."""

Improve = Callable[[ModuleOp], AnalysedModule]
"""Eliminates copies of a module."""


def give_destinations(
    program: AnalysedModule, improve: Improve, *, everywhere: bool = False
) -> AnalysedModule:
    """
    Let private functions compute what they return in arguments that are dead after their calls,
    and then in tensors that callers give them: those that are called in loops or whose results are
    inserted, if that helps, or `everywhere`. The module is improved once more afterwards. Returns
    what is known of it.
    """
    if not program.options.copy_before_write:
        program = _try(program, improve, _Donations)
        program = _try(program, improve, _Destinations, everywhere=everywhere)
    return program


def _try(
    program: AnalysedModule,
    improve: Improve,
    convention: type[_Convention],
    *,
    everywhere: bool = False,
) -> AnalysedModule:
    graph = _graph(program)
    numbers = {
        number
        for number, function in enumerate(graph.functions)
        if is_private(function)
        and (calls := graph.calls[function])
        and (everywhere or any(map(convention.may_gain, calls)))
        and graph.may_change(function)
        and function not in graph.recursive
    }
    for _ in range(MAX_TRIALS):
        if not numbers:
            return program
        found = convention(program, graph, numbers)
        if not found.arguments:
            return program
        trial = _Trial(program, convention, numbers, improve)
        if not trial.worse:
            if not (everywhere or trial.is_better):
                return program
            found.apply()
            former = program.improved
            program = improve(program.module)
            program.improved = [*dict.fromkeys([*former, *program.improved])]
            return program
        numbers -= trial.worse
    return program


class _Trial:
    """
    A clone of the program in which functions of the module, given by their numbers, return in
    memory of their callers.
    """

    def __init__(
        self,
        program: AnalysedModule,
        convention: type[_Convention],
        numbers: AbstractSet[int],
        improve: Improve,
    ):
        module = program.module.clone()
        clone = AnalysedModule(module, program.options)
        graph = _graph(clone)
        found = convention(clone, graph, numbers)
        self._functions = graph.functions
        self._number = {f: number for number, f in enumerate(graph.functions)}
        self._found = found
        self.is_better = any(
            found.given(f)[0] and may_be_repeated(c)
            for f in found.arguments
            for c in graph.calls[f]
        )
        """Whether anything is gained."""
        self.worse: AbstractSet[int]
        """The numbers of functions that had better be left as they are."""
        found.apply()
        try:
            after = improve(module)
            after.check_rewrite()
            self._after = _graph(after)
            self.worse = {
                *self._elsewhere(after),
                *self._copying(program, after),
                *self._growing(program, after),
            }
        except BufferizationError:
            self.worse = {self._number[f] for f in found.arguments}

    def _elsewhere(self, after: AnalysedModule) -> Iterator[int]:
        """The functions whose results are not in those arguments after all."""
        for function, arguments in self._found.arguments.items():
            where = after.decisions.summaries[function].equivalent
            if any(where[result] != index for result, index in arguments.items()):
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
            yield from self._to_blame(function)

    def _growing(self, program: AnalysedModule, after: AnalysedModule) -> Iterator[int]:
        """The functions that, or whose callers, have more allocated at a time than before."""
        before, now = _peaks(program), _peaks(after)
        allocated, allocates = _allocations(program), _allocations(after)
        for former, function in zip(
            _graph(program).functions, self._functions, strict=True
        ):
            buffers, size = self._found.given(function)
            added = (
                allocates[function] + buffers - allocated[former]
                if function in self._found.arguments
                else 0
            )
            self.is_better |= added < 0
            if now.get(function, 0) + size > before.get(former, 0) or added > 0:
                yield from self._to_blame(function)

    def _to_blame(self, function: func.FuncOp) -> Iterator[int]:
        """The function and those that it calls, as far as they have changed."""
        if function in self._found.arguments:
            yield self._number[function]
        yield from self._called.get(function, ())

    @cached_property
    def _called(self) -> Mapping[func.FuncOp | None, AbstractSet[int]]:
        """By function: the numbers of those that it calls and that have changed."""
        called: dict[func.FuncOp | None, set[int]] = {}
        for callee in self._found.arguments:
            for call in self._after.calls[callee]:
                caller = outermost_function(call)
                called.setdefault(caller, set()).add(self._number[callee])
        return called


def _peaks(program: AnalysedModule) -> Mapping[func.FuncOp, int]:
    functions = program.remember(Costs).decided
    return peaks_of_calls(functions, _graph(program), program.decisions.summaries)


def _allocations(program: AnalysedModule) -> Mapping[func.FuncOp, int]:
    """How many buffers of known size each function allocates."""
    return {
        decided.function: len(decided.allocations)
        for decided in program.remember(Costs).decided
    }


def _graph(program: AnalysedModule) -> CallGraph:
    return CallGraph(
        program.module, without=left_modules(program.module, program.options)
    )
