"""
Tensor programs changed so that less has to be copied.

One-Shot Bufferize takes a program as it is, and copies what that asks for. Functions in which
copies are left after `eliminate-empty-tensors`, that this has made worse, or whose peak may be
lower if elementwise ops overwrite inputs, are changed, and `eliminate-empty-tensors` is run again
(`attempt.py`):

1. Loops that read and write tensors slice by slice work in place; what is cheap to compute is
   computed again where a copy of it would be made; other copies are made where their op's result
   is inserted.
2. Elementwise ops write into an input that is not needed any more. This saves memory, which
   the other steps may need.
3. Ops that read what is put together from slices read the slices.
4. Ops that write move after those that read what they overwrite.
5. Arguments of functions get the layout that their users ask for.
6. Padding and concatenation become insertions, so that operands are computed in place, those
   first that are computed first.

Then one more analysis tells what has helped: an op writes into its own tensor again if it
cannot have that of its input, and insertions that are copied are undone. `search.py` compares the
costs with those of the program as it came, and with candidates without the edits that interfere
(`elimination.py`, `interference.py`). A function for which no candidate is better is as
`eliminate-empty-tensors` leaves it, or as it came if that is better. In loops that copy all the
same, two buffers take turns if that helps (`double_buffering.py`). So a program without avoidable
copies stays as it is, and the number of analyses does not depend on the program.

Returned tensors that overwrite an argument, in memory of their own.

    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %r = linalg.add ins(%a, %b) outs(%a)    // outs(%e), a tensor.empty
      func.return %r

The caller owns `%a` and the result, so deallocation copies what is returned in the memory of `%a`.
Private functions need not return it. The memory is allocated earlier than that of the copy, so
the peak may be higher: then nothing is changed. No decision tells of these copies, so costs do
not, and the search cannot find this.

Takes time linear in what is returned, and one analysis more if that has changed.

Empty tensors whose memory is free again when the memory of another one is needed: one for both.

    %f = linalg.fill ins(%zero) outs(%d)       // %d, a tensor.empty
    %m = linalg.matmul ins(%a, %b) outs(%f)
    %u = tensor.extract %m[%i, %i]             // the last op that reads %m
    %g = linalg.fill ins(%zero) outs(%e)       // outs(%d): %e is a tensor.empty of that size

Invariant: nothing is allocated between the death of the one and the birth of the other, so that no
peak is higher than before, unless something is copied that was not, which the costs tell. Takes
`n log n` time in the memory that functions allocate, and one more analysis of what shares memory
with these tensors.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import ModuleOp, NoneAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
    empty_like,
)
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.participation import bufferized_functions
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    all_returns,
    calls_among,
    is_private,
    returns_of,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import ancestor_in, walk
from xdsl_bufferization.tensors.analysed_module import (
    AnalysedModule,
    analyses_by_function,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs, costs_if_bufferizable
from xdsl_bufferization.tensors.costs.profile import Allocation, sizes_if_asked
from xdsl_bufferization.tensors.edits import (
    SHARE_MEMORY,
    Edit,
    EditKind,
    Edits,
)
from xdsl_bufferization.tensors.eliminate_copies.inits import (
    functions_that_may_reuse,
    is_overwritten,
    operands_in_buffer,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import (
    eliminate_empty_tensors,
    eliminate_empty_tensors_of,
)
from xdsl_bufferization.tensors.search import Limits, keep_better, traffic_and_peak

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
    from xdsl_bufferization.tensors.eliminate_copies.interference import Trace


def eliminate_copies(
    module: ModuleOp,
    options: OneShotOptions,
    max_peak_increase: int = 0,
    peak_weight: int = 0,
    trace: Trace | None = None,
    without: AbstractSet[str] = frozenset(),
    *,
    frees: bool = False,
    changes: Changes | None = None,
    calls: CallGraph | None = None,
) -> AnalysedModule:
    """
    Rewrite what causes copies, where `options` are those of the bufferization to come; with
    `eliminate-empty-tensors`, and without the rewrites named in `without`. No function gets more
    copies or more bytes copied, or a peak of memory that is higher by more than `max_peak_increase`
    percent. A byte less at the peak is worth copying `peak_weight` bytes. Returns the module with
    what is known of it afterwards. The attempts are added to the `trace`, and all changes to the
    log `changes`, if these are given; `calls` are its functions, if they are known. Empty tensors
    in what is `improved` do not share memory yet; see `share_memory`. If deallocation `frees` what
    the program allocates afterwards, it copies results in memory of arguments, which are then
    computed in their own.

    Raises `BufferizationError`, with the module as it was, if it cannot be bufferized.
    """
    if options.copy_before_write:
        # Whatever the program is, each write copies.
        eliminate_empty_tensors(module)
        return AnalysedModule(module, options)
    # Copies that are refused may be those that are eliminated.
    options = replace(options, must_be_in_place=False)
    calls = calls or bufferized_functions(module, options)
    functions = [function for function in calls.functions if function.body.blocks]
    program = AnalysedModule(module, options, changes, calls)
    program.without = without
    before, edits = program.changes.position, Edits(without=without)
    try:
        # A program that cannot be bufferized as it came may be in the end.
        came = costs_if_bufferizable(program)
        if came is not None and frees:
            came = own_returned_inits(program, functions, came, edits)
        start = program.changes.position
        changed = eliminate_empty_tensors_of(program, edits)
        after = program.remember(Costs) if changed or came is None else came
    except BufferizationError:
        program.changes.undo(before)
        # The error is to be about an op of the module.
        OneShotBufferization(module, options).analyze()
        raise
    came = came or after
    limits = Limits(functions, came, max_peak_increase, after)
    scope = _functions_to_change(program, after, limits)
    if scope:
        # Most short programs have nothing to eliminate.
        from xdsl_bufferization.tensors.eliminate_copies.elimination import (
            Elimination,
            has_loops,
        )

        costs = came, after
        score = partial(traffic_and_peak, peak_weight=peak_weight)
        elimination = Elimination(
            program, limits, score, scope, start, edits, costs, trace
        )
        elimination.run()
        if EditKind.DOUBLE_BUFFER not in without and (
            program.decisions.forwarded_copies or any(map(has_loops, program.analyses))
        ):
            from xdsl_bufferization.tensors.eliminate_copies.double_buffering import (
                double_buffer,
            )

            left_out = {f: each.best for f, each in elimination.left_out.items()}
            double_buffer(program, limits, left_out)
    return program


def share_memory(program: AnalysedModule) -> None:
    """
    Let empty tensors in functions that have been improved share memory, after their ops are in
    their order: where they share memory, ops that write it stay in their order.
    """
    if program.improved and SHARE_MEMORY not in program.without:
        share_empty_tensors(program, program.improved, program.remember(Costs))


def _functions_to_change(
    program: AnalysedModule, costs: Costs, limits: Limits
) -> Sequence[func.FuncOp]:
    """
    Those with copies, those made worse, and those whose peak may be lower if elementwise ops
    overwrite inputs.
    """
    functions = limits.functions
    found = {
        f
        for f in functions
        if costs.of(f).copies.number or limits.are_exceeded_by(f, costs)
    }
    at_peaks = {
        op for f in functions if f not in found for op in costs[f].ops_at_peaks()
    }
    for analysis in program.analyses if at_peaks else ():
        reusing = functions_that_may_reuse(analysis, at_peaks)
        found.update(f for f in functions if f in reusing)
    return [f for f in functions if f in found]


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
    function: func.FuncOp, analysis: OneShotAnalysis
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
        for allocation in after[function].profile.allocations
        if allocation.end == inf
    )
    return after.peak(function) > max(before.peak(function), returned)


def share_empty_tensors(
    program: AnalysedModule, functions: Iterable[func.FuncOp], costs: Costs
) -> None:
    """
    Let empty tensors in the functions, whose costs are given, share memory where that makes
    nothing worse.
    """
    # They stay valid when empty tensors take the place of others.
    sizes = sizes_if_asked()
    shared = [
        (op, former)
        for function in functions
        for profile in costs[function].profiles.values()
        for op, former in _shared(profile.allocations, sizes)
    ]
    if not shared:
        return
    position = program.changes.position
    for op, former in shared:
        program.changes.replace_uses(op.tensor, former.tensor)
        program.changes.remove(op)
    keep_better(
        program,
        position,
        frozenset(functions),
        Limits(costs, costs),
        lambda f, now: len(now[f].allocations) < len(costs[f].allocations),
    )


def _kind(op: tensor.EmptyOp, sizes: Callable[[], Sizes]) -> Hashable:
    """A key that empty tensors share that can take each other's place, one after the other."""
    shape = sizes().shape(op.tensor) if op.operands else None
    return (op.parent, op.tensor.type, *(shape or ()))


def _shared(
    allocations: Iterable[Allocation], sizes: Callable[[], Sizes]
) -> Iterator[tuple[tensor.EmptyOp, tensor.EmptyOp]]:
    """
    The empty tensors among what is allocated in one memory space, each with one before it whose
    memory it can have.
    """
    dead: dict[Hashable, list[tuple[float, int, tensor.EmptyOp]]] = defaultdict(list)
    """By kind, in the order of their deaths: the death, a number, and the empty tensor."""
    last_birth: float = -1
    for number, memory in enumerate(sorted(allocations, key=lambda a: a.start)):
        if isinstance(op := memory.op, tensor.EmptyOp) and op.parent is not None:
            alike = dead[_kind(op, sizes)]
            # The one that has died last before this birth, unless something is born since.
            index = bisect_right(alike, memory.start, key=lambda entry: entry[0]) - 1
            if index >= 0 and alike[index][0] > last_birth:
                _, _, former = alike.pop(index)
                yield op, former
                op = former
            insort(alike, (memory.end, number, op))
        last_birth = memory.start


def copy_returned_values(graph: CallGraph, options: OneShotOptions) -> None:
    """
    Let functions return copies of what is donated for other results; and each that is called in
    the module return copies of constants, not the constants themselves. Does nothing unless the
    options bufferize functions.

        %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>       // read-only memory
        %c = bufferization.alloc_tensor() copy(%w) : tensor<2xf32>
        func.return %c : tensor<2xf32>                              // was %w

    Callers own what a function returns, so deallocation copies `%w` in any case. A caller that
    knows writes the copy; one that does not makes another copy.

        %old = bufferization.alloc_tensor() copy(%state)   // %state is donated for the first result
        %new = tensor.insert %x into %state[%i]            // in place; without the copy it is not
        func.return %new, %old                             // was %state

    Takes time linear in the operands of returns, in the uses of what is donated, and in the program
    if a constant is returned.
    """
    if not options.bufferize_function_boundaries or not all(
        map(options.lets_take_part, ("func.func", "bufferization.alloc_tensor"))
    ):
        return
    for function in graph.functions:
        _copy_donated(function)
    returned = {f: found for f in graph.functions if (found := _constants(f))}
    if not returned:
        return
    calls = calls_among(walk(graph.functions))
    for function in {graph.callee(call): None for call in calls}:
        for op, index in () if function is None else returned.get(function, ()):
            op.operands[index] = _copy(op.operands[index], op, op)


def _copy_donated(function: func.FuncOp) -> None:
    """Copy the donated arguments that are returned as another result, before they are used."""
    donated = donated_arguments(function)
    block = function.body.first_block
    if not donated or block is None or block is not function.body.last_block:
        return
    for end in all_returns(function):
        for result, number in donated.items():
            argument = block.args[number]
            others = [i for i, v in enumerate(end.operands) if v is argument]
            if (
                not others
                or result in others
                or not isinstance(argument.type, TensorType)
            ):
                continue
            users = {ancestor_in(function.body, use.operation) for use in argument.uses}
            copy = _copy(argument, end, next(op for op in block.ops if op in users))
            for index in others:
                end.operands[index] = copy


def _constants(function: func.FuncOp) -> Sequence[tuple[Operation, int]]:
    """The returns and the operands that are constants; without those of donated arguments."""
    found = [
        (op, index)
        for op in all_returns(function)
        for index, value in enumerate(op.operands)
        if isinstance(value.owner, arith.ConstantOp)
        and isinstance(type := value.type, TensorType)
        and isinstance(type.encoding, NoneAttr)
    ]
    donated = donated_arguments(function) if found else ()
    return [(op, index) for op, index in found if index not in donated]


def _copy(value: SSAValue, end: Operation, before: Operation) -> SSAValue:
    """A copy of the value, for a return."""
    builder = builder_for(end, InsertPoint.before(before))
    if isinstance(op := value.owner, Operation):
        model = RematerializationOpInterface.of(op)
        if model is not None and model.bytes_read(op) == 0:
            return model.rematerialize(op, builder)
    return builder.insert(AllocTensorOp(value.type, copy=value)).tensor
