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

`Loops` are structured ops on tensors, with the element of each operand that an iteration has:

    linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)],
                    iterator_types = ["parallel", "parallel"]} ins(%a) outs(%b)
    // iteration (i, j) reads %a[j, i] and writes element [i, j] of the result

Source: https://mlir.llvm.org/docs/Dialects/Linalg/

`replace_by_fused_op` makes one `linalg.generic` that does the work of a group. Its inputs are the
tensors that the members read, each element of them once; its body has the bodies of the members,
producers first; its inits and results are those of the root. A producer that reads its init reads
it as an input; where the root overwrites the result of a producer, it overwrites the init of that.
Each op is cloned once, so that the time is in proportion to the ops of the group.

`fuse_elementwise_ops` fuses elementwise ops wherever nothing else needs their results. Ops are
visited from the last to the first; each takes over all producers that only it reads, and in turn
those that only they read. A producer is fused if all its uses are inputs of ops in the group, and
if all of them read it through one map: so no element is computed in two places. Time in proportion
to the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import affine, arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.host.releases import (
    linalg_abstract_ops,
    linalg_attrs,
    linalg_ops,
    maps_of_parallel_loops,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.models.linalg.structured import is_permutation
from xdsl_bufferization.support.limits import MAX_FUSED_USES
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import reachable, terminator_of, walk
from xdsl_bufferization.support.shaped_types import (
    has_encoding,
    is_memref_type,
    ranked_tensor,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_copies.copied_operands import remove_unused
from xdsl_bufferization.tensors.op_order import is_pure


def dimensions_in(map: AffineMap) -> Iterator[int]:
    """The loops that are results of the map as they are."""
    for result in map.results:
        if isinstance(result, AffineDimExpr):
            yield result.position


def loops_at(written: AffineMap, read: AffineMap) -> AffineMap | None:
    """
    From the loops of a reader to those of the op that has computed the element which it reads,
    given the map by which each of them has the tensor; `None` if that op writes an element other
    than once.
    """
    if written.num_symbols or written.num_dims != len(written.results):
        return None
    inverse = written.inverse_permutation()
    return None if inverse is None else inverse.compose(read)


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

    def reads(self, operand: int) -> bool:
        """Whether an iteration needs the element of the operand, not only overwrites it."""
        return (
            operand < self.num_inputs or self.body.args[operand].first_use is not None
        )

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
            is_permutation(loops.maps[init])
            for init in range(loops.num_inputs, len(loops.maps))
            if loops.reads(init)
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
        for index in range(len(self.loops.maps)):
            if index not in self.sources and self.loops.reads(index):
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
        operand = root.num_inputs + index
        is_read = root.reads(operand)
        value = own = root.op.operands[operand]
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


def replace_by_fused_op(group: Group, changes: Changes) -> Operation:
    """
    Put the op that does the work of the group in the place of its root, and remove the producers
    that nothing else needs. Returns the new op.
    """
    root = group.root.loops.op
    builder = changes.builder(root, InsertPoint.before(root))
    inits = [
        _own_empty(init, builder) if is_other else init
        for init, is_other in map(group.init, range(len(root.results)))
    ]
    generic = _Body(group).generic(inits)
    generic.attributes.update(root.attributes)
    builder.insert(generic)
    for former, result in zip(root.results, generic.results, strict=True):
        result.name_hint = former.name_hint
        changes.replace_uses(former, result)
    needed = [*root.operands, *(v for p in group.producers for v in p.results)]
    changes.remove(root)
    for value in needed:
        remove_unused(value, changes)
    return generic


def _own_empty(init: SSAValue, builder: Builder) -> SSAValue:
    """
    An init of a producer, as one of another op: that of its own if it is empty, so that no buffer
    is live between the two.
    """
    if isinstance(init.owner, tensor.EmptyOp):
        return builder.insert(init.owner.clone()).tensor
    return init


class _Body:
    """The body of the new op, and the tensors that it reads."""

    def __init__(self, group: Group):
        self._group = group
        self._block = Block()
        self._inputs: dict[tuple[SSAValue, AffineMap], SSAValue] = {}
        """By tensor and map: the argument that is its element."""
        self._yielded: dict[Member, Sequence[SSAValue]] = {}
        """By member whose body is there: the elements of its results."""

    def generic(self, inits: Sequence[SSAValue]) -> linalg_ops.GenericOp:
        """The op, given its inits; it is in no block yet."""
        root = self._group.root
        order = [*_producers_first(root)]
        for member in order:
            self._add_inputs(member)
        for type in root.loops.op.result_types:
            element = ranked_tensor(type).element_type
            self._block.insert_arg(element, len(self._block.args))
        for member in order:
            self._yielded[member] = self._clone(member)
        self._block.add_op(linalg_ops.YieldOp(*self._yielded[root]))
        maps = [read for _, read in self._inputs]
        maps += root.loops.maps[root.loops.num_inputs :]
        return linalg_ops.GenericOp(
            [value for value, _ in self._inputs],
            inits,
            Region(self._block),
            [*map(AffineMapAttr, maps)],
            [*root.loops.iterators],
            [*root.loops.op.result_types],
        )

    def _add_inputs(self, member: Member) -> None:
        """Add arguments for the tensors that the member reads, without inits of the root."""
        for index in member.reads():
            value = member.loops.op.operands[index]
            key = value, member.map_of(index)
            if (
                isinstance(value.type, TensorType)
                and key not in self._inputs
                and (member is not self._group.root or index < member.loops.num_inputs)
            ):
                element = value.type.element_type
                argument = self._block.insert_arg(element, len(self._block.args))
                argument.name_hint = member.loops.body.args[index].name_hint
                self._inputs[key] = argument

    def _clone(self, member: Member) -> Sequence[SSAValue]:
        """Add the body of a member, as far as it is needed; returns what it yields."""
        terminator = terminator_of(member.loops.body)
        elements: dict[SSAValue, SSAValue] = {
            argument: self._element(member, index)
            for index, argument in enumerate(member.loops.body.args)
            if argument.first_use is not None
        }
        is_root = member is self._group.root
        needed = None if is_root else _slice(terminator, member.results)
        for op in member.loops.body.ops:
            if op is terminator or not (needed is None or op in needed):
                continue
            if isinstance(op, linalg_ops.IndexOp) and not is_root:
                elements[op.result] = self._index(member.map.results[op.dim.value.data])
            else:
                self._block.add_op(op.clone(value_mapper=elements))
        return [elements.get(value, value) for value in terminator.operands]

    def _element(self, member: Member, index: int) -> SSAValue:
        """The element of an operand."""
        if index in member.sources:
            source, result = member.sources[index]
            return self._yielded[source][result]
        value = member.loops.op.operands[index]
        if not isinstance(value.type, TensorType):
            return value
        inits = index - member.loops.num_inputs
        if member is self._group.root and inits >= 0:
            return self._block.args[len(self._inputs) + inits]
        return self._inputs[value, member.map_of(index)]

    def _index(self, expression: AffineExpr) -> SSAValue:
        """A loop of a member, computed from those of the root."""
        if isinstance(expression, AffineDimExpr):
            return self._add(linalg_ops.IndexOp(expression.position))
        if isinstance(expression, AffineConstantExpr):
            number = IntegerAttr(expression.value, IndexType())
            return self._add(arith.ConstantOp(number))
        rank = len(self._group.root.loops.iterators)
        loops = [self._add(linalg_ops.IndexOp(d)) for d in range(rank)]
        computed = AffineMapAttr(AffineMap(rank, 0, (expression,)))
        return self._add(affine.ApplyOp(loops, computed))

    def _add(self, op: Operation) -> SSAValue:
        self._block.add_op(op)
        return op.results[0]


def _producers_first(root: Member) -> Iterator[Member]:
    """The members in an order in which each follows those that it needs."""
    seen = {root}
    stack = [(root, iter([root.sources[i] for i in sorted(root.sources)]))]
    while stack:
        member, sources = stack[-1]
        source = next(sources, None)
        if source is None:
            yield member
            stack.pop()
        elif source[0] not in seen:
            new = source[0]
            seen.add(new)
            stack.append((new, iter([new.sources[i] for i in sorted(new.sources)])))


def _slice(terminator: Operation, results: Iterable[int]) -> AbstractSet[Operation]:
    """The ops of the body that the results need."""

    def within(values: Iterable[SSAValue]) -> Iterator[Operation]:
        for value in values:
            owner = value.owner
            if isinstance(owner, Operation) and owner.parent is terminator.parent:
                yield owner

    computed = within(terminator.operands[index] for index in results)
    return reachable(computed, lambda op: within(op.operands)).keys()


def fuse_elementwise_ops(module: Operation) -> bool:
    """
    Let structured ops compute what elementwise ops have computed for them alone; returns whether
    any does.
    """
    changes = Changes()
    start = changes.position
    for op in reversed([*walk([module])]):
        if op.parent is None:
            continue
        loops = loops_of(op)
        if loops is None:
            continue
        group = exclusive_group(loops)
        if len(group.members) > 1:
            replace_by_fused_op(group, changes)
    return changes.position > start


def exclusive_group(root: Loops) -> Group:
    """The root with all producers that nothing outside of the group needs."""
    group = Group(root)
    uses: dict[Operation, _Uses] = {}
    pending = [group.root]
    while pending:
        reader = pending.pop()
        for operand, value in enumerate(reader.loops.op.operands):
            loops = producer_of(value, root.op)
            if loops is None:
                continue
            found = uses.setdefault(loops.op, _Uses(loops.op))
            found.add(Read(reader, operand))
            if found.are_all() and (member := group.fuse(found.reads)) is not None:
                pending.append(member)
    return group


class _Uses:
    """How the members of a group use what a producer computes."""

    def __init__(self, producer: Operation):
        uses = (use for result in producer.results for use in result.uses)
        found = MAX_FUSED_USES.within(uses)
        # One of too many is never known.
        self._left = MAX_FUSED_USES + 1 if found is None else len(found)
        self.reads: list[Read] = []

    def add(self, use: Read) -> None:
        """Note a use by a member."""
        self._left -= 1
        if use.reader.loops.reads(use.operand):
            self.reads.append(use)

    def are_all(self) -> bool:
        """Whether all uses are known, and those that read read one result through one map."""
        return (
            not self._left
            and bool(self.reads)
            and len({(read.value, read.map) for read in self.reads}) == 1
            and all(read.is_input for read in self.reads)
        )
