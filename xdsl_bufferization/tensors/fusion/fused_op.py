"""
One `linalg.generic` that does the work of a group.

Its inputs are the tensors that the members read, each element of them once; its body has the
bodies of the members, producers first; its inits and results are those of the root. A producer
that reads its init reads it as an input; where the root overwrites the result of a producer, it
overwrites the init of that. Each op is cloned once, so that the time is in
proportion to the ops of the group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from xdsl.builder import Builder
from xdsl.dialects import affine, arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.support.regions import terminator_of
from xdsl_bufferization.support.shaped_types import ranked_tensor
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import remove_unused
from xdsl_bufferization.tensors.fusion.group import Group, Member


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
    needed: set[Operation] = set()
    pending = [terminator.operands[index] for index in results]
    while pending:
        op = pending.pop().owner
        if (
            isinstance(op, Operation)
            and op.parent is terminator.parent
            and op not in needed
        ):
            needed.add(op)
            pending.extend(op.operands)
    return needed
