"""
The links of a program: pairs of tensors that need no copy if they are in the same place.

    %r = linalg.exp ins(%x) outs(%t)               // UPDATE: %t and %r
    %s = tensor.extract_slice %r[0] [4] [1]        // VIEW: %s is in a part of %r's place
    %u = tensor.insert_slice %s into %w[4] [4] [1] // PART: %s is in a part of %u's place

If %r is in the place of %t, no copy is made for the init. A copy takes a link away. `Links`
also has what ops with regions, and their terminators, forward to block arguments and results.

`Sizes` has the bytes of tensors and of parts of them. A tensor of unknown size counts as 0 bytes,
so that all numbers are lower bounds:

    %s = tensor.insert %x into %t[%i] : tensor<?xf32>
    %o = tensor.extract %t[%j] : tensor<?xf32>    // needs %t, of 0 bytes

To ask only whether there is a copy, `UNKNOWN_IS_LARGE` counts it as more bytes than any tensor of
known size has. Numbers of bytes then mean nothing, except that `is_of_unknown_size` tells those
that no known size bounds.

Bytes of each tensor that matter: *valuable* if neither undefined nor cheap to compute again, and
*needed* if an op reads them. Both are lower bounds.

    %e = tensor.empty() : tensor<8xf32>                   // 0 valuable bytes
    %z = linalg.fill ins(%f) outs(%e)                     // 0, as it can be filled again
    %m = linalg.exp ins(%x) outs(%z) : tensor<8xf32>      // 32
    %s = tensor.extract_slice %m[0] [2] [1]               // makes 8 bytes of %m needed

Valuable is a greatest fixed point over loops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import prod
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike, IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.interfaces.contents import (
    InsertionsOpInterface,
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.call_graph import is_function, is_return
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.limits import MAX_LOOP_ROUNDS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import exits, op_result, walk
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
    """The links of the ops in `scope`, which operands are read, and what ops forward."""

    def __init__(self, scope: Iterable[Operation]):
        self.ops: Sequence[Operation] = [*walk(scope)]
        self.operands = [
            Operand(op, index)
            for op in self.ops
            for index, value in enumerate(op.operands)
            if is_tensor(value)
        ]
        """The operands that are tensors."""
        self._from_operand: dict[Operand, Link] = {}
        self.to_result: dict[SSAValue, list[Link]] = {}
        self.read_parts: dict[Operand, Slice | None] = {}
        """By operand that is read: the part of it, `None` for all of it."""
        self.sources: dict[SSAValue, list[SSAValue]] = {}
        """
        By block argument or result to which tensors are forwarded: all that it may be, where all
        ways to block arguments are known.
        """
        self.targets: dict[Operand, list[SSAValue]] = {}
        """
        By operand: the arguments of regions that start with it, or the results that a
        terminator forwards it to.
        """
        for op in self.ops:
            self._gather(op)
            if op.regions:
                self._gather_forwarding(op)
        for operand in self.operands:
            self._gather_read(operand)

    def link(self, operand: Operand) -> Link | None:
        """The link that starts with the operand, if one does."""
        return self._from_operand.get(operand)

    def _gather(self, op: Operation) -> None:
        model = BufferizableOpInterface.of(op)
        if model is None or not any(map(is_tensor, op.operands)):
            return
        links = [*_links(op, model)]
        for link in links:
            self._from_operand[link.operand] = link
            self.to_result.setdefault(link.result, []).append(link)

    def _gather_read(self, operand: Operand) -> None:
        op, index = operand.op, operand.index
        model, insertion = (
            BufferizableOpInterface.of(op),
            SubsetInsertionOpInterface.of(op),
        )
        if (
            model is not None
            and operand not in self._from_operand
            and not _passes_on(op)
            and model.reads(op, index, NOTHING_KNOWN)
            and (insertion is None or insertion.source_operand(op) == index)
        ):
            self.read_parts[operand] = model.read_part(op, index)

    def _gather_forwarding(self, op: Operation) -> None:
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


NeededByCallee: TypeAlias = Callable[[func.CallOp, int], int]
"""The bytes that a function that is called needs of an argument."""


class Contents:
    """The bytes that matter of the tensors of a program."""

    def __init__(
        self,
        links: Links,
        needed_by_callee: NeededByCallee,
        sizes: Sizes,
    ):
        self._sizes = sizes
        self._links = links
        self._needed_by_callee = needed_by_callee
        self._is_cheap = cache(_is_cheap)
        self._valuable: dict[SSAValue, int] = {}
        self._needed: dict[SSAValue, int] = defaultdict(int)
        self._find_valuable()
        for operand in reversed(links.operands):
            value = operand.value
            self._needed[value] = max(self._needed[value], self.needed_by(operand))

    def valuable(self, value: SSAValue) -> int:
        """The bytes that are defined and that nothing but a copy or their op can make."""
        return self._valuable.get(value, 0)

    def needed(self, value: SSAValue) -> int:
        """The bytes that some op reads, or that are returned."""
        return self._needed.get(value, 0)

    def needed_by(self, operand: Operand) -> int:
        """The bytes of the operand that its op reads, or passes on to where they are needed."""
        op, value = operand.op, operand.value
        size = self._sizes.of(value)
        if (link := self._links.link(operand)) is not None:
            return min(size, self._needed_in_result(link, size))
        if is_return(op):
            return size
        if isinstance(op, func.CallOp):
            return min(size, self._needed_by_callee(op, operand.index))
        if operand in self._links.read_parts and self._is_used(op):
            part = self._links.read_parts[operand]
            return size if part is None else size - self._sizes.outside(part, value)
        targets = self._links.targets.get(operand, ())
        return min(size, max(map(self.needed, targets), default=0))

    def used(self, operand: Operand) -> int:
        """The bytes of the operand that are valuable and needed by its op."""
        value = operand.value
        return common(
            self.valuable(value), self.needed_by(operand), self._sizes.of(value)
        )

    def why_worthless(self, value: SSAValue) -> str:
        """
        Why no bufferization has to keep the contents of a tensor that is no view: a clause;
        empty if it is not known to be so.
        """
        if not isinstance(value, OpResult):
            return ""
        if self._is_cheap(value.op):
            return f"what {op_name(value.op)} computes is cheap to compute again"
        model = BufferizableOpInterface.of(value.op)
        if (
            model is not None
            and model.defines_contents(value.op, value) is False
            and not any(map(is_tensor, value.op.operands))
        ):
            return f"{op_name(value.op)} leaves the contents undefined"
        return ""

    def moved(self, link: Link) -> int:
        """
        The bytes of the operand that are valuable, needed in the result and the same there.
        """
        if link.kind is not LinkKind.UPDATE or link.part is None:
            return self.used(link.operand)
        value = link.operand.value
        outside = self._sizes.outside(link.part, value)
        needed = common(self.needed(link.result), outside, self._sizes.of(value))
        return common(self._kept(link), needed, outside)

    def is_lost(self, link: Link) -> bool:
        """Whether the op of the link overwrites something valuable of its operand."""
        value = link.operand.value
        kept = 0 if link.part is None else self._sizes.outside(link.part, value)
        return self.valuable(value) > kept

    # Needed ------------------------------------------------------------------------------

    def _needed_in_result(self, link: Link, size: int) -> int:
        if not link.operand.op.results:
            return size
        needed = self.needed(link.result)
        match link.kind:
            case LinkKind.VIEW:
                return needed
            case LinkKind.PART:
                return common(needed, size, self._sizes.of(link.result))
            case LinkKind.UPDATE:
                if link.part is None:
                    return size if self._is_used(link.operand.op) else 0
                return common(needed, self._sizes.outside(link.part, link.result), size)

    def _is_used(self, op: Operation) -> bool:
        return not op.results or any(
            self.needed(result) if is_tensor(result) else result.first_use is not None
            for result in op.results
        )

    # Valuable ----------------------------------------------------------------------------

    def _find_valuable(self) -> None:
        """A greatest fixed point: loops carry what is valuable in each iteration."""
        for op in self._links.ops:
            for value in _defined(op):
                self._valuable[value] = self._sizes.of(value)
        round, changed = 0, True
        while changed:
            changed = False
            round += 1
            for op in self._links.ops:
                for value in _defined(op):
                    found = self._value_of(value)
                    if found < self._valuable[value]:
                        carried = isinstance(value, BlockArgument)
                        if carried and MAX_LOOP_ROUNDS.exceeded_by(round):
                            found = 0
                        self._valuable[value] = found
                        changed = True

    def _value_of(self, value: SSAValue) -> int:
        if isinstance(value, BlockArgument):
            function = value.block.parent_op()
            if function is not None and is_function(function):
                first = function.regions[0].blocks.first
                return self._sizes.of(value) if value.block is first else 0
            return self._value_of_sources(value)
        result = op_result(value)
        if result.op.regions and result in self._links.sources:
            return self._value_of_sources(result)
        return min(self._sizes.of(result), self._value_of_result(result))

    def _value_of_sources(self, value: SSAValue) -> int:
        sources = self._links.sources.get(value, ())
        values = [self.valuable(source) for source in sources]
        return min((self._sizes.of(value), *values)) if values else 0

    def _value_of_result(self, result: OpResult) -> int:
        op = result.op
        if self._is_cheap(op):
            return 0
        links = self._links.to_result.get(result, ())
        if links and all(link.kind is LinkKind.VIEW for link in links):
            (link,) = links
            value = link.operand.value
            return common(
                self.valuable(value), self._sizes.of(result), self._sizes.of(value)
            )
        if any(link.kind is LinkKind.PART for link in links):
            return sum(map(self._kept, links))
        insertion = SubsetInsertionOpInterface.of(op)
        if insertion is not None:
            source = op.operands[insertion.source_operand(op)]
            return self.valuable(source) if is_tensor(source) else 0
        if any(link.part is not None for link in links):
            return sum(map(self._kept, links))
        return self._sizes.of(result) if _computes(op, result) else 0

    def _kept(self, link: Link) -> int:
        """The valuable contents of the operand that the result still has."""
        value = link.operand.value
        if link.kind is LinkKind.UPDATE and link.part is not None:
            outside = self._sizes.outside(link.part, value)
            return common(self.valuable(value), outside, self._sizes.of(value))
        return self.valuable(value)


def _is_cheap(op: Operation) -> bool:
    """Whether the contents of the results are cheap to compute again."""
    again = RematerializationOpInterface.of(op)
    return again is not None and again.bytes_read(op) is not None


def _computes(op: Operation, result: OpResult) -> bool:
    """Whether the op is known to compute what the result contains."""
    model = BufferizableOpInterface.of(op)
    if model is None or model.defines_contents(op, result) is False:
        return False
    style = DestinationStyleOpInterface.of(op)
    if style is not None:
        return True
    if op.regions and RegionBranchOpInterface.of(op) is not None:
        return False
    if op.has_trait(ConstantLike, value_if_unregistered=False):
        return True
    return model.allocates(op, result) or op.name == "bufferization.to_tensor"


def _defined(op: Operation) -> Iterator[SSAValue]:
    """The tensors that the op defines: its results and the arguments of its blocks."""
    for region in op.regions:
        for block in region.blocks:
            yield from filter(is_tensor, block.args)
    yield from filter(is_tensor, op.results)
