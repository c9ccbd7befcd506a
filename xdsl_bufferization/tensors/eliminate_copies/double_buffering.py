"""
Double buffering: two buffers take the place of one that is copied to the other in each iteration.

That is tried after everything else (`search.py`), without the edits that were left out before. A
function keeps it if it copies fewer bytes when it runs.

Loops that compute something in new memory in each iteration, and copy it to an iteration argument.

    %y = linalg.matvec ins(%a, %x) outs(%new)   // reads the iteration argument %x
    scf.yield %y                                // copies %new to the buffer of %x

Two buffers take turns if the loop is unrolled by two, which takes no copy at all; or if it swaps
them, where it is not known how often the loop runs.

A loop that swaps two buffers already is unrolled, too, if a result is copied because it may be in
the wrong one: after two iterations each is in its place again.

Finding the loops takes time linear in the ops of the program, and in the loops around each that is
found.

Loops that carry a second buffer, and swap it with the first in each iteration.

    %r = scf.while (%x = %x0) ... do {
    ^bb0(%x: tensor<64xf32>):
      %y = linalg.matvec ins(%a, %x) outs(%new)     // still reads %x: copied to its buffer
      scf.yield %y

becomes

    %e = tensor.empty()
    %r, %s = scf.while (%x = %x0, %z = %e) ... do {
    ^bb0(%x: tensor<64xf32>, %z: tensor<64xf32>):
      %y = linalg.matvec ins(%a, %x) outs(%z)
      scf.yield %y, %x

Invariant: the program computes the same, since an empty tensor may have any contents. The result
may be in either buffer afterwards. So the first one is memory that the function allocates, or an
argument that is donated, to which the result is copied once. What else the caller has is copied
before the loop, if the peak allows that:

    %x1 = bufferization.alloc_tensor() copy(%x0)
    %r, %s = scf.while (%x = %x1, %z = %e) ... do {

Otherwise it would be returned, or the new memory, and a flag that is known at run time only would
say which.

The op is replaced by a clone with one more operand, argument of each region, and result. That takes
time in proportion to its body.

Loops unrolled by two, so that two buffers take turns.

    %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %x0) {
      %y = linalg.matvec ins(%a, %x) outs(%new)     // still reads %x: copied to its buffer
      scf.yield %y
    }

becomes

    %r = scf.for %i = %c0 to %c10 step %c2 iter_args(%x = %x0) {
      %y = linalg.matvec ins(%a, %x) outs(%new)
      %z = linalg.matvec ins(%a, %y) outs(%x)       // nothing reads %x any more
      scf.yield %z
    }

Invariant: the program computes the same. Bounds and step have to be constants. The last of an odd
number of iterations is computed after the loop.

Takes time in proportion to the body, which grows to twice its size; a body of more than
`MAX_UNROLLED_OPS` ops is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    SSAValue,
    Use,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import empty_like
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    with_added_results,
)
from xdsl_bufferization.interfaces.subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.models.shared.slices import are_of_one_size, sizes_in
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo
from xdsl_bufferization.one_shot.facts.slices import induction_range
from xdsl_bufferization.one_shot.rewriting.tensor_copies import by_terminator
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.data_layout import layout_at
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.limits import MAX_UNROLLED_OPS
from xdsl_bufferization.support.regions import (
    ancestors,
    block_of,
    exits,
    region_of,
    terminator_of,
    walk,
)
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes, Log
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import BufferBytes, assumed
from xdsl_bufferization.tensors.edits import Edits, Omitted
from xdsl_bufferization.tensors.eliminate_copies.elimination import attempt
from xdsl_bufferization.tensors.eliminate_copies.insertions import (
    drop_overwritten,
    is_copied,
)
from xdsl_bufferization.tensors.eliminate_copies.rewriting import operands_in_buffer
from xdsl_bufferization.tensors.search import Candidates, Limits, Score, Search


def double_buffer(
    program: AnalysedModule,
    limits: Limits,
    left_out: Mapping[func.FuncOp, Omitted],
) -> None:
    """Rewrite loops that copy in these functions, given the edits that are left out."""
    loops: dict[func.FuncOp, list[CopyingLoop]] = {}
    for loop in copying_loops(program):
        function = outermost_function(loop.op)
        if function is not None and function in left_out:
            loops.setdefault(function, []).append(loop)
    if not loops:
        return

    def candidates(function: func.FuncOp) -> Candidates[Sequence[CopyingLoop]]:
        """All loops; then, unless that is better, those that start in memory of the function's."""
        outcome = yield loops[function]
        own = [*filter(None, (loop.in_own_memory() for loop in loops[function]))]
        if not outcome.is_better and own and own != loops[function]:
            yield own

    def apply(proposed: Mapping[func.FuncOp, Sequence[CopyingLoop]]) -> None:
        for copying in proposed.values():
            for loop in copying:
                loop.rewrite(program.changes)
        program.has_changed()
        # An iteration reads and overwrites slices of what the one before has put together: they
        # are read where they come from, and what is overwritten is not put together.
        attempt(
            program,
            [*proposed],
            # Clones may have edits that were left out where they come from.
            Edits({f: left_out[f] for f in proposed}, program.without),
            partial(drop_overwritten, proposed, program.changes),
        )

    costs = program.remember(Costs)
    search = Search(
        program, {f: candidates(f) for f in loops}, limits, _executed, apply
    )
    search.run({f: _executed(f, costs) for f in loops}, Log(()))


def _executed(function: func.FuncOp, costs: Costs) -> Score:
    return (costs.of(function).executed,)


class Swap(NamedTuple):
    """A tensor that a loop computes in each iteration, and copies to an iteration argument."""

    terminator: Operation
    """The terminator that forwards it."""
    argument: BlockArgument
    """The iteration argument."""
    like: SSAValue
    """A tensor of its type and sizes that is defined before the loop."""
    uses: Sequence[Use]
    """The operands that are the empty tensor in whose memory it is computed."""
    kept: Sequence[int]
    """The indices of the loop's inits in memory of callers, which is to stay as it is."""


def swap_of(
    analysis: OneShotAnalysis, loop: Operation, copy: ForwardedCopy
) -> Swap | None:
    """How a second buffer can take the place of the copy, if it can."""
    argument = copy.destination
    if (
        not isinstance(argument, BlockArgument)
        or argument.block is not copy.terminator.parent
        or not _carries(loop)
        or (info := analysis.program.info(loop)) is None
    ):
        return None
    # New memory may have another size in each iteration, unless it has that of an init.
    like = next(
        (o for o in loop.operands if are_of_one_size(o, argument, analysis.program)),
        None,
    )
    if like is None:
        return None
    copied = copy.terminator.operands[copy.operand]
    for operand in operands_in_buffer(analysis, copied, set()):
        empty = operand.value.value
        if (
            isinstance(empty.owner, tensor.EmptyOp)
            and are_of_one_size(empty, argument, analysis.program)
            and loop.is_ancestor(operand.owner.op)
        ):
            extracts = SubsetExtractionOpInterface.of
            parts = [u for u in empty.uses if extracts(u.operation) is not None]
            own = Use(operand.owner.op, operand.index)
            kept = _kept_inits(analysis, info, argument.type)
            return Swap(copy.terminator, argument, like, [own, *parts], kept)
    return None


def _carries(loop: Operation) -> bool:
    """
    Whether the op is a loop that forwards all of its last operands, and those of its
    terminators, so that it carries one more value if there is one more of each.
    """
    model = RegionBranchOpInterface.of(loop)
    if model is None or not all(
        len(region.blocks) == 1
        and model.is_repetitive(loop, index)
        and not model.is_parallel(loop, index)
        for index, region in enumerate(loop.regions)
    ):
        return False
    return all(
        bool(branches := model.branches(loop, source))
        and all(b.first + len(b.targets) == len(source.operands) for b in branches)
        for source in (loop, *exits(loop))
    )


def _kept_inits(
    analysis: OneShotAnalysis, loop: OpInfo, type: Attribute
) -> Sequence[int]:
    """
    The indices of the tensors of the type that the loop starts with, in memory that is neither
    allocated by the function nor a donated argument.
    """
    return [
        init.index
        for init in loop.operands
        if init.value.value.type == type
        and analysis.is_in_place(init)
        and not all(
            analysis.is_allocation(memory) or _is_donated(memory)
            for memory in analysis.memory_of(init.value.value)
        )
    ]


def _is_donated(memory: SSAValue) -> bool:
    """Whether the memory is an argument of the function that is donated for a result."""
    if not isinstance(memory, BlockArgument):
        return False
    function = memory.block.parent_op()
    return (
        isinstance(function, func.FuncOp)
        and memory.block.prev_block is None
        and memory.index in donated_arguments(function).values()
    )


def swap(loop: Operation, swaps: Sequence[Swap], changes: Changes) -> None:
    """Let the loop carry second buffers, after copies of what callers keep."""
    types = [s.like.type for s in swaps]
    builder = changes.builder(loop)
    second = [empty_like(s.like, builder) for s in swaps]
    values: dict[SSAValue, SSAValue] = {}
    clone = loop.clone(values)
    for index in {index for s in swaps for index in s.kept}:
        init = loop.operands[index]
        clone.operands[index] = builder.insert(
            AllocTensorOp(init.type, copy=init)
        ).tensor
    clones = dict(zip(walk([loop]), walk([clone]), strict=True))
    new = with_added_results(clone, second, types)
    # Its regions are those of the new op.
    clone.operands = ()
    added = {
        region: [
            region.block.insert_arg(type, len(region.block.args)) for type in types
        ]
        for region in new.regions
    }
    for end in exits(new):
        own = added[region_of(end)]
        end.operands = [
            *end.operands,
            *(
                values[s.argument] if clones[s.terminator] is end else argument
                for s, argument in zip(swaps, own, strict=True)
            ),
        ]
    for index, s in enumerate(swaps):
        argument = added[region_of(clones[s.terminator])][index]
        for use in s.uses:
            user = clones[use.operation]
            empty = user.operands[use.index]
            user.operands[use.index] = argument
            if empty.first_use is None and isinstance(empty.owner, Operation):
                Rewriter.erase_op(empty.owner)
    builder.insert(new)
    for result, replacement in zip(loop.results, new.results, strict=False):
        changes.replace_uses(result, replacement)
        replacement.name_hint = result.name_hint
    changes.remove(loop)


MIN_BYTES = 64
"""A loop that copies fewer bytes in each iteration is left as it is."""


class CopyingLoop(NamedTuple):
    """A loop in which two buffers can take turns."""

    op: Operation
    swaps: Sequence[Swap]
    """The tensors that are swapped; none if the loop is unrolled."""

    def in_own_memory(self) -> CopyingLoop | None:
        """The loop, without what starts in memory that callers keep; `None` if that is all."""
        swaps = [s for s in self.swaps if not s.kept]
        return self._replace(swaps=swaps) if swaps or not self.swaps else None

    def rewrite(self, changes: Changes) -> None:
        """Let two buffers take turns."""
        if isinstance(self.op, scf.ForOp) and not self.swaps:
            unroll(self.op, changes)
        else:
            swap(self.op, self.swaps, changes)


def copying_loops(program: AnalysedModule) -> Iterator[CopyingLoop]:
    """The loops that copy what they compute, without those that have others within them."""
    forwarded = by_terminator(program.decisions.forwarded_copies)
    found: dict[Operation, CopyingLoop] = {}
    for analysis in program.analyses:
        for info in analysis.program.ops:
            loop = info.op.parent_op()
            copies = forwarded.get(info.op, ())
            if loop is not None:
                copying = _copying_loop(analysis, loop, info.op, copies)
                if copying is not None:
                    found[loop] = copying
            for swapping in _swapping_loops(analysis, info.op, copies):
                if swapping.body.block.last_op not in forwarded:
                    found.setdefault(swapping, CopyingLoop(swapping, ()))
    around = {outer for loop in found for outer in ancestors(loop) if outer is not loop}
    for loop, copying in found.items():
        if loop not in around:
            yield copying


def _copying_loop(
    analysis: OneShotAnalysis,
    loop: Operation,
    op: Operation,
    copies: Sequence[ForwardedCopy],
) -> CopyingLoop | None:
    """The loop around the op, if the op makes such copies, and forwards some of them."""
    new = [c for c in copies if _is_new(analysis, loop, op.operands[c.operand])]
    if isinstance(loop, scf.ForOp) and (new or _inserts_new(analysis, loop, op)):
        if can_be_unrolled(loop):
            return CopyingLoop(loop, ())
    swaps = [s for c in new if (s := swap_of(analysis, loop, c)) is not None]
    return CopyingLoop(loop, swaps) if swaps else None


def _swapping_loops(
    analysis: OneShotAnalysis, op: Operation, copies: Sequence[ForwardedCopy]
) -> Iterator[scf.ForOp]:
    """The loops whose results the op copies, as they may be in another buffer."""
    for copy in copies:
        value = op.operands[copy.operand]
        if (
            isinstance(value, OpResult)
            and isinstance(loop := value.op, scf.ForOp)
            and not analysis.is_equivalent(value, loop.iter_args[value.index])
            and _is_carried(analysis, loop, value)
            and can_be_unrolled(loop)
        ):
            yield loop


def _inserts_new(analysis: OneShotAnalysis, loop: scf.ForOp, op: Operation) -> bool:
    """Whether the op copies a new tensor into what the loop carries."""
    insertion = SubsetInsertionOpInterface.of(op)
    return (
        insertion is not None
        and is_copied(analysis, op)
        and _is_new(analysis, loop, op.operands[insertion.source_operand(op)])
        and not analysis.memory_of(insertion.container(op)).isdisjoint(
            loop.body.block.args
        )
    )


def _is_new(analysis: OneShotAnalysis, loop: Operation, value: SSAValue) -> bool:
    """
    Whether each iteration computes the tensor, which is not small and always of one size, in new
    memory.
    """
    return _is_carried(analysis, loop, value) and all(
        analysis.is_allocation(memory)
        and isinstance(memory.owner, Operation)
        and loop.is_ancestor(memory.owner)
        for memory in analysis.memory_of(value)
    )


def _is_carried(analysis: OneShotAnalysis, loop: Operation, value: SSAValue) -> bool:
    """Whether the tensor is not small, and of the same size in each iteration of the loop."""
    sizes = BufferBytes(layout_at(value), lambda: sizes_in(analysis.program))
    size = sizes.of(value)
    return (
        size is not None
        and assumed(size) >= MIN_BYTES
        and not any(loop.is_ancestor(block_of(s.value)) for s in size.symbols)
    )


_UPPER_BOUND, _STEP = 1, 2
"""The indices of these operands of a `scf.for`."""


def can_be_unrolled(loop: scf.ForOp) -> bool:
    """Whether `unroll` can take the loop, and its body is short."""
    numbers = induction_range(loop.body.block.args[0])
    return (
        numbers is not None
        and len(numbers) > 1
        and MAX_UNROLLED_OPS.within(walk(loop.body.block.ops)) is not None
    )


def unroll(loop: scf.ForOp, changes: Changes) -> None:
    """Compute two iterations of the loop in one."""
    body = loop.body.block
    variable, end = body.args[0], terminator_of(body)
    numbers = induction_range(variable)
    assert numbers is not None
    ops = [op for op in body.ops if op is not end]
    if len(numbers) % 2:
        _compute_last(loop, ops, end, numbers[-1], changes)
    before = changes.builder(loop)
    within = changes.builder(end)
    second = within.insert(arith.AddiOp(variable, loop.step)).result
    values = _values(body, second, end.operands)
    _clone(ops, values, within)
    for index, yielded in enumerate(end.operands):
        changes.set_operand(end, index, values.get(yielded, yielded))
    step = before.insert(_constant(2 * numbers.step, variable)).result
    changes.set_operand(loop, _STEP, step)


def _compute_last(
    loop: scf.ForOp,
    ops: Sequence[Operation],
    end: Operation,
    number: int,
    changes: Changes,
) -> None:
    """Compute the last iteration, whose number is given, after the loop."""
    uses = [[*result.uses] for result in loop.results]
    before = changes.builder(loop)
    after = changes.builder(loop, InsertPoint.after(loop))
    last = before.insert(_constant(number, loop.body.block.args[0])).result
    changes.set_operand(loop, _UPPER_BOUND, last)
    values = _values(loop.body.block, last, loop.results)
    _clone(ops, values, after)
    for yielded, used in zip(end.operands, uses, strict=True):
        for use in used:
            changes.set_operand(use.operation, use.index, values.get(yielded, yielded))


def _values(
    body: Block, number: SSAValue, carried: Iterable[SSAValue]
) -> dict[SSAValue, SSAValue]:
    """By argument of the body: its value in the iteration of that number."""
    return dict(zip(body.args, (number, *carried), strict=True))


def _constant(number: int, like: SSAValue) -> arith.ConstantOp:
    """The number in the type of an induction variable."""
    type = like.type
    assert isinstance(type, IndexType | IntegerType)
    return arith.ConstantOp(IntegerAttr(number, type))


def _clone(
    ops: Sequence[Operation], values: dict[SSAValue, SSAValue], builder: Builder
) -> None:
    """Insert clones of the ops, and note in `values` what takes the place of their results."""
    for op in ops:
        builder.insert(op.clone(values))
