"""
Which ops of a block have to stay in their order, for the program to compute the same and for the
decisions to stay right.

    %b = linalg.exp ins(%x) outs(%e)    // uses %e: stays after it
    %c = linalg.fill ins(%f) outs(%x)   // in place, writes what %b is computed from: stays after %b
    func.call @f(%i)                    // stays in its order with other calls

1. An op depends on those that define its operands, or operands of ops in its regions.
2. Ops that write memory of an alias set stay in their order with all that read or write it, unless
   the slices are disjoint. Alias sets are those of the decisions; an operand out of place
   only reads.
3. Ops with side effects, or on memrefs, stay in their order. Nothing moves across ops that only
   have an effect, such as `cf.assert`. If tensors may be in memory that the program refers to as
   memrefs, nothing moves across ops that access memory.

Takes time linear in the ops and operands of the block, those in regions included, times the number
of slices of one alias set, at most `MAX_ACCESSED_SLICES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.slices import When, may_overlap
from xdsl_bufferization.support.limits import MAX_ACCESSED_SLICES, MAX_WAITING_READERS
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor
from xdsl_bufferization.tensors.op_order import is_pure, may_access_memory

_Part: TypeAlias = "tuple[ValueInfo, Slice | None] | None"
"""A tensor and a slice of its buffer, or all of it; `None` for all memory of an alias set."""


@dataclass(slots=True)
class _Accesses:
    """Who has accessed one slice, or all of the memory of an alias set."""

    writer: int | None = None
    """The last op that has written it."""
    readers: list[int] = field(default_factory=list[int])
    """The ops that have read it since."""


def data_dependences(block: Block) -> Sequence[set[int]]:
    """
    By op of the block: the numbers of the ops that define its operands, or operands of ops in
    its regions. All of its dependences (`Dependences`) are these and others.
    """
    ops = [*block.ops]
    numbers: dict[Operation | Block, int] = {op: n for n, op in enumerate(ops)}
    found: list[set[int]] = []
    for number, op in enumerate(ops):
        nested_ops = walk([op]) if op.regions else (op,)
        # Values that are defined in regions are not used outside.
        owners = {o.owner for nested in nested_ops for o in nested.operands}
        before = {n for o in owners if (n := numbers.get(o)) is not None}
        before.discard(number)
        found.append(before)
    return found


class Dependences:
    """
    The ops of a block in an analysed program, and which of them depend on others, given which
    depend on others for data.

    With `tensors_in_memory`, tensors may be memory that ops access as memrefs.
    """

    def __init__(
        self,
        block: Block,
        analysis: OneShotAnalysis,
        data: Sequence[set[int]],
        *,
        tensors_in_memory: bool,
    ):
        self._analysis = analysis
        self._tensors_in_memory = tensors_in_memory
        self.ops: Sequence[Operation] = [*block.ops]
        """In their order, with the terminator."""
        self._before = [set(before) for before in data]
        self._parts: dict[ValueInfo, tuple[ValueInfo, Slice | None]] = {}
        self._accesses: dict[AliasSet, dict[_Part, _Accesses]] = {}
        self._find()

    def predecessors(self) -> Sequence[Iterable[int]]:
        """By op: the numbers of the ops that have to stay before it."""
        return self._before

    def _find(self) -> None:
        last_effect: int | None = None
        barrier: int | None = None
        for number, op in enumerate(self.ops):
            has_effect = is_barrier = False
            before = self._before[number]
            if barrier is not None:
                before.add(barrier)
            for nested in walk([op]):
                self._access(nested, number)
                is_nested_pure = is_pure(nested)
                has_effect |= not is_nested_pure
                is_barrier |= self._is_barrier(nested, is_pure=is_nested_pure)
            before.discard(number)
            if is_barrier:
                before.update(range(0 if barrier is None else barrier, number))
                barrier = number
            if has_effect:
                if last_effect is not None:
                    before.add(last_effect)
                last_effect = number

    def _is_barrier(self, op: Operation, *, is_pure: bool) -> bool:
        if self._tensors_in_memory and may_access_memory(op):
            return True
        return (
            not op.results
            and not is_pure
            and not any(
                is_tensor(operand) or is_memref_type(operand.type)
                for operand in op.operands
            )
        )

    # Memory -----------------------------------------------------------------------------

    def _access(self, op: Operation, number: int) -> None:
        """Note what the op, which is in that one of the block, reads and writes."""
        info = self._analysis.program.info(op)
        if info is None:
            return
        for operand in info.operands:
            writes = operand.writes and self._analysis.is_in_place(operand)
            # Undefined contents need not stay as they are.
            if writes or (operand.reads and operand.value.definitions):
                self._add_access(operand, number, writes=writes)

    def _add_access(self, operand: TensorOperand, number: int, *, writes: bool) -> None:
        alias_set = self._analysis.alias_sets.find(operand.value)
        accesses = self._accesses.setdefault(alias_set, {})
        part = self._accessed_part(operand, writes=writes)
        if part not in accesses and MAX_ACCESSED_SLICES.exceeded_by(len(accesses) + 1):
            part = None
        overlapping = [
            accessed
            for other, accessed in accesses.items()
            if part == other or _may_overlap(part, other)
        ]
        before = self._before[number]
        for accessed in overlapping:
            if accessed.writer is not None:
                before.add(accessed.writer)
            if writes:
                before.update(accessed.readers)
        if writes and any(
            MAX_WAITING_READERS.exceeded_by(len(a.readers)) for a in overlapping
        ):
            part = None
        if writes and part is None:
            self._cover_all(accesses, before)
        own = accesses.setdefault(part, _Accesses())
        if writes:
            own.writer = number
            own.readers.clear()
        else:
            own.readers.append(number)

    def _cover_all(self, accesses: dict[_Part, _Accesses], before: set[int]) -> None:
        """Let an op stay after all accesses so far, so that it stands for them."""
        for accessed in accesses.values():
            before.update(accessed.readers)
            if accessed.writer is not None:
                before.add(accessed.writer)
        accesses.clear()

    def _accessed_part(self, operand: TensorOperand, *, writes: bool) -> _Part:
        """The part of a buffer that the operand's op reads or writes."""
        root, part = self._part(operand.value)
        model, op = operand.owner.model, operand.owner.op
        if part is None and writes and model is not None:
            part = model.written_part(op, operand.index)
        return root, part

    def _part(self, value: ValueInfo) -> tuple[ValueInfo, Slice | None]:
        """The tensor whose buffer the tensor is in, and the slice of it that holds it."""
        chain: list[tuple[ValueInfo, Slice | None]] = []
        while (found := self._parts.get(value)) is None:
            source = self._source(value)
            if source is None:
                found = self._parts[value] = value, None
                break
            chain.append((value, source[1]))
            value = source[0]
        for value, part in reversed(chain):
            # Of slices of slices the outermost one is known.
            found = self._parts[value] = found[0], found[1] or part
        return found

    def _source(self, value: ValueInfo) -> tuple[ValueInfo, Slice | None] | None:
        """
        The tensor in whose buffer the tensor is, with the slice that it is; `None` if it is in
        a buffer of its own, or in one of several, or in an unknown part of one.
        """
        if value.owner is None or len(value.sources) != 1:
            return None
        ((source, alias),) = value.sources
        op = source.owner.op
        if source.owner is not value.owner or not self._analysis.is_in_place(source):
            return None
        if alias.relation is BufferRelation.EQUIVALENT:
            return None if op.regions and not alias.definite else (source.value, None)
        extraction = SubsetExtractionOpInterface.of(op)
        if extraction is None or extraction.container(op) is not source.value.value:
            return None
        part = extraction.subset(op)
        return (source.value, part) if isinstance(part, Slice) else None


def _may_overlap(a: _Part, b: _Part) -> bool:
    if a is None or b is None or a[0] is not b[0] or a[1] is None or b[1] is None:
        return True
    return may_overlap(a[1], b[1], When.SAME_ITERATION)
