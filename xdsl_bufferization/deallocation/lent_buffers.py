"""
Buffers that a loop swaps with memory of others, so that either may be in the place of the other.

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

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.deallocation.enclosed_memory import EnclosedBuffer
from xdsl_bufferization.interfaces.region_branch import exits

Forwarded = Mapping[int, Sequence[SSAValue]]
"""By index of an operand that is forwarded: the values that it is forwarded to."""


def lent_buffers(
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
