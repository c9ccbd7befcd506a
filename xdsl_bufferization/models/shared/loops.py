"""
Loop-carried tensors, and the buffers that they are in.

A loop carries tensors from one iteration to the next. Most often each of them stays in one
buffer: the yielded tensor is equivalent to the iteration argument at its position. Otherwise

- arguments may swap their buffers, as in `yield %b, %a`, which takes no copy;
- a tensor in a new buffer, or in a part of its own, is yielded as it is if the loop may return
  new buffers;
- any other tensor is copied, at best into the buffer of an argument that is not yielded
  itself, so that no new memory is needed.

The buffers that the result of a conditional may be.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %a } else { scf.yield %b }      // %a or %b

The buffer that reshapes lead away from and back to.

    %e = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
    %c = memref.collapse_shape %e [[0, 1]] : memref<2x4xf32> into memref<8xf32>    // %m

Memrefs with several elements in one place, where a write of one changes the others.

    %v = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [%k, 1]  // %k may be 0

Tensors have no such elements, so nothing is computed in that memory.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    Decisions,
    ForwardedCopy,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.contents import Reshape, reshape
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.memrefs.sizes.computation import is_never_negative
from xdsl_bufferization.models.shared.slices import (
    are_of_one_size,
    size_expression,
    slice_of,
)
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_POSSIBLE_BUFFERS, MAX_RESHAPES
from xdsl_bufferization.support.memref_types import strides_and_offset, without_casts
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import NewMemory
from xdsl_bufferization.support.regions import exits, terminator_of
from xdsl_bufferization.support.shaped_types import is_tensor, ranked_shape


class LoopForwarding(NamedTuple):
    """
    The values that a region of a loop starts with and those that its terminator forwards.

    Operand `first + i` of the terminator and value `first_start + i` of `starts` have the same
    *position*. A loop with one region has one such forwarding, `scf.while` one for each region.
    A loop is asked about each position, so the values at a position are found without a slice.
    """

    starts: Sequence[BlockArgument]
    terminator: Operation
    first: int = 0
    first_start: int = 0

    @property
    def arguments(self) -> Sequence[BlockArgument]:
        """The values that the region starts with."""
        return self.starts[self.first_start :]

    @property
    def operands(self) -> Sequence[SSAValue]:
        """The forwarded operands of the terminator."""
        return self.terminator.operands[self.first :]

    def argument(self, position: int) -> BlockArgument | None:
        """The argument at the position, if it is of the type that is forwarded there."""
        index = self.first_start + position
        if index >= len(self.starts):
            return None
        argument, operand = self.starts[index], self.operand(position)
        return argument if argument.type == operand.type else None

    def operand(self, position: int) -> SSAValue:
        """The forwarded operand at the position."""
        return self.terminator.operands[self.first + position]

    def is_kept(self, position: int, state: AnalysisState) -> bool:
        """Whether the forwarded tensor is known to be in the argument's buffer."""
        argument = self.argument(position)
        return argument is not None and state.is_equivalent(
            argument, self.operand(position)
        )


def swapped_positions(
    loop: Operation, forwardings: Sequence[LoopForwarding], state: AnalysisState
) -> Mapping[int, Sequence[int]]:
    """
    For each position that may be forwarded the buffer of another one, all positions that
    it may swap buffers with in the course of the iterations, itself included, ascending.

    A position that is always forwarded its own buffer does not take part.
    """
    return state.memoize(
        (loop, "swapped positions"),
        lambda: _swapped_positions(loop, forwardings, state),
    )


def _swapped_positions(
    loop: Operation, forwardings: Sequence[LoopForwarding], state: AnalysisState
) -> dict[int, Sequence[int]]:
    size = max(max(len(f.arguments), len(f.operands)) for f in forwardings)
    classes = DisjointSet(range(size))
    moving: set[int] = set()
    for forwarding in forwardings:
        origins = {
            position: state.possible_origins(value, loop)
            for position, value in enumerate(forwarding.operands)
            if is_tensor(value)
        }
        kept = {
            argument
            for position in origins
            if (argument := forwarding.argument(position)) is not None
            and all(origin is argument for origin in origins[position])
        }
        moved: dict[SSAValue, int] = {
            argument: position
            for position, argument in enumerate(forwarding.arguments)
            if is_tensor(argument) and argument not in kept
        }
        for position, value in enumerate(forwarding.operands):
            if position not in origins or forwarding.argument(position) in kept:
                continue
            others = [moved[origin] for origin in origins[position] if origin in moved]
            if forwarding.argument(position) is None:
                # It needs the buffer of another position.
                others += [p for a, p in moved.items() if a.type == value.type]
            for other in others:
                classes.union(position, other)
                moving |= {position, other}
    groups: dict[int, list[int]] = {}
    for position in sorted(moving):
        groups.setdefault(classes.find(position), []).append(position)
    return {position: group for group in groups.values() for position in group}


def forwarded_copies(
    loop: Operation,
    forwardings: Sequence[LoopForwarding],
    decisions: Decisions,
    *,
    new_memory: NewMemory,
) -> Sequence[ForwardedCopy]:
    """
    The copies after which each forwarded tensor has a buffer of its own for the next
    iteration.

    Raises `BufferizationError` if there is no such buffer, unless the loop may return memory
    that it allocates.
    """
    groups: Mapping[int, Sequence[int]] | None = None
    copies: list[ForwardedCopy] = []
    for forwarding in forwardings:
        tensors = [i for i, value in enumerate(forwarding.operands) if is_tensor(value)]
        moved = [i for i in tensors if not forwarding.is_kept(i, decisions)]
        if moved:
            if groups is None:
                groups = swapped_positions(loop, forwardings, decisions)
            resolution = _Resolution(
                loop, forwarding, tensors, moved, groups, decisions
            )
            copies.extend(resolution.copies(new_memory))
    return copies


class _Resolution:
    """The copies for one forwarding, whose tensors at the positions `moved` are not kept."""

    def __init__(
        self,
        loop: Operation,
        forwarding: LoopForwarding,
        tensors: Sequence[int],
        moved: Sequence[int],
        groups: Mapping[int, Sequence[int]],
        decisions: Decisions,
    ):
        self._loop = loop
        self._forwarding = forwarding
        self._moved = moved
        self._groups = groups
        self._decisions = decisions
        self._memory = {i: decisions.memory_of(forwarding.operand(i)) for i in tensors}
        self._arguments = forwarding.arguments
        self._positions: dict[SSAValue, int] = {
            a: i for i, a in enumerate(self._arguments)
        }
        self._users = Counter(m for memory in self._memory.values() for m in memory)

    def copies(self, new_memory: NewMemory) -> Sequence[ForwardedCopy]:
        copied = [p for p in self._moved if not self._is_swapped(p)]
        if new_memory is not NewMemory.ALWAYS:
            destinations = self._destinations(copied)
            refused = next((p for p in copied if p not in destinations), None)
            if refused is None:
                return [*self._in_order(copied, destinations)]
            if new_memory is NewMemory.NEVER:
                raise self._error(refused)
        copied = [p for p in copied if not self._is_its_own(p)]
        return [*self._in_order(copied, self._destinations(copied))]

    def _destinations(self, copied: Sequence[int]) -> dict[int, SSAValue]:
        """The arguments whose buffers the tensors are copied to, where there is one."""
        out_of_place = set(copied)
        in_use = {
            memory
            for position, memories in self._memory.items()
            if position not in out_of_place
            for memory in memories
        }
        destinations: dict[int, SSAValue] = {}
        # First each tensor into the buffer of its own position, if that is possible.
        for own in (True, False):
            for position in copied:
                if position in destinations:
                    continue
                group = (position,) if own else self._groups.get(position, ())
                for candidate in group:
                    argument = self._destination(position, candidate)
                    if argument is not None and argument not in in_use:
                        destinations[position] = argument
                        in_use.add(argument)
                        break
        return destinations

    def _destination(self, position: int, candidate: int) -> SSAValue | None:
        """The argument at the candidate position, if the tensor fits into its buffer."""
        if candidate >= len(self._arguments):
            return None
        argument = self._arguments[candidate]
        value = self._forwarding.operand(position)
        fits = are_of_one_size(argument, value, self._decisions)
        return argument if fits else None

    def _in_order(
        self, copied: Sequence[int], destinations: dict[int, SSAValue]
    ) -> Iterator[ForwardedCopy]:
        """
        The copies, each before those that overwrite what it reads. Of copies that
        overwrite what one another reads, one is made through new memory.
        """
        copied_to = {argument: position for position, argument in destinations.items()}
        followers = {
            position: {
                copied_to[memory]
                for memory in self._memory[position]
                if memory in copied_to
            }
            - {position}
            for position in copied
        }
        """By copy whose place is open: those that overwrite what it reads."""
        readers = Counter(f for of in followers.values() for f in of)
        ready = deque(position for position in copied if not readers[position])
        in_new_memory: set[int] = set()

        def precede(position: int) -> None:
            for follower in followers.pop(position, ()):
                readers[follower] -= 1
                if not readers[follower]:
                    ready.append(follower)

        for position in copied:
            if position not in destinations:
                precede(position)
        others = iter(copied)
        for _ in copied:
            while not ready:
                if (position := next(others)) in followers:
                    in_new_memory.add(position)
                    precede(position)
            precede(first := ready.popleft())
            yield ForwardedCopy(
                self._forwarding.terminator,
                self._forwarding.first + first,
                destinations.get(first),
                first in in_new_memory,
            )

    def _is_swapped(self, position: int) -> bool:
        """Whether it is an argument's buffer that is forwarded to no other position."""
        if not self._is_only_user(position):
            return False
        value, arguments = self._forwarding.operand(position), self._arguments
        group = self._groups.get(position, ())
        # Most often it is in the buffer of the one argument that its memory is.
        memory = map(self._positions.get, self._memory[position])
        likely = [other for other in memory if other is not None and other in group]
        return any(
            arguments[other].type == value.type
            and self._decisions.is_equivalent(arguments[other], value)
            for others in (likely, group)
            for other in others
            if other < len(arguments)
        )

    def _is_its_own(self, position: int) -> bool:
        """
        Whether it is in memory allocated in this iteration for this position alone, or in a
        part of what the argument at this position is in.
        """
        return self._is_only_user(position) and all(
            memory is self._forwarding.argument(position)
            or (
                self._decisions.is_allocation(memory)
                and isinstance(memory.owner, Operation)
                and self._loop.is_ancestor(memory.owner)
            )
            for memory in self._memory[position]
        )

    def _is_only_user(self, position: int) -> bool:
        return all(self._users[memory] == 1 for memory in self._memory[position])

    def _error(self, position: int) -> BufferizationError:
        return BufferizationError(
            self._forwarding.terminator,
            f"operand #{self._forwarding.first + position} is not equivalent to the "
            "iteration argument in the same place, and there is no buffer for a copy of it, so "
            "that the loop would have to return a new one",
            related=[("the loop", self._loop)],
            hint="allow that with the option allow-return-allocs-from-loops, or hand "
            "over a tensor computed in destination-passing style from the argument",
        )


def carried_from(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """
    The buffer before casts, and before `scf.for` and `scf.while` loops that only carry it,
    whose bodies have been rewritten.
    """
    while True:
        buffer = without_casts(buffer)
        init = _carried_init(buffer, bufferizer)
        if init is None:
            return buffer
        buffer = init


def _carried_init(result: SSAValue, bufferizer: Bufferizer) -> SSAValue | None:
    """The init whose buffer a result of a loop is in, if each iteration forwards that buffer."""
    if not isinstance(result, OpResult):
        return None
    loop, position = result.op, result.index
    match op_name(loop):
        case "scf.for":
            start = _forwarded_argument(loop.regions[0].block, position, bufferizer)
            return loop.operands[position + 3] if start == position + 1 else None
        case "scf.while":
            before, after = (region.block for region in loop.regions)
            start = _forwarded_argument(before, position + 1, bufferizer)
            if start is None:
                return None
            end = _forwarded_argument(after, start, bufferizer)
            return loop.operands[start] if end == position else None
        case _:
            return None


def _forwarded_argument(
    block: Block, operand: int, bufferizer: Bufferizer
) -> int | None:
    """The index of the argument of a block whose buffer an operand of its terminator is."""
    forwarded = terminator_of(block).operands[operand]
    found = carried_from(bufferizer.buffer(forwarded), bufferizer)
    # While the loop is being rewritten, it has tensors beside their buffers.
    arguments = [argument for argument in block.args if not is_tensor(argument)]
    return next((i for i, a in enumerate(arguments) if a is found), None)


def possible_buffers(buffer: SSAValue, bufferizer: Bufferizer) -> Sequence[SSAValue]:
    """
    The buffers that this one may be, traced back through conditionals whose regions have been
    rewritten and as by `reshaped_from`; beyond `MAX_POSSIBLE_BUFFERS`, what `reshaped_from` gives.
    """
    pending, found, seen = [buffer], list[SSAValue](), set[SSAValue]()
    while len(seen) <= MAX_POSSIBLE_BUFFERS:
        if not pending:
            return found
        traced = reshaped_from(pending.pop(), bufferizer)
        if traced in seen:
            continue
        seen.add(traced)
        yielded = [*yielded_for(traced)]
        if yielded:
            pending.extend(map(bufferizer.buffer, yielded))
        else:
            found.append(traced)
    MAX_POSSIBLE_BUFFERS.met()
    return [reshaped_from(buffer, bufferizer)]


def only_buffer(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """The one buffer that this one can be, or what `reshaped_from` gives if there are several."""
    found = possible_buffers(buffer, bufferizer)
    return found[0] if len(found) == 1 else reshaped_from(buffer, bufferizer)


def yielded_for(buffer: SSAValue) -> Iterator[SSAValue]:
    """The values that the regions of a conditional yield for its result."""
    op = buffer.owner
    if not isinstance(buffer, OpResult) or not isinstance(op, Operation):
        return
    model = RegionBranchOpInterface.of(op) if op.regions else None
    if model is None or not is_conditional(op, model):
        return
    for terminator in exits(op):
        for branch in model.branches(op, terminator):
            for index, target in enumerate(branch.targets, branch.first):
                if target is buffer:
                    yield terminator.operands[index]


def reshaped_from(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """
    The buffer before casts, loops that only carry it (`carried_from`), and reshapes that cancel
    each other out.
    """
    found = buffer = carried_from(buffer, bufferizer)
    pending: list[Reshape] = []
    for _ in range(2 * MAX_RESHAPES):
        op = buffer.owner
        if not isinstance(op, memref.ExpandShapeOp | memref.CollapseShapeOp):
            break
        step = reshape_of(op)
        if step is None:
            break
        if pending and pending[-1] == step.inverse:
            pending.pop()
        else:
            pending.append(step)
        buffer = carried_from(op.operands[0], bufferizer)
        if not pending:
            found = buffer
    else:
        MAX_RESHAPES.met()
    return found


def reshape_of(op: Operation) -> Reshape | None:
    """The reshape of an op that expands or collapses; `None` if its inverse is not certain."""
    return reshape(
        reassociation(op), ranked_shape(op.operands[0]), ranked_shape(op.results[0])
    )


def may_overlap_itself(value: SSAValue) -> bool:
    """
    Whether elements of the memref may be in one place, by types, or by ops that lay it out. A
    layout of unknown strides that no op of the function makes is taken to be without.
    """
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        op, type = value.owner, value.type
        if isinstance(op, memref.ReinterpretCastOp):
            _, sizes, strides = slice_of(op, first_dynamic=1)
        elif isinstance(type, MemRefType):
            sizes, (strides, _) = type.get_shape(), strides_and_offset(type)
        else:
            sizes = strides = ()
        if _may_overlap(sizes, strides) or (
            isinstance(op, memref.SubviewOp) and _may_repeat_elements(op)
        ):
            return True
        if isinstance(value, OpResult):
            viewed = {value.op.operands[index] for index in viewed_by(value)}
            new = viewed.union(yielded_for(value)) - seen
            seen |= new
            pending += new
    return False


def _may_repeat_elements(op: Operation) -> bool:
    """Whether the slice that an op extracts may have a step of 0."""
    part = slice_of(op, first_dynamic=1)
    return any(
        size != 1 and (step == 0 or not isinstance(step, int))
        for size, step in zip(part.sizes, part.strides, strict=True)
    )


def _may_overlap(sizes: Iterable[Size], strides: Iterable[Size | None]) -> bool:
    """
    Whether a stride may be within what the dimensions of smaller strides span. A size that the type
    does not tell is taken to be 2, and strides that are no numbers to be in the usual order.
    """
    dimensions = [
        (
            size_expression(2 if size == DYNAMIC_INDEX else size),
            size_expression(stride),
        )
        for size, stride in zip(sizes, strides, strict=True)
        if size != 1 and stride is not None
    ]
    span = size_expression(1)
    for size, stride in sorted(
        reversed(dimensions),
        key=lambda dim: inf if dim[1].number is None else dim[1].number,
    ):
        if not is_never_negative(stride - span):
            return True
        span = size * stride
    return False
