"""
The links of a program: pairs of tensors that need no copy if they are in the same place.

    %r = linalg.exp ins(%x) outs(%t)               // UPDATE: %t and %r
    %s = tensor.extract_slice %r[0] [4] [1]        // VIEW: %s is in a part of %r's place
    %u = tensor.insert_slice %s into %w[4] [4] [1] // PART: %s is in a part of %u's place

If %r is in the place of %t, no copy is made for the init. A copy takes a link away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_tensor


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an op, by its index."""

    op: Operation
    index: int

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.index]


class LinkKind(Enum):
    """How the contents of two linked tensors relate."""

    VIEW = "view"
    """The result is the operand, or a part of it."""
    UPDATE = "update"
    """The result is the operand with other contents in a part, or computed from it."""
    PART = "part"
    """The operand is a part of the result."""


@dataclass(frozen=True, slots=True)
class Link:
    """An operand and a result that need no copy if they are in the same place."""

    operand: Operand
    result: SSAValue
    """For an insertion without results, the destination that it updates."""
    kind: LinkKind
    part: Slice | None = None
    """
    The part of the operand that the result is, or that is overwritten; or the part of the result
    that the operand is. `None` for all of it.
    """


class Links:
    """The links of the ops in `scope`, and which operands are read."""

    def __init__(self, scope: Iterable[Operation]):
        self.ops: Sequence[Operation] = [*walk(scope)]
        self._from_operand: dict[Operand, Link] = {}
        self.to_result: dict[SSAValue, list[Link]] = {}
        self.read_parts: dict[Operand, Slice | None] = {}
        """By operand that is read: the part of it, `None` for all of it."""
        for op in self.ops:
            self._gather(op)

    def link(self, operand: Operand) -> Link | None:
        """The link that starts with the operand, if one does."""
        return self._from_operand.get(operand)

    def operands(self, op: Operation) -> Iterator[Operand]:
        """The operands of an op that are tensors."""
        for index, value in enumerate(op.operands):
            if is_tensor(value):
                yield Operand(op, index)

    def _gather(self, op: Operation) -> None:
        model = BufferizableOpInterface.of(op)
        if model is None or not any(map(is_tensor, op.operands)):
            return
        links = [*_links(op, model)]
        for link in links:
            self._from_operand[link.operand] = link
            self.to_result.setdefault(link.result, []).append(link)
        if not _passes_on(op):
            self._gather_reads(op, model)

    def _gather_reads(self, op: Operation, model: BufferizableOpInterface) -> None:
        insertion = SubsetInsertionOpInterface.of(op)
        for operand in self.operands(op):
            if (
                operand not in self._from_operand
                and model.reads(op, operand.index, NOTHING_KNOWN)
                and (insertion is None or insertion.source_operand(op) == operand.index)
            ):
                self.read_parts[operand] = model.read_part(op, operand.index)


def _passes_on(op: Operation) -> bool:
    """Whether what the op does with tensors depends on regions, blocks or functions."""
    regions = RegionBranchOpInterface.of(op)
    return (
        isinstance(op, func.CallOp)
        or (regions is not None and bool(regions.branches(op, op)))
        or op.has_trait(IsTerminator, value_if_unregistered=False)
    )


def _links(op: Operation, model: BufferizableOpInterface) -> Iterator[Link]:
    if InsertionsOpInterface.of(op) is not None:
        for index, part in _insertions(op):
            yield Link(Operand(op, index), op.results[0], LinkKind.PART, part)
        return
    insertion = SubsetInsertionOpInterface.of(op)
    if insertion is not None:
        part = insertion.subset(op)
        destination = Operand(op, insertion.destination_operand(op))
        if isinstance(part, Slice) and is_tensor(destination.value):
            result = op.results[0] if op.results else destination.value
            source = Operand(op, insertion.source_operand(op))
            yield Link(source, result, LinkKind.PART, part)
            if op.results and model.reads(op, destination.index, NOTHING_KNOWN):
                yield Link(destination, result, LinkKind.UPDATE, part)
        return
    if op_name(op) == "bufferization.alloc_tensor":
        # A copy that is asked for; the contents are the same.
        copied = next(i for i, value in enumerate(op.operands) if is_tensor(value))
        yield Link(Operand(op, copied), op.results[0], LinkKind.VIEW)
        return
    extraction = SubsetExtractionOpInterface.of(op)
    if extraction is not None:
        part = extraction.subset(op)
        if isinstance(part, Slice) and is_tensor(op.operands[0]):
            yield Link(Operand(op, 0), op.results[0], LinkKind.VIEW, part)
        return
    if not op.regions or DestinationStyleOpInterface.of(op) is not None:
        yield from _other_links(op, model)


def _other_links(op: Operation, model: BufferizableOpInterface) -> Iterator[Link]:
    style = DestinationStyleOpInterface.of(op)
    for index, value in enumerate(op.operands):
        if not is_tensor(value):
            continue
        aliases = model.aliasing_values(op, index, NOTHING_KNOWN)
        if len(aliases) != 1 or aliases[0].value.owner is not op:
            continue
        (alias,) = aliases
        if alias.relation is not BufferRelation.EQUIVALENT or not alias.definite:
            continue
        if not model.writes(op, index, NOTHING_KNOWN):
            if len(op.results) == 1 and style is None:
                yield Link(Operand(op, index), alias.value, LinkKind.VIEW)
            continue
        part = model.written_part(op, index)
        if model.reads(op, index, NOTHING_KNOWN) and (part or style is not None):
            yield Link(Operand(op, index), alias.value, LinkKind.UPDATE, part)


def _insertions(op: Operation) -> Sequence[tuple[int, Slice]]:
    """
    The operands that an op puts together in its result, and their parts; none if they are
    not known.
    """
    model = InsertionsOpInterface.expect(op)
    block = Block()
    found: list[tuple[int, Slice]] = []
    if model.build_insertions(op, Builder(InsertPoint.at_end(block))) is not None:
        indices = {
            value: [i for i, other in enumerate(op.operands) if other is value]
            for value in op.operands
        }
        for new in block.ops:
            insertion = SubsetInsertionOpInterface.of(new)
            if insertion is None:
                continue
            source = new.operands[insertion.source_operand(new)]
            part = insertion.subset(new)
            if indices.get(source) and isinstance(part, Slice):
                found.append((indices[source].pop(0), part))
    for new in reversed([*block.ops]):
        Rewriter.erase_op(new)
    return found
