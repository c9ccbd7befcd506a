"""
Memory of callers for what private functions return, kept where it makes nothing worse.

    %r = func.call @layer(%x) : ...            // in the memory of %x, if that is dead
    %e = tensor.empty() : tensor<4xf32>        // or in that of a tensor of the caller's
    %r = func.call @layer(%x, %e) : ...

`DeadArguments` finds arguments that are dead after each call, to be donated for results. A donated
argument is an init for the ops of the function, and its result is the caller's buffer: no
allocation for each call, and no copy where a loop carries the result.

Results of other functions may get destinations: `returned_empty_tensors` are those that callers can
give. A search goes back from each return, through operands that are in place, and must end in empty
tensors on all paths, or in results of calls whose functions get such tensors themselves.

    func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>                     // callers may give it instead
      %r = linalg.exp ins(%x) outs(%e) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }

The contents of an empty tensor are undefined, so the function computes the same whatever it gets.
A caller may give the memory in which it needs the result, such as a slice of a donated cache, and
allocates it once for all iterations of a loop.

Copies and peaks are known once the changed program is analysed. Peaks are those of the function
with all that it calls, the memory that callers give included; memory of functions
without a body and of recursive calls does not count. What is worse then is undone, as by
`search.py`, but a signature changes together with all calls, so that all functions are undone, and
the others are tried again. Takes time linear in the program; programs without functions that may
gain pay one walk over the calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.bufferizable import BufferRelation, FunctionSummary
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
)
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    executed_at_most_once,
)
from xdsl_bufferization.models.shared.slices import are_of_one_size
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_private,
    outermost_function,
    returns_of,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import (
    donate,
    donated_arguments,
    possible_donors,
)
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.support.regions import BlockLoops, block_of, defining_op, walk
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    is_tensor,
    ranked_tensor,
)
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.costs import Costs, DecidedFunction
from xdsl_bufferization.tensors.costs.profile import Allocation, Bytes, Cost, Profile
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    in_memory_of_arguments,
    may_be_overwritten,
)


class ReturnedEmptyTensor(NamedTuple):
    """A result of a function that is in an empty tensor."""

    type: TensorType[Attribute]
    operands: Sequence[TensorOperand]
    """The operands that are the empty tensor, or one of those of several branches."""
    results: Sequence[SSAValue]
    """The results of calls that it is instead."""


Returned = Mapping[int, ReturnedEmptyTensor]
"""By result."""


def returned_empty_tensors(
    decided: DecidedFunction, of_callees: Container[SSAValue]
) -> Returned:
    """Those of a function, given the results of calls that are such tensors of the callees."""
    function, donated = decided.function, donated_arguments(decided.function)
    found: dict[int, ReturnedEmptyTensor] = {}
    taken: set[TensorOperand] = set()
    loops = BlockLoops()
    for result, type in enumerate(function.function_type.outputs):
        if result not in donated and is_static_tensor(type):
            returned = _empty_tensors_of(result, decided, of_callees, loops)
            if returned is not None and taken.isdisjoint(returned.operands):
                found[result] = returned
                taken.update(returned.operands)
    return found


def _empty_tensors_of(
    result: int,
    decided: DecidedFunction,
    of_callees: Container[SSAValue],
    loops: BlockLoops,
) -> ReturnedEmptyTensor | None:
    """The empty tensors that the result is in; `None` if it may be elsewhere."""
    analysis, function = decided.analysis, decided.function
    type = function.function_type.outputs.data[result]
    operands: dict[TensorOperand, None] = {}
    results: list[SSAValue] = []
    seen: set[SSAValue] = set()
    pending = [analysis.program.operand(op, result) for op in returns_of(function)]
    while pending:
        operand = pending.pop()
        if operand is None or operand.value.value.type != type:
            return None
        value = operand.value.value
        if isinstance(value.owner, tensor.EmptyOp):
            if may_be_repeated(operand.owner.op, loops):
                return None
            operands.update(dict.fromkeys(_in_the_same_buffer(analysis, operand)))
        elif not analysis.is_in_place(operand):
            return None
        elif value in seen:
            continue
        elif value in of_callees:
            if may_be_repeated(defining_op(value), loops):
                return None
            results.append(value)
        else:
            sources = [*analysis.sources_given.of(operand.value)]
            if not sources or any(
                alias.relation is not BufferRelation.EQUIVALENT for _, alias in sources
            ):
                return None
            pending.extend(source for source, _ in sources)
        seen.add(value)
    if not operands and not results:
        return None
    return ReturnedEmptyTensor(ranked_tensor(type), [*operands], results)


def _in_the_same_buffer(
    analysis: OneShotAnalysis, operand: TensorOperand
) -> Iterator[TensorOperand]:
    """The uses of an empty tensor that are in the buffer in which the operand is."""
    yield operand
    if analysis.is_in_place(operand):
        for use in operand.value.value.uses:
            other = analysis.program.operand(use.operation, use.index)
            if other is not None and analysis.is_in_place(other):
                yield other


def may_be_repeated(op: Operation, loops: BlockLoops) -> bool:
    """Whether the op may be executed more than once in a call, as far as regions tell."""
    return not executed_at_most_once(block_of(op), loops)


Donations = Mapping[int, int]
"""By result: the argument in whose memory it is."""


class DeadArguments:
    """The arguments that the functions of the graph may donate, asked for callers first."""

    def __init__(self, program: AnalysedModule, graph: CallGraph):
        self._graph = graph
        self._summaries = program.decisions.summaries
        self._analyses = program.remember(analyses_by_function)
        self._kept: dict[OneShotAnalysis, AbstractSet[SSAValue]] = {}
        self._donated: set[SSAValue] = set()

    def of(self, function: func.FuncOp) -> Donations:
        """For each result in new memory the first such argument of its size, if there is one."""
        analysis, returns = self._analyses.get(function), [*returns_of(function)]
        if analysis is None or not returns:
            return {}
        outputs = function.function_type.outputs.data
        donated = donated_arguments(function)
        new = [
            result
            for result, argument in enumerate(self._summaries[function].equivalent)
            if argument is None and result not in donated
        ]
        dead: dict[Attribute, list[BlockArgument]] = {outputs[i]: [] for i in new}
        for number in possible_donors(function):
            argument = function.args[number]
            if argument.type in dead and self._is_dead(function, number):
                dead[argument.type].append(argument)
        found: dict[int, int] = {}
        for result in new:
            left = dead[outputs[result]]
            for argument in left:
                if all(
                    are_of_one_size(argument, end.operands[result], analysis.program)
                    for end in returns
                ):
                    found[result] = argument.index
                    self._donated.add(argument)
                    left.remove(argument)
                    break
        return found

    def _is_dead(self, function: func.FuncOp, argument: int) -> bool:
        """Whether no caller reads the memory of the argument any more after a call."""
        calls = self._graph.calls[function]
        return all(self._is_dead_after(call, argument) for call in calls)

    def _is_dead_after(self, call: func.CallOp, argument: int) -> bool:
        function = outermost_function(call)
        analysis = None if function is None else self._analyses.get(function)
        operand = analysis and analysis.program.operand(call, argument)
        if analysis is None or operand is None:
            return False
        info, value = operand.owner, operand.value
        return may_be_overwritten(analysis, value, self._kept_by(analysis)) and all(
            live_range.read.owner is info or live_range.definition.owner is info
            for live_range in analysis.alias_sets.find(value).ranges.overlapping(
                info.enter, info.exit
            )
        )

    def _kept_by(self, analysis: OneShotAnalysis) -> AbstractSet[SSAValue]:
        """The tensors in memory that is not the caller's to give away."""
        if analysis not in self._kept:
            self._kept[analysis] = in_memory_of_arguments(analysis, self._donated)
        return self._kept[analysis]


def _peaks_of_calls(
    program: AnalysedModule, graph: CallGraph
) -> Mapping[func.FuncOp, int]:
    """
    By function: the most bytes that a call of it has allocated at a time, together with what it
    calls, what it returns included.
    """
    peaks: dict[func.FuncOp, int] = {}
    # Callees come first.
    for function, decided in program.remember(Costs).items():
        memory, uses = [*decided.allocations], copy(decided.uses)
        times = {
            op: round(uses.points.position(op) * SCALE)
            for op in walk([function])
            if isinstance(op, func.CallOp)
        }
        uses.allocated = [
            (result, time)
            for call, time in times.items()
            for result in _new_results(call, graph, program.decisions.summaries)
        ]
        returned = Counter[Operation | None]()
        for result in uses.allocations() if times else ():
            memory.append(result)
            returned[result.op] += result.bytes
        for call, time in times.items():
            callee = graph.callee(call)
            size = 0 if callee is None else peaks.get(callee, 0)
            size = Expression.constant(max(0, size - returned[call]))
            memory.append(Allocation(time, time + 1, size, DEFAULT_SPACE))
        peaks[function] = Profile(memory).peak
    return peaks


def _new_results(
    call: func.CallOp,
    graph: CallGraph,
    summaries: Mapping[func.FuncOp, FunctionSummary],
) -> Iterator[OpResult]:
    """The results of a call that are new memory."""
    callee = graph.callee(call)
    if callee is not None and callee in summaries:
        returned = {*chain(*summaries[callee].returns)}
        for result in call.results:
            if result.index not in returned and is_tensor(result):
                yield result


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
    results: set[SSAValue] = set()
    for function, decided in program.remember(Costs).items():
        if function in chosen and (
            returned := returned_empty_tensors(decided, results)
        ):
            found[function] = returned
            results.update(
                c.results[i] for c in graph.calls[function] for i in returned
            )
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
    passed_on: dict[SSAValue, SSAValue] = {}
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
            passed_on.update(dict.fromkeys(one.results, argument))
    for function, returned in found.items():
        for call in graph.calls[function]:
            builder = changes.builder(call, InsertPoint.before(call))
            given = [
                passed_on.get(call.results[index])
                or builder.insert(tensor.EmptyOp((), one.type)).tensor
                for index, one in returned.items()
            ]
            rebuilt = rebuild_call(call, given)
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
        loops = BlockLoops()
        program = _try(
            program,
            improve,
            _new_arguments,
            lambda call: everywhere or _may_gain(call, loops),
            is_wanted=everywhere,
        )
    return program


def _may_gain(call: func.CallOp, loops: BlockLoops) -> bool:
    """Whether a call may gain by giving a destination."""
    return may_be_repeated(call, loops) or any(
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
        before = _figures(program, graph)
        signatures = {
            f: (f.function_type, f.arg_attrs) for f in graph.functions if f.body.blocks
        }
        # Memory that a call in a loop gives is allocated once.
        loops = BlockLoops()
        is_given_repeatedly = any(
            found.given(f)[0]
            and any(may_be_repeated(call, loops) for call in graph.calls[f])
            for f in found.arguments
        )
        found.apply(graph, changes)
        try:
            after = improve(program.module, changes)
            after.check_rewrite()
            worse, is_better = _outcome(after, found, before)
            if not worse and (is_wanted or is_better or is_given_repeatedly):
                after.improved = [*dict.fromkeys([*program.improved, *after.improved])]
                return after
        except BufferizationError:
            worse = found.arguments.keys()
        changes.undo(start)
        for function, (type, attributes) in signatures.items():
            function.function_type, function.arg_attrs = type, attributes
            for argument in function.args[len(type.inputs) :]:
                function.body.blocks[0].erase_arg(argument)
        if not worse:
            return program
        chosen -= worse
    return program


def _outcome(
    program: AnalysedModule, found: _Convention, before: _Figures
) -> tuple[AbstractSet[func.FuncOp], bool]:
    """
    The functions that had better be left as they are, now that the convention is applied, and
    whether anything is gained: those whose results are not in those arguments after all; and those
    that, or whose callers, copy or move more than before, or have more allocated at a time.
    """
    graph = _graph(program)
    is_better, costly = False, set[func.FuncOp | None]()
    for function, (cost, allocated) in _figures(program, graph).items():
        former, allocates = before[function]
        buffers, size = found.given(function)
        memory = {s: Bytes(peak + size) for s, peak in cost.peaks.items()}
        added = allocated + buffers - allocates
        if function not in found.arguments:
            added = 0
        is_better |= cost.traffic < former.traffic or added < 0
        if added > 0 or not cost._replace(memory=memory).is_no_more_than(former):
            costly.add(function)
    where = program.decisions.summaries
    worse = {
        function
        for function, arguments in found.arguments.items()
        if function in costly
        or any(
            where[function].equivalent[result] != argument
            for result, argument in arguments.items()
        )
    }
    # Callers may be costly because of these.
    return worse or {
        f
        for f in found.arguments
        if not costly.isdisjoint(map(outermost_function, graph.calls[f]))
    }, is_better


_Figures: TypeAlias = Mapping[func.FuncOp, tuple[Cost, int]]
"""
By function: its cost, with the peak of what it and the functions that it calls allocate; and how
many buffers of known size it allocates.
"""


def _figures(program: AnalysedModule, graph: CallGraph) -> _Figures:
    peaks = _peaks_of_calls(program, graph)
    return {
        function: (
            decided.cost._replace(memory={DEFAULT_SPACE: Bytes(peaks[function])}),
            len(decided.allocations),
        )
        for function, decided in program.remember(Costs).items()
    }


def _graph(program: AnalysedModule) -> CallGraph:
    return CallGraph(
        program.module, without=left_modules(program.module, program.options)
    )
