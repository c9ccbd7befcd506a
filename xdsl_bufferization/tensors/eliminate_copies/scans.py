"""
Loops that read one tensor slice by slice, and write another one at the same places.

    %e = tensor.empty()
    %r = scf.for %i = ... iter_args(%ys = %e) {
      %x = tensor.extract_slice %xs[%i, 0] [1, 8] [1, 1]
      %y = ...                                                  // computed from %x
      %n = tensor.insert_slice %y into %ys[%i, 0] [1, 8] [1, 1]
      scf.yield %n

If `%xs` is dead after the loop, `%ys` may start as `%xs`, and `%x` is a slice of `%ys`: no
iteration writes what a later one reads. So slice after slice is computed in place.

Invariant: in each iteration the slices that are read of `%ys` are still those of `%xs`. What the
loop leaves as it was is `%xs` now instead of the former init, so that init is an empty tensor, or
the iterations together overwrite all of it and nothing else reads it:

    %m = tensor.extract_slice %ys[%j, 0] [1, 8] [1, 1]          // what %e is there would matter

Takes time linear in the ops of the loops' bodies: no more than `MAX_SCANNED_USES` uses of a tensor
are looked at, and no more than `MAX_SCANNED_TENSORS` tensors are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.loop_like import LoopLikeOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.one_shot.facts.slices import (
    induction_range,
    linear,
    may_overlap,
)
from xdsl_bufferization.support.limits import MAX_SCANNED_TENSORS, MAX_SCANNED_USES
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.copied_operands import remove_unused
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    may_be_overwritten,
)


def scan_in_place(rewriting: Rewriting, kept: AbstractSet[SSAValue]) -> None:
    """
    Let loops start with the tensor that they read slice by slice, unless that is one of those in
    memory that callers have `kept`.
    """
    analysis = rewriting.analysis
    scans = _Scans(analysis, kept)
    for info in analysis.program.ops:
        if not isinstance(loop := info.op, scf.ForOp):
            continue
        for init in info.operands:
            edit = Edit(EditKind.SCAN_IN_PLACE, loop, init.index)
            if rewriting.admits(edit) and (scan := scans.find(loop, init)):
                scan.rewrite(rewriting.changes)
                rewriting.edits.add(edit)


class _Scan(NamedTuple):
    """A loop that reads a tensor slice by slice, and carries one that it may start as."""

    init: TensorOperand
    argument: BlockArgument
    source: SSAValue
    extractions: Sequence[Operation]

    def rewrite(self, changes: Changes) -> None:
        """Start with the source, and read its slices from the argument."""
        loop, index = self.init.owner.op, self.init.index
        former = loop.operands[index]
        changes.set_operand(loop, index, self.source)
        remove_unused(former, changes)
        for op in self.extractions:
            changes.set_operand(op, op.operands.index(self.source), self.argument)


class _Scans:
    """Finds scans, given decisions about the program as it was before these are rewritten."""

    def __init__(self, analysis: OneShotAnalysis, kept: AbstractSet[SSAValue]):
        self._analysis = analysis
        self._kept = kept
        self._sources: dict[scf.ForOp, dict[Attribute, list[SSAValue]]] = {}

    def find(self, loop: scf.ForOp, init: TensorOperand) -> _Scan | None:
        """The tensor that the loop may start with instead of the init, and where it is read."""
        carried = LoopLikeOpInterface.expect(loop).carried(loop, init.index)
        if carried is None or carried.yielded is None:
            return None
        argument = carried.argument
        insertions = _insertions(carried.yielded, argument)
        if not insertions:
            return None
        written = [subset for _, subset in insertions]
        if init.value.definitions and not (
            _are_only_uses(argument, insertions)
            and _overwrite_all(loop, ranked_shape(argument), written)
        ):
            return None
        sources = self._read_in(loop).get(argument.type, ())
        for source in MAX_SCANNED_TENSORS.first(sources):
            extractions = _extractions(loop, source, written)
            if extractions and self._is_free(init.owner, source):
                self._read_in(loop)[argument.type].remove(source)
                return _Scan(init, argument, source, extractions)
        return None

    def _read_in(self, loop: scf.ForOp) -> dict[Attribute, list[SSAValue]]:
        """By type, the tensors before the loop that its body reads slices of."""
        if loop not in self._sources:
            found = dict.fromkeys(
                source
                for op in loop.body.block.ops
                if (extraction := SubsetExtractionOpInterface.of(op)) is not None
                and block_of(source := extraction.container(op)) is loop.parent
            )
            by_type: dict[Attribute, list[SSAValue]] = {}
            for source in found:
                by_type.setdefault(source.type, []).append(source)
            self._sources[loop] = by_type
        return self._sources[loop]

    def _is_free(self, loop: OpInfo, source: SSAValue) -> bool:
        """Whether the memory of the source may be written, and is not read after the loop."""
        analysis = self._analysis
        value = analysis.program.values.get(source)
        return (
            value is not None
            and may_be_overwritten(analysis, value, self._kept)
            and all(
                loop.encloses(live_range.read.position)
                for live_range in analysis.alias_sets.find(value).ranges.overlapping(
                    loop.exit, loop.exit
                )
            )
        )


def _insertions(
    value: SSAValue, argument: BlockArgument
) -> Sequence[tuple[Operation, Slice]]:
    """
    The insertions in the body that make the yielded value from the argument, the last first,
    and what they overwrite; none if it is made in another way.
    """
    found: list[tuple[Operation, Slice]] = []
    while value is not argument:
        op = value.owner
        if not isinstance(op, Operation) or op.parent is not argument.block:
            return ()
        model = SubsetInsertionOpInterface.of(op)
        if model is None or not isinstance(subset := model.subset(op), Slice):
            return ()
        found.append((op, subset))
        value = model.container(op)
    return found


def _are_only_uses(
    argument: BlockArgument, insertions: Sequence[tuple[Operation, Slice]]
) -> bool:
    """Whether nothing but the insertions uses the argument, and what they make of it."""
    return argument.has_one_use() and all(
        result.has_one_use() for op, _ in insertions for result in op.results
    )


def _overwrite_all(
    loop: scf.ForOp, shape: Sequence[int], slices: Sequence[Slice]
) -> bool:
    """Whether one of the slices, in all iterations together, is all of a tensor of the shape."""
    variable = loop.body.block.args[0]
    numbers = induction_range(variable)
    return numbers is not None and any(
        all(stride == 1 for stride in part.strides)
        and all(
            (offset == 0 and size == length)
            or _passes_over(offset, size, length, variable, numbers)
            for offset, size, length in zip(
                part.offsets, part.sizes, shape, strict=True
            )
        )
        and sum(linear(offset).base is variable for offset in part.offsets) == 1
        for part in slices
    )


def _passes_over(
    offset: SSAValue | int,
    size: SSAValue | int,
    length: int,
    variable: SSAValue,
    numbers: range,
) -> bool:
    """Whether slices of one dimension, one for each number, are all of it."""
    start = linear(offset)
    return (
        start.base is variable
        and isinstance(size, int)
        and start.factor * numbers[0] + start.constant == 0
        and 0 < start.factor * numbers.step <= size
        and start.factor * numbers[-1] + start.constant + size >= length
    )


def _extractions(
    loop: scf.ForOp, source: SSAValue, written: Sequence[Slice]
) -> Sequence[Operation]:
    """
    The ops that read slices of the source in the loop, before any iteration writes these; none
    if something else there uses it.
    """
    uses = MAX_SCANNED_USES.within(source.uses)
    if uses is None:
        return ()
    found: list[Operation] = []
    for op in (use.operation for use in uses if loop.is_ancestor(use.operation)):
        model = SubsetExtractionOpInterface.of(op)
        read = None if model is None else model.subset(op)
        if not isinstance(read, Slice) or any(
            may_overlap(read, changed, loop) for changed in written
        ):
            return ()
        found.append(op)
    return found
