"""
The links of a program: pairs of tensors that need no copy if they are in the same place.

    %r = linalg.exp ins(%x) outs(%t)               // UPDATE: %t and %r
    %s = tensor.extract_slice %r[0] [4] [1]        // VIEW: %s is in a part of %r's place
    %u = tensor.insert_slice %s into %w[4] [4] [1] // PART: %s is in a part of %u's place

If %r is in the place of %t, no copy is made for the init. A copy takes a link away. `Forwarding`
has what ops with regions, and their terminators, forward to block arguments and results.

`Sizes` has the bytes of tensors and of parts of them. A tensor of unknown size counts as 0 bytes,
so that all numbers are lower bounds:

    %s = tensor.insert %x into %t[%i] : tensor<?xf32>
    %o = tensor.extract %t[%j] : tensor<?xf32>    // needs %t, of 0 bytes

To ask only whether there is a copy, `UNKNOWN_IS_LARGE` counts it as more bytes than any tensor of
known size has. Numbers of bytes then mean nothing, except that `is_of_unknown_size` tells those
that no known size bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import exits, walk
from xdsl_bufferization.support.shaped_types import is_tensor, ranked_shape

_LARGE = 1 << 62
"""The bytes of a tensor of unknown size with `UNKNOWN_IS_LARGE`."""
_MAX_ELEMENT = 64
"""No element of a tensor of unknown size is taken for larger, in bytes."""


def size_of(value: SSAValue) -> int:
    """The bytes of a tensor; 0 if they are unknown."""
    return bytes_of_contents(value) or 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """The bytes of tensors, where those of unknown size have `unknown` bytes."""

    unknown: int

    def of(self, value: SSAValue) -> int:
        """The bytes of a tensor."""
        size = bytes_of_contents(value)
        return self.unknown if size is None else size

    def outside(self, part: Slice, whole: SSAValue) -> int:
        """The bytes of a tensor that are not in the part of it, at least."""
        sizes = [size for size in part.sizes if isinstance(size, int)]
        if len(sizes) < len(part.sizes):
            return 0
        size = bytes_of_contents(whole)
        if size is None:
            return max(0, self.unknown - _MAX_ELEMENT * prod(sizes))
        if not size:
            return 0
        element = size // prod(ranked_shape(whole))
        return max(0, size - element * prod(sizes))


UNKNOWN_IS_NOTHING = Sizes(0)
UNKNOWN_IS_LARGE = Sizes(_LARGE)


def is_of_unknown_size(size: int) -> bool:
    """Whether a number of bytes, with `UNKNOWN_IS_LARGE`, is that of a part of unknown size."""
    return size > _LARGE // 2


def common(a: int, b: int, whole: int) -> int:
    """How many bytes two parts of something have in common, at least."""
    return max(0, a + b - whole) if a and b else 0


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


class Forwarding:
    """The tensors that the ops forward, where all ways to block arguments are known."""

    def __init__(self, ops: Iterable[Operation]):
        self.sources: dict[SSAValue, list[SSAValue]] = {}
        """By block argument or result: all that it may be."""
        self.targets: dict[Operand, list[SSAValue]] = {}
        """
        By operand: the arguments of regions that start with it, or the results that a
        terminator forwards it to.
        """
        for op in ops:
            if op.regions:
                self._gather(op)

    def _gather(self, op: Operation) -> None:
        model = RegionBranchOpInterface.of(op)
        if model is None:
            return
        terminators = [*exits(op)]
        if not all(model.branches(op, last) for last in terminators):
            # Such as `scf.forall`, whose results are written by ops within.
            return
        for source in (op, *terminators):
            for branch in model.branches(op, source):
                for i, target in enumerate(branch.targets):
                    operand = Operand(source, branch.first + i)
                    if is_tensor(target) and operand.index < len(source.operands):
                        self.sources.setdefault(target, []).append(operand.value)
                        if isinstance(target, BlockArgument) == (source is op):
                            self.targets.setdefault(operand, []).append(target)
