"""
Memory of callers for what private functions return, kept where it makes nothing worse.

    %r = func.call @layer(%x) : ...            // in the memory of %x, if that is dead
    %e = tensor.empty() : tensor<4xf32>        // or in that of a tensor of the caller's
    %r = func.call @layer(%x, %e) : ...

Arguments that are dead after each call are donated for results. Results of other
functions may get destinations.

The contents of an empty tensor are undefined, so the function computes the same whatever it gets.
A caller that gives the memory may give that in which it needs the result, such as a slice of a
donated cache, and allocates it once for all iterations of a loop:

    %e = tensor.empty() : tensor<1x4xf32>
    %b = func.call @layer(%a, %e) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %k2 = tensor.insert_slice %b into %k[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>

Peaks are no higher by construction (`returned_empty_tensors.py`). Copies are known once the
changed program is analysed; what is worse then is undone, as by `search.py`, but a signature
changes together with all calls, so that all functions are undone. Programs without functions that
may gain pay one walk over the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import NamedTuple

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
)
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_private,
    outermost_function,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donate
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.figures import Cost
from xdsl_bufferization.tensors.costs.profile import Bytes
from xdsl_bufferization.tensors.destinations.returned_empty_tensors import (
    DeadArguments,
    Returned,
    may_be_repeated,
    peaks_of_calls,
    returned_empty_tensors,
)


class _Convention(NamedTuple):
    """Functions of a module and the arguments in whose memory they return results."""

    arguments: Mapping[func.FuncOp, Mapping[int, int]]
    """By function that changes: its results, each with the argument."""
    new: Mapping[func.FuncOp, Returned] = MappingProxyType({})
    """By function whose arguments are new: the empty tensors in their place."""

    def apply(self, graph: CallGraph, changes: Changes) -> None:
        """Change the functions and their calls; signatures are not in the log of changes."""
        _take_destinations(self.new, graph, changes)
        for function, arguments in self.arguments.items():
            for result, argument in arguments.items():
                donate(function, argument, result)

    def given(self, function: func.FuncOp) -> tuple[int, int]:
        """The buffers that callers allocate in place of the function, and their bytes."""
        returned = self.new.get(function, {}).values()
        layout = DataLayout.of(function)
        return (
            sum(bool(one.operands) for one in returned),
            sum(layout.bytes_of_contents(one.type) or 0 for one in returned),
        )


def _dead_arguments(
    program: AnalysedModule, graph: CallGraph, chosen: AbstractSet[func.FuncOp]
) -> _Convention:
    """Results of the chosen functions in arguments that are dead after each call."""
    dead = DeadArguments(program, graph)
    callers_first = reversed(program.remember(Costs).values())
    each = {
        d.function: dead.of(d.function) for d in callers_first if d.function in chosen
    }
    return _Convention({f: donated for f, donated in each.items() if donated})


def _new_arguments(
    program: AnalysedModule, graph: CallGraph, chosen: AbstractSet[func.FuncOp]
) -> _Convention:
    """Results of the chosen functions in new arguments."""
    found: dict[func.FuncOp, Returned] = {}
    for function, decided in program.remember(Costs).items():
        if function in chosen and (
            returned := returned_empty_tensors(decided, found, graph)
        ):
            found[function] = returned
    return _Convention(
        {
            f: {result: len(f.args) + number for number, result in enumerate(returned)}
            for f, returned in found.items()
        },
        found,
    )


def _take_destinations(
    found: Mapping[func.FuncOp, Returned], graph: CallGraph, changes: Changes
) -> None:
    """
    Let the functions take the empty tensors `found` as arguments, by result, and their calls
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
                changes.set_operand(user, operand.index, argument)
                if empty.first_use is None and isinstance(empty.owner, Operation):
                    changes.remove(empty.owner)
            passed_on.update(((call, index), argument) for call, index in one.calls)
    for function, returned in found.items():
        for call in graph.calls[function]:
            builder = changes.builder(call, InsertPoint.before(call))
            given = [
                passed_on[call, index]
                if (call, index) in passed_on
                else builder.insert(tensor.EmptyOp((), one.type)).tensor
                for index, one in returned.items()
            ]
            rebuilt = rebuild_call(call, given, range(len(call.results)))
            changes.inserted(rebuilt)
            for former, result in zip(call.results, rebuilt.results, strict=True):
                changes.replace_uses(former, result)
            changes.remove(call)


MAX_TRIALS = 3
"""Programs that are tried, each without the functions that were worse in those before."""

Improve = Callable[[ModuleOp, Changes], AnalysedModule]
"""Eliminates copies of a module, with this log of its changes."""


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
        program = _try(program, improve, _dead_arguments, lambda call: True)
        program = _try(
            program,
            improve,
            _new_arguments,
            lambda call: everywhere or _may_gain(call),
            is_wanted=everywhere,
        )
    return program


def _may_gain(call: func.CallOp) -> bool:
    """Whether a call may gain by giving a destination."""
    return may_be_repeated(call) or any(
        SubsetInsertionOpInterface.of(use.operation) is not None
        for result in call.results
        for use in result.uses
    )


def _try(
    program: AnalysedModule,
    improve: Improve,
    find: Callable[[AnalysedModule, CallGraph, AbstractSet[func.FuncOp]], _Convention],
    may_gain: Callable[[func.CallOp], bool],
    *,
    is_wanted: bool = False,
) -> AnalysedModule:
    """
    Change the functions that have a call that may gain, without those that are worse then; undo
    that if nothing is gained, unless it `is_wanted`.
    """
    changes, start = program.changes, program.changes.position
    graph = _graph(program)
    chosen = {
        f
        for f in graph.functions
        if is_private(f)
        and any(map(may_gain, graph.calls[f]))
        and graph.may_change(f)
        and f not in graph.recursive
    }
    for _ in range(MAX_TRIALS):
        found = find(program, graph, chosen) if chosen else _Convention({})
        if not found.arguments:
            return program
        trial = _Trial(program, graph, found)
        found.apply(graph, changes)
        try:
            after = improve(program.module, changes)
            after.check_rewrite()
            worse, is_better = trial.outcome(after)
            if not worse and (is_wanted or is_better):
                after.improved = [*dict.fromkeys([*program.improved, *after.improved])]
                return after
        except BufferizationError:
            worse = found.arguments.keys()
        changes.undo(start)
        trial.restore_signatures()
        if not worse:
            return program
        chosen -= worse
    return program


class _Trial:
    """The program before some functions return in memory of their callers, to compare with."""

    def __init__(self, program: AnalysedModule, graph: CallGraph, found: _Convention):
        self._found = found
        self._before = _figures(program)
        self._signatures = {
            f: (f.function_type, f.arg_attrs) for f in graph.functions if f.body.blocks
        }
        self._callers = {
            f: {outermost_function(call) for call in graph.calls[f]}
            for f in found.arguments
        }
        self._is_repeated = any(
            found.given(f)[0] and may_be_repeated(call)
            for f in found.arguments
            for call in graph.calls[f]
        )

    def outcome(self, after: AnalysedModule) -> tuple[AbstractSet[func.FuncOp], bool]:
        """
        The functions that had better be left as they are, and whether anything is gained: those
        whose results are not in those arguments after all; and those that, or whose callers, copy
        or move more than before, or have more allocated at a time.
        """
        is_better, costly = self._is_repeated, set[func.FuncOp | None]()
        for function, (cost, allocated) in _figures(after).items():
            before, allocates = self._before[function]
            buffers, size = self._found.given(function)
            memory = {s: Bytes(peak + size) for s, peak in cost.peaks.items()}
            added = allocated + buffers - allocates
            if function not in self._found.arguments:
                added = 0
            is_better |= cost.traffic < before.traffic or added < 0
            if added > 0 or not cost._replace(memory=memory).is_no_more_than(before):
                costly.add(function)
        where = after.decisions.summaries
        worse = {
            function
            for function, arguments in self._found.arguments.items()
            if function in costly
            or any(
                where[function].equivalent[result] != argument
                for result, argument in arguments.items()
            )
        }
        # Callers may be costly because of these.
        callers = self._callers.items()
        return worse or {f for f, of in callers if of & costly}, is_better

    def restore_signatures(self) -> None:
        """Let the functions have the arguments and the attributes that they had before."""
        for function, (type, attributes) in self._signatures.items():
            function.function_type, function.arg_attrs = type, attributes
            for argument in function.args[len(type.inputs) :]:
                function.body.blocks[0].erase_arg(argument)


def _figures(program: AnalysedModule) -> Mapping[func.FuncOp, tuple[Cost, int]]:
    """
    By function: its cost, with the peak of what it and the functions that it calls allocate; and
    how many buffers of known size it allocates.
    """
    functions = program.remember(Costs).values()
    graph, summaries = _graph(program), program.decisions.summaries
    peaks = peaks_of_calls(functions, graph, summaries)
    return {
        decided.function: (
            decided.cost._replace(
                memory={DEFAULT_SPACE: Bytes(peaks[decided.function])}
            ),
            len(decided.allocations),
        )
        for decided in functions
    }


def _graph(program: AnalysedModule) -> CallGraph:
    return CallGraph(
        program.module, without=left_modules(program.module, program.options)
    )
