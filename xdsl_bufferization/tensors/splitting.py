"""
Chains of ops computed part by part, so that what one passes to the next is never there as a whole:
they are split at the peak, as long as the peak falls.

In each round, the tensors that are live at a peak and have one use are candidates, the largest
first. The chain of the first one with which the function gets better is computed in parts: its peak
is lower, or as high at fewer places. All dimensions and destinations are tried, the best is taken,
and the others are undone. A round tries about `MAX_SPLIT_TRIALS` programs, and costs are computed
from decisions, so the time is that of as many analyses.

A chain of ops, put into a loop over parts.

    %p = linalg.matmul ins(%x, %w) outs(%zero)
    %r = linalg.add ins(%p, %y) outs(%e)

becomes, along the rows and with `%y` as the destination,

    %r = scf.for %i = %c0 to %c128 step %c16 iter_args(%t = %y) {
      %a = tensor.extract_slice %x[%i, 0] [16, 64] [1, 1]
      %b = tensor.extract_slice %zero[%i, 0] [16, 32] [1, 1]
      %c = linalg.matmul ins(%a, %w) outs(%b)
      %d = tensor.extract_slice %t[%i, 0] [16, 32] [1, 1]     // still what %y had
      %f = linalg.add ins(%c, %d) outs(%d)
      %g = tensor.insert_slice %f into %t[%i, 0] [16, 32] [1, 1]
      scf.yield %g
    }

The *destination* is the tensor that the loop starts with. Each part overwrites its elements, and
reads none of another part, so any tensor of the type does, one that is read in the chain included.

One loop over parts can compute a chain of ops together:

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
    on_other_operands,
)
from xdsl_bufferization.interfaces.loop_like import LoopNest, LoopNestOpInterface
from xdsl_bufferization.support.attributes import slice_op
from xdsl_bufferization.support.limits import (
    MAX_SPLIT_CHAIN,
    MAX_SPLIT_CHAINS,
    MAX_SPLIT_TENSORS,
    MAX_SPLIT_TRIALS,
)
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    is_tensor,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.costs import Costs, DecidedFunction
from xdsl_bufferization.tensors.op_order import is_pure
from xdsl_bufferization.tensors.search import Candidates, Score, lower_peaks


def split_at_peak(program: AnalysedModule, max_parts: int) -> None:
    """
    Split chains of an analysed module in at most so many parts each, where the peak of a function
    falls and it copies and moves no more.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if any(isinstance(op, (ToTensorOp, ToBufferOp)) for op in walk([program.module])):
        # Memory may be written between the place of an op and that of its chain.
        return
    split = _Split(max_parts)
    lower_peaks(
        program,
        program.remember(Costs).keys(),
        MAX_SPLIT_CHAINS.steps(),
        split.candidates,
        _height,
        split.apply,
        undo_last=True,
    )


class _Split:
    """Splits chains of functions."""

    def __init__(self, max_parts: int):
        self._max_parts = max_parts
        self._loops: set[Operation] = set()
        """The loops of all candidates."""

    def candidates(self, memory: DecidedFunction) -> Candidates[_Way]:
        """All ways to split the chains through one tensor, then the next if none is better."""
        tries = 0
        for ways in [*self._ways(memory)]:
            if MAX_SPLIT_TRIALS.exceeded_by(tries + 1):
                return
            found = False
            for way in ways:
                tries += 1
                outcome = yield way
                found |= outcome.is_better
            if found:
                return

    def apply(self, program: AnalysedModule, ways: Iterable[_Way]) -> None:
        """Split chains in these ways."""
        for way in ways:
            self._loops.add(_TiledChain(way, program.changes).loop)

    def _ways(self, memory: DecidedFunction) -> Iterator[Sequence[_Way]]:
        """The ways to split the chains through each tensor that is live at a peak."""
        # Parts in the loops that have been made are not split again.
        live = [
            v for v in _live_at_peaks(memory) if v.op.parent_op() not in self._loops
        ]
        for value in MAX_SPLIT_TENSORS.first(sorted(live, key=_size, reverse=True)):
            yield [
                _Way(chain, parts, destination)
                for chain, parts in self._chains(value)
                for destination in destinations(chain)
            ]

    def _chains(self, value: OpResult) -> Iterator[tuple[Chain, int]]:
        """The chains through a tensor, with the numbers of parts."""
        for dimension, extent in enumerate(ranked_shape(value)):
            divisors = (n for n in range(self._max_parts, 1, -1) if not extent % n)
            parts = next(divisors, 0)
            chain = parts and chain_through(value, dimension)
            if chain:
                yield chain, parts


def _live_at_peaks(memory: DecidedFunction) -> Iterator[OpResult]:
    """The tensors of one use that are live where the peak is."""
    profile, points = memory.profile, memory.uses.points
    peak, steps = profile.peak, profile.steps
    spans = [(a, b) for (a, bytes_), (b, _) in pairwise(steps) if bytes_ == peak]
    for op in points.at:
        for result in () if op is None else op.results:
            user = result.get_user_of_unique_use()
            if (
                op is not None
                and user is not None
                and is_static_tensor(result.type)
                and points.is_reached(user)
            ):
                start = points.position(op) * SCALE
                end = points.end(user) * SCALE
                if any(start < b and a <= end for a, b in spans):
                    yield result


def _height(function: func.FuncOp, costs: Costs) -> Score:
    """The peak in bytes, and the number of places at which as much is live."""
    profile = costs[function].profile
    peak = profile.peak
    return peak, sum(bytes_ == peak for _, bytes_ in profile.steps)


class _Way(NamedTuple):
    """A chain, the number of its parts, and the tensor that the parts are inserted into."""

    chain: Chain
    parts: int
    destination: SSAValue | None


def _size(value: OpResult) -> int:
    """The number of elements."""
    return prod(ranked_shape(value))


def destinations(chain: Chain) -> Iterator[SSAValue | None]:
    """
    The tensors that may be the destination: of those that links have as operands in the same
    parts, the init of the last op alone if that reads it; `None` for a new tensor.
    """
    last = chain.last
    init = last.op.operands[last.init]
    results = chain.results
    if last.is_sum or (_reads_init(last) and init not in results):
        yield init
        return
    dimensions = last.dimensions(last.init)
    found: dict[SSAValue, None] = {}
    for link, index, value in chain.external_tensors():
        if value.type == init.type and link.dimensions(index) == dimensions:
            found.setdefault(value)
    # In the memory of a tensor with contents, the chain needs none of its own.
    yield from sorted(found, key=_is_empty)
    if not any(map(_is_empty, found)):
        yield None


def _is_empty(value: SSAValue) -> bool:
    return isinstance(value.owner, tensor.EmptyOp)


def _reads_init(link: Link) -> bool:
    """Whether the op reads the contents of its init."""
    model = BufferizableOpInterface.of(link.op)
    return model is None or model.reads(link.op, link.init, NOTHING_KNOWN)


class _TiledChain:
    """
    Computes the chain in a `loop` of so many parts, a divisor of its extent. The loop is where the
    last op was.
    """

    def __init__(self, way: _Way, changes: Changes):
        chain, parts, destination = way
        self._chain = chain
        self._size = chain.extent // parts
        last = chain.last.op
        before = changes.builder(last, InsertPoint.before(last))
        if destination is None:
            empty = tensor.EmptyOp((), last.results[0].type)
            destination = before.insert(empty).tensor
        self._destination = destination
        index = IndexType()
        start, stop, step = (
            before.insert(arith.ConstantOp(IntegerAttr(n, index))).result
            for n in (0, chain.extent, self._size)
        )
        self._in_destination: Link | None = self._link_in_destination()
        self._parts: dict[tuple[SSAValue, Sequence[int]], SSAValue] = {}
        self._body = Block(arg_types=(index, destination.type))
        self._builder = Builder(InsertPoint.at_end(self._body))
        self._fill_body()
        self.loop = before.insert(
            scf.ForOp(start, stop, step, (destination,), self._body)
        )
        (result,) = self.loop.results
        result.name_hint = last.results[0].name_hint
        changes.replace_uses(last.results[0], result)
        for link in reversed(chain.links):
            changes.remove(link.op)

    def _link_in_destination(self) -> Link | None:
        """
        The link that overwrites the destination: the last one, or the one that makes the tensor
        that the last one updates, unless the destination is still read then.
        """
        chain, link = self._chain, self._chain.last
        if link.is_sum:
            return None
        results = chain.results
        while _reads_init(link):
            source = results.get(link.op.operands[link.init])
            if source is None or self._is_read(self._destination):
                return None
            link = source
        return link

    def _is_read(self, value: SSAValue) -> bool:
        return not _is_empty(value) and any(
            external is value for _, _, external in self._chain.external_tensors()
        )

    def _fill_body(self) -> None:
        last = self._chain.last
        results: dict[SSAValue, SSAValue] = {}
        for link in self._chain.links:
            results[link.op.results[0]] = self._insert_part_of(link, results)
        result = results[last.op.results[0]]
        if not last.is_sum:
            carried = self._body.args[1]
            places = self._places(carried, last.dimensions(last.init))
            tensors, type = [result, carried], carried.type
            insertion = slice_op(tensor.InsertSliceOp, tensors, type, *places)
            result = self._insert(insertion)
        self._builder.insert(scf.YieldOp(result))

    def _insert_part_of(
        self, link: Link, results: Mapping[SSAValue, SSAValue]
    ) -> SSAValue:
        """Compute the part of an op that an iteration computes, given those before it."""
        op = link.op
        values = [*op.operands]
        if link is self._in_destination:
            values[link.init] = self._destination
        operands = [
            results[value] if value in results else self._part(value, link, index)
            for index, value in enumerate(values)
        ]
        result = self._insert(on_other_operands(op, operands))
        result.name_hint = op.results[0].name_hint
        return result

    def _part(self, value: SSAValue, link: Link, index: int) -> SSAValue:
        """The part of a value outside of the chain that the operand of the link needs."""
        dimensions = link.dimensions(index) if is_tensor(value) else ()
        key = value, tuple(dimensions)
        if key not in self._parts:
            self._parts[key] = self._new_part(value, dimensions)
        return self._parts[key]

    def _new_part(self, value: SSAValue, dimensions: Sequence[int]) -> SSAValue:
        last = self._chain.last
        if value is self._destination and (
            last.is_sum or [*dimensions] == [*last.dimensions(last.init)]
        ):
            # The parts of this iteration still are those that the loop has started with.
            value = self._body.args[1]
        if not dimensions:
            return value
        places = self._places(value, dimensions)
        type = TensorType(ranked_tensor(value.type).element_type, places[1])
        if _is_empty(value):
            return self._insert(tensor.EmptyOp((), type))
        return self._insert(slice_op(tensor.ExtractSliceOp, [value], type, *places))

    def _places(
        self, value: SSAValue, dimensions: Sequence[int]
    ) -> tuple[Sequence[SSAValue | int], Sequence[int]]:
        """The offsets and sizes of a part."""
        start, shape = self._body.args[0], enumerate(ranked_shape(value))
        places = [(start, self._size) if d in dimensions else (0, n) for d, n in shape]
        return [offset for offset, _ in places], [size for _, size in places]

    def _insert(self, op: Operation) -> SSAValue:
        """Insert an op of one result in the body."""
        return self._builder.insert(op).results[0]


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
