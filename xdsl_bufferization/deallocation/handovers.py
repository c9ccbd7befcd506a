"""
Buffers that control flow hands over, so that what they are handed over to owns them always.

A buffer dies where it is forwarded if no use of it is still to come. Then a block argument, or a
result of an op with regions, owns it, and is an enclosed buffer itself:

    %m = memref.alloc() : memref<4xf32>
    %r = scf.for %i = %a to %b step %c iter_args(%x = %m) -> (memref<4xf32>) {
      memref.store %f, %x[%i] : memref<4xf32>
      scf.yield %x : memref<4xf32>
    }
    // %m is not freed: %x owns its memory, and then %r

If %m is used after the loop, %x and %r are memory of %m, which is freed after the last use of all
three; so it is if the loop swaps it with memory of others (`_lent_buffers`). Invariant: what is
forwarded to one target is buffers that it owns, or memory that it does not own. A program that does
otherwise is left to `ownership.py`:

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }

The cost of an op is linear in the operands that it forwards and the places that they go to.

A buffer is *lent* to a loop that swaps it with memory of others, so that either may be in the place
of the other:

    %m = memref.alloc() : memref<4xf32>
    %r, %s = scf.for ... iter_args(%x = %argument, %y = %m) -> (memref<4xf32>, memref<4xf32>) {
      linalg.exp ins(%x) outs(%y)
      scf.yield %y, %x
    }
    // %m is freed after the last use of %r and %s, though either may be %argument

The function keeps such a buffer: the loop does not own it, and each of `%x`, `%y`, `%r` and `%s`
may be memory of it. Values that the loop may swap are a *component*. One buffer of a component is
lent, if that would be handed over otherwise and the rest of what the component starts with is
memory that the function does not own. With two buffers, uses of one would have to keep both.

Takes time linear in the memrefs that the op and its terminators forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.deallocation.enclosed_memory import (
    Choice,
    EnclosedBuffer,
    EnclosedMemory,
    Memory,
    NotEnclosed,
    Source,
)
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
    exits,
)
from xdsl_bufferization.support.shaped_types import is_memref_type


def forward(
    memory: EnclosedMemory, op: Operation, depth: int, used: Sequence[int]
) -> None:
    """
    Visit an op with regions, or a terminator that does not return, at that depth. The operands of
    the indices `used` are its memrefs.

    Raises `NotEnclosed` if it is not known here what a target owns.
    """
    if op.regions:
        if used:
            _enter_regions(memory, op, depth, used)
    else:
        _leave_block(memory, op, depth, used)


def hand_over(
    source: Source, op: Operation, *, is_base: bool, in_parts: bool = True
) -> None:
    """
    Note that the op hands over or returns the source of one of its operands, and all of the source
    unless it may be handed over `in_parts`.

    Raises `NotEnclosed` if that is not certainly one buffer of its block, or is so twice.
    """
    if (
        not isinstance(source, EnclosedBuffer)
        or not is_base
        or source.block is not op.parent
        or source.leaves
        or (source.has_parts and not in_parts)
    ):
        raise NotEnclosed
    source.leaves = True


def _enter_regions(
    memory: EnclosedMemory, op: Operation, depth: int, used: Sequence[int]
) -> None:
    if op.next_op is None or op.successors:
        raise NotEnclosed
    forwarded = _forwarded_by_paths(op, op)
    if not forwarded.keys() <= {*used}:
        raise NotEnclosed
    whole: dict[int, EnclosedBuffer] = {}
    others: dict[int, Source | None] = {}
    for index in used:
        memory.use(op.operands[index])
    for index in forwarded:
        source, is_base = memory.of[op.operands[index]]
        if (
            isinstance(source, EnclosedBuffer)
            and is_base
            and source.block is op.parent
            and not source.has_parts
        ):
            whole[index] = source
        else:
            others[index] = source
    not_owned = [index for index, source in others.items() if source is None]
    lent: Mapping[int, EnclosedBuffer] = {}
    if whole and not_owned:
        # Few programs have such loops.

        lent = _lent_buffers(
            op, forwarded, whole, not_owned, lambda end: _forwarded_by_paths(op, end)
        )
    for index, source in {**others, **lent}.items():
        _share(memory, forwarded[index], source, op, depth)
    for index in used:
        memory.count_use(op.operands[index])
    for index, buffer in whole.items():
        if index in lent:
            continue
        targets = forwarded[index]
        if buffer.coming:
            _share(memory, targets, buffer, op, depth)
        elif any(o is buffer or isinstance(o, Choice) for o in others.values()):
            raise NotEnclosed
        else:
            hand_over(buffer, op, is_base=True, in_parts=False)
            _receive(memory, targets, op, depth)


def _leave_block(
    memory: EnclosedMemory, op: Operation, depth: int, used: Sequence[int]
) -> None:
    forwarded = _forwarded_by_terminator(op)
    if not forwarded.keys() <= {*used}:
        raise NotEnclosed
    for index in used:
        value, targets = op.operands[index], forwarded.get(index, ())
        source, is_base = memory.of[value]
        if source is None or source.innermost < depth:
            memory.use(value)
            _share(memory, targets, source, op, depth)
        elif not targets or len(op.successors) > 1:
            raise NotEnclosed  # It is freed on other paths.
        else:
            hand_over(source, op, is_base=is_base, in_parts=not op.successors)
            _receive(memory, targets, op, depth)
        memory.count_use(value)


# Targets


def _receive(
    memory: EnclosedMemory, targets: Iterable[SSAValue], op: Operation, depth: int
) -> None:
    """Note that the targets own what the op hands over to them."""
    for target in targets:
        memory.add_received(target, _depth_of(target, op, depth))


def _share(
    memory: EnclosedMemory,
    targets: Iterable[SSAValue],
    source: Source | None,
    op: Operation,
    depth: int,
) -> None:
    """Note that the targets may be memory of the source, and own nothing."""
    for target in targets:
        known = memory.of.get(target)
        if known is None:
            memory.add(target, Memory(source, is_base=False))
        elif known.is_base:
            raise NotEnclosed
        elif source is None or source is known.source:
            continue
        elif isinstance(target.owner, Block):
            raise NotEnclosed  # Its uses may have been visited.
        elif known.source is None:
            memory.add(target, Memory(source, is_base=False))
        else:
            sources = known.source, source
            memory.replace_by_choice(target, sources, _depth_of(target, op, depth))


def _depth_of(target: SSAValue, op: Operation, depth: int) -> int:
    """The depth of a target of an op at that depth."""
    inner = depth + bool(op.regions)
    return inner if isinstance(target.owner, Block) else inner - 1


# Edges


def _forwarded_by_terminator(op: Operation) -> Mapping[int, Sequence[SSAValue]]:
    """The memrefs that a terminator forwards, by index of the operand, and the targets."""
    if not op.successors:
        parent = op.parent_op()
        return {} if parent is None else _forwarded_by_paths(parent, op)
    model = BranchOpInterface.expect(op)
    return {
        index: (argument,)
        for number, block in enumerate(op.successors)
        for index, argument in zip(model.forwarded(op, number), block.args, strict=True)
        if is_memref_type(argument.type)
    }


def _forwarded_by_paths(
    op: Operation, source: Operation
) -> Mapping[int, Sequence[SSAValue]]:
    """The same for an op with regions, or a terminator of one of these."""
    model = RegionBranchOpInterface.of(op)
    if model is None:
        return {}
    paths = model.branches(op, source)
    forwarded: dict[int, list[SSAValue]] = {}
    for path in paths:
        for index, target in enumerate(path.targets, path.first):
            if is_memref_type(target.type):
                forwarded.setdefault(index, []).append(target)
    if any(len(targets) != len(paths) for targets in forwarded.values()):
        raise NotEnclosed  # Ownership would have to be, too.
    return forwarded


Forwarded = Mapping[int, Sequence[SSAValue]]
"""By index of an operand that is forwarded: the values that it is forwarded to."""


def _lent_buffers(
    op: Operation,
    entering: Forwarded,
    whole: Mapping[int, EnclosedBuffer],
    owned_by_others: Sequence[int],
    forwarded_by: Callable[[Operation], Forwarded],
) -> Mapping[int, EnclosedBuffer]:
    """
    By index of an operand of an op with regions, the buffer that what it forwards may be: one of
    those that could be handed over `whole`, by index, and is lent instead. The operands of the
    indices `owned_by_others` are memory that the function does not own.
    """
    of_operand = {index: targets[0] for index, targets in entering.items() if targets}
    components = _components(op, entering, forwarded_by)
    buffers: dict[SSAValue, list[EnclosedBuffer]] = {}
    for index, buffer in whole.items():
        if index in of_operand:
            root = components.find(of_operand[index])
            buffers.setdefault(root, []).append(buffer)
    swapped_with_others = {
        components.find(of_operand[index])
        for index in owned_by_others
        if index in of_operand
    }
    lent = {
        r: b[0] for r, b in buffers.items() if r in swapped_with_others and not b[1:]
    }
    return {
        index: lent[root]
        for index, target in of_operand.items()
        if (root := components.find(target)) in lent
    }


def _components(
    op: Operation, entering: Forwarded, forwarded_by: Callable[[Operation], Forwarded]
) -> DisjointSet[SSAValue]:
    """The values that the op forwards memrefs to, connected where one may be another."""
    paths = [(source, forwarded_by(source)) for source in exits(op)] if entering else []
    reached = dict.fromkeys(
        value
        for forwarded in (entering, *(f for _, f in paths))
        for targets in forwarded.values()
        for value in targets
    )
    components = DisjointSet[SSAValue]([*reached])
    for source, forwarded in ((op, entering), *paths):
        for index, (first, *others) in forwarded.items():
            for other in (*others, source.operands[index]):
                if other in reached:
                    components.union(first, other)
    return components
