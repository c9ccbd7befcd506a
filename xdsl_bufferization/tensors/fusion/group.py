"""
A structured op, the *root*, and the producers whose elements it is to compute itself.

    %p = linalg.generic {(i, j) -> (i, j), ...} ins(%a) ...   // a member: at (d1, d0)
    %r = linalg.generic {(d0, d1) -> (d1, d0), ...} ins(%p) ... // the root

Each member is a producer together with the map from the root's loops to its own. So a producer
that is read through two maps is two members, and what it computes is computed twice. Producers
are added from the root up; each takes time in proportion to its operands.

Invariant: each loop of the root is an index of an operand that is left.

Source: mlir's `areElementwiseOpsFusable` and `fuseElementwiseOps`,
https://mlir.llvm.org/docs/Dialects/Linalg/

Structured ops on tensors as loops: which element of each operand an iteration has.

    linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)],
                    iterator_types = ["parallel", "parallel"]} ins(%a) outs(%b)
    // iteration (i, j) reads %a[j, i] and writes element [i, j] of the result

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.host.releases import (
    linalg_abstract_ops,
    linalg_attrs,
    linalg_ops,
    maps_of_parallel_loops,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.models.linalg.structured import is_permutation
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import has_encoding, is_memref_type
from xdsl_bufferization.tensors.effects import is_pure
from xdsl_bufferization.tensors.indexing_maps import dimensions_in, loops_at


class Loops(NamedTuple):
    """A structured op; see the module's docstring."""

    op: Operation
    maps: Sequence[AffineMap]
    """By operand: from the loops to the indices of the element."""
    iterators: Sequence[Attribute]
    """By loop: its iterator type."""
    num_inputs: int
    """The operands before the inits, one for each result."""

    @property
    def body(self) -> Block:
        """The computation of an iteration, on the elements of the operands."""
        return self.op.regions[0].block

    @property
    def is_parallel(self) -> bool:
        """Whether all loops are parallel."""
        parallel = linalg_attrs.IteratorTypeAttr.parallel()
        return all(kind == parallel for kind in self.iterators)

    def map_of_result(self, result: OpResult) -> AffineMap:
        """From the loops to the indices of the element of the result."""
        return self.maps[self.num_inputs + result.index]


def loops_of(op: Operation) -> Loops | None:
    """The loops of a structured op on ranked tensors; `None` for other ops."""
    style = DestinationStyleOpInterface.of(op)
    if (
        style is None
        or not op.results
        or not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
        # A copy is asked for.
        or op_name(op) == "linalg.copy"
        or any(
            is_memref_type(value.type) or has_encoding(value.type)
            for value in (*op.operands, *op.results)
        )
    ):
        return None
    num_inputs = len(op.operands) - len(style.inits(op))
    if len(op.operands) - num_inputs != len(op.results):
        return None
    if isinstance(op, linalg_ops.GenericOp):
        # A library expects the operands as they are.
        if op.library_call is not None:
            return None
        maps, iterators = op.indexing_maps, [*op.iterator_types]
    else:
        maps = maps_of_parallel_loops(op)
        if maps is None:
            return None
        parallel = linalg_attrs.IteratorTypeAttr.parallel()
        iterators = [parallel] * maps.data[0].data.num_dims
    found = [map.data for map in maps]
    if len(found) != len(op.operands) or any(map.num_symbols for map in found):
        return None
    return Loops(op, found, iterators, num_inputs)


def is_elementwise(loops: Loops) -> bool:
    """
    Whether another op can compute each element of the results where it needs it: the loops are
    parallel, the body has no side effects, and it reads an init only where it writes it.
    """
    return (
        loops.is_parallel
        and all(
            is_pure(op) and not op.regions
            for op in loops.body.ops
            if op is not loops.body.last_op
        )
        and all(
            argument.first_use is None or is_permutation(map)
            for argument, map in zip(
                loops.body.args[loops.num_inputs :],
                loops.maps[loops.num_inputs :],
                strict=True,
            )
        )
    )


@dataclass(eq=False)
class Member:
    """An op of a group."""

    loops: Loops
    map: AffineMap
    """From the loops of the root to those of the op."""
    sources: dict[int, tuple[Member, int]] = field(
        default_factory=dict[int, "tuple[Member, int]"]
    )
    """By input that is computed instead of read: the member that does so, and its result."""
    results: set[int] = field(default_factory=set[int])
    """The results that other members need."""

    @classmethod
    def of(cls, loops: Loops) -> Member:
        """The root of a group."""
        return cls(loops, AffineMap.identity(len(loops.iterators)))

    def map_of(self, operand: int) -> AffineMap:
        """From the loops of the root to the indices of an operand's element."""
        return self.loops.maps[operand].compose(self.map)

    def reads(self) -> Iterator[int]:
        """The operands whose elements the group reads."""
        arguments = self.loops.body.args
        for index in range(len(self.loops.maps)):
            if index < self.loops.num_inputs:
                if index not in self.sources:
                    yield index
            elif arguments[index].first_use is not None:
                yield index


class Read(NamedTuple):
    """A use of a tensor by a member."""

    reader: Member
    operand: int

    @property
    def value(self) -> SSAValue:
        """The tensor that it is."""
        return self.reader.loops.op.operands[self.operand]

    @property
    def map(self) -> AffineMap:
        """From the loops of the root to the indices of its element."""
        return self.reader.map_of(self.operand)

    @property
    def is_input(self) -> bool:
        """Whether it is an input, not an init."""
        return self.operand < self.reader.loops.num_inputs

    @property
    def is_read(self) -> bool:
        """Whether the element is needed, not only overwritten."""
        return self.is_input or self.is_needed(self.reader.loops, self.operand)

    @staticmethod
    def is_needed(loops: Loops, operand: int) -> bool:
        """Whether the body uses the element of an operand."""
        return loops.body.args[operand].first_use is not None


class Group:
    """
    The members of a group, the root first. If the root overwrites the result of one of the ops
    that are `left`, it overwrites the init of that instead.
    """

    def __init__(self, root: Loops, left: AbstractSet[Operation] = frozenset()):
        self._left = left
        self.root = Member.of(root)
        self.members: list[Member] = [self.root]
        self._by_place: dict[tuple[Operation, AffineMap], Member] = {}
        self._bounds: Counter[int] = Counter(
            d for map in root.maps for d in dimensions_in(map)
        )
        """By loop of the root: of how many operands it is an index as it is."""

    @property
    def producers(self) -> list[Operation]:
        """The ops that are fused, each once."""
        return [*dict.fromkeys(member.loops.op for member in self.members[1:])]

    def fuse(self, reads: Sequence[Read]) -> Member | None:
        """
        Compute what inputs of members are instead of reading them, given inputs that are one
        tensor, read through one map. Returns the member that does so if it is new; `None` if
        there was one already, or if they cannot be computed.
        """
        value, read = reads[0].value, reads[0].map
        loops = producer_of(value, self.root.loops.op)
        if loops is None or not isinstance(value, OpResult):
            return None
        map = loops_at(loops.map_of_result(value), read)
        if map is None:
            return None
        former = self._by_place.get((loops.op, map))
        member = former or Member(loops, map)
        if not self._rebound(read, len(reads), None if former else member):
            return None
        member.results.add(value.index)
        for reader, operand in reads:
            reader.sources[operand] = member, value.index
        if former is not None:
            return None
        self._by_place[loops.op, map] = member
        self.members.append(member)
        return member

    def init(self, index: int) -> tuple[SSAValue, bool]:
        """
        The init of the group for a result of the root: that of a producer whose result the root
        overwrites, and whether it is that.
        """
        fused = {*self.producers} | self._left
        root = self.root.loops
        is_read = root.body.args[root.num_inputs + index].first_use is not None
        value = own = root.op.operands[root.num_inputs + index]
        while not is_read and isinstance(value, OpResult) and value.op in fused:
            inits = len(value.op.operands) - len(value.op.results)
            value = value.op.operands[inits + value.index]
        return value, value is not own

    def _rebound(self, dropped: AffineMap, times: int, new: Member | None) -> bool:
        """
        Count the operands that a new member reads, and some that are not read any more; returns
        whether each loop of the root is an index of one that is left.
        """
        bounds = self._bounds.copy()
        if new is not None:
            for index in new.reads():
                bounds.update(dimensions_in(new.map_of(index)))
        for d in dimensions_in(dropped):
            bounds[d] -= times
        if any(bounds[d] <= 0 for d in range(len(self.root.loops.iterators))):
            return False
        self._bounds = bounds
        return True


def producer_of(value: SSAValue, reader: Operation) -> Loops | None:
    """
    The elementwise op that computes the tensor, if it is one of the reader's block: from around a
    loop, it would be computed in each iteration.
    """
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not reader.parent:
        return None
    loops = loops_of(owner)
    return loops if loops is not None and is_elementwise(loops) else None
