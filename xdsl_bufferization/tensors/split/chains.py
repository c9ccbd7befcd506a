"""
Chains of ops that one loop over parts can compute together.

    %p = linalg.matmul ins(%x, %w) outs(%zero)       // [128, 512]
    %q = linalg.exp ins(%p) outs(%e)
    %r = linalg.matmul ins(%q, %v) outs(%s)          // sums over the 512

Columns of `%p` need columns of `%w` only, columns of `%q` the same columns of `%p`, and `%r` sums
over them: along the second dimension of `%p`, all three form a chain.

Invariant: each op of a chain computes, in each part, a part of the iterations of one of its loops;
together they are all of its iterations, each once. A result within the chain has no use outside
of it. So the loop computes nothing twice.

A chain is found in time proportional to its ops; it has at most `MAX_SPLIT_CHAIN` of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.loop_like import LoopNest, LoopNestOpInterface
from xdsl_bufferization.support.limits import MAX_SPLIT_CHAIN
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    is_tensor,
    ranked_shape,
)
from xdsl_bufferization.tensors.effects import is_pure


class Link(NamedTuple):
    """An op of a chain, and the loop of it that is computed in parts."""

    op: Operation
    nest: LoopNest
    loop: int
    init: int
    """The index of its only init."""

    def dimensions(self, operand: int) -> Sequence[int]:
        """The dimensions of an operand that the parts of the loop divide, too."""
        return self.nest.dimensions(operand, self.loop)

    @property
    def is_sum(self) -> bool:
        """Whether all parts of the loop are summed up in one result."""
        return self.loop in self.nest.reductions


class Chain(NamedTuple):
    """Ops of one block, in their order; only the last one's result is used elsewhere."""

    links: Sequence[Link]
    extent: int
    """The number of iterations of the loop that is computed in parts."""

    @property
    def last(self) -> Link:
        """The op whose result the chain is for."""
        return self.links[-1]

    @property
    def results(self) -> Mapping[SSAValue, Link]:
        """The links by their results."""
        return {link.op.results[0]: link for link in self.links}

    def external_tensors(self) -> Iterator[tuple[Link, int, SSAValue]]:
        """The tensors that links have as operands, and that no link computes."""
        results = self.results
        for link in self.links:
            for index, value in enumerate(link.op.operands):
                if is_tensor(value) and value not in results:
                    yield link, index, value


def chain_through(value: OpResult, dimension: int) -> Chain | None:
    """
    The chain along a dimension of a tensor that consists of the op that computes the tensor, the
    one op that uses it, those that follow, and those that only they need; `None` if there is none.
    """
    start = _link(value.op, value.op.results[0], dimension)
    following = start and _following(start)
    if start is None or following is None:
        return None
    links = {start.op: start, following.op: following}
    while not following.is_sum:
        if MAX_SPLIT_CHAIN.exceeded_by(len(links) + 1):
            break
        further = _following(following)
        if further is None:
            break
        following = links[further.op] = further
    if not _add_sources(links, following):
        return None
    return Chain(_in_order(links, following.op), ranked_shape(value)[dimension])


def _in_order(links: Mapping[Operation, Link], last: Operation) -> Sequence[Link]:
    """The links in the order of the block; that of the `last` op is the last one."""
    found: list[Link] = []
    op: Operation | None = last
    while op is not None and len(found) < len(links):
        if op in links:
            found.append(links[op])
        op = op.prev_op
    return found[::-1]


def _link(op: Operation, value: SSAValue, dimension: int) -> Link | None:
    """
    The op as a link that needs, or computes, parts of a tensor along the dimension; `None` if it
    is no such op.
    """
    model, style = LoopNestOpInterface.of(op), DestinationStyleOpInterface.of(op)
    if model is None or style is None or len(op.results) != 1 or op.parent is None:
        return None
    inits = style.inits(op)
    if len(inits) != 1 or not all(
        is_static_tensor(v.type) for v in (*op.operands, *op.results) if is_tensor(v)
    ):
        return None
    nest = model.loop_nest(op)
    # The op is computed later, and its parts one by one: nothing else may notice that.
    if nest is None or not all(map(is_pure, walk([op]))):
        return None
    index = inits[0] if value is op.results[0] else [*op.operands].index(value)
    if len(nest.operands[index]) <= dimension:
        return None
    loop = nest.operands[index][dimension]
    if loop is None or not nest.can_be_split(loop):
        return None
    link = Link(op, nest, loop, inits[0])
    # The result has one dimension of parts, or is a sum of them.
    if len(link.dimensions(inits[0])) != (0 if link.is_sum else 1):
        return None
    return link


def _following(link: Link) -> Link | None:
    """The one op that uses the result of a link, as a further link."""
    result = link.op.results[0]
    users = {use.operation for use in result.uses}
    (dimension,) = link.dimensions(link.init)
    if len(users) != 1:
        return None
    (user,) = users
    if user.parent is not link.op.parent:
        return None
    found = _link(user, result, dimension)
    if found is None or not _takes_parts(found, result, dimension):
        return None
    return found


def _takes_parts(link: Link, value: SSAValue, dimension: int) -> bool:
    """Whether each operand that is the value is needed part by part along this dimension only."""
    return all(
        [*link.dimensions(index)] == [dimension]
        and not (link.is_sum and index == link.init)
        for index, operand in enumerate(link.op.operands)
        if operand is value
    )


def _add_sources(links: dict[Operation, Link], last: Link) -> bool:
    """
    Add the ops whose results only the chain needs, part by part. Returns whether the chain is
    whole: no result but the last has a use outside of it.
    """
    todo = [*links.values()]
    while todo:
        link = todo.pop()
        for index, value in enumerate(link.op.operands):
            if (
                not isinstance(value, OpResult)
                or value.op in links
                or MAX_SPLIT_CHAIN.exceeded_by(len(links) + 1)
                or len(dimensions := link.dimensions(index)) != 1
                or {use.operation for use in value.uses} != {link.op}
                or value.op.parent is not link.op.parent
                or not _takes_parts(link, value, dimensions[0])
            ):
                continue
            source = _link(value.op, value, dimensions[0])
            if source is not None and not source.is_sum:
                links[source.op] = source
                todo.append(source)
    return all(
        use.operation in links
        for link in links.values()
        if link is not last
        for use in link.op.results[0].uses
    )
