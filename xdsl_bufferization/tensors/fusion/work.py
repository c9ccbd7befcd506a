"""
The work of structured ops: how often their bodies run, and the ops in them.

What is added where elements are computed again is measured by it. The work of a block is that of
its ops, those in regions counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.support.xdsl_releases import linalg_ops
from xdsl_bufferization.tensors.fusion.group import Group
from xdsl_bufferization.tensors.fusion.loops import Loops, loops_of


def iterations(loops: Loops) -> int | None:
    """How often the body runs; `None` if that is not known."""
    sizes: dict[int, int] = {}
    for value, map in zip(loops.op.operands, loops.maps, strict=True):
        if not isinstance(value.type, TensorType):
            continue
        shape = cast("TensorType[Attribute]", value.type).get_shape()
        for size, index in zip(shape, map.results, strict=True):
            if isinstance(index, AffineDimExpr) and size != DYNAMIC_INDEX:
                sizes[index.position] = size
    return prod(sizes.values()) if len(sizes) == len(loops.iterators) else None


def ops_in_body(loops: Loops) -> int:
    """The ops that an iteration runs, without those that compute nothing."""
    free = linalg_ops.IndexOp, linalg_ops.YieldOp, arith.ConstantOp
    return sum(1 for op in walk([loops.op]) if not isinstance(op, free)) - 1


def added_by(groups: Sequence[Group]) -> int | None:
    """
    What the groups compute more often than their producers have, if these are not needed any
    more where only the groups read them; `None` if that is not known.
    """
    computed = 0
    fused: dict[Operation, Loops] = {}
    for group in groups:
        times = iterations(group.root.loops)
        for member in group.members[1:]:
            number = ops_in_body(member.loops)
            if number and times is None:
                return None
            computed += number * (times or 0)
            fused[member.loops.op] = member.loops
    changed = {group.root.loops.op for group in groups} | fused.keys()
    return computed - sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for op, loops in fused.items()
        if all(use.operation in changed for r in op.results for use in r.uses)
    )


def work_of(block: Block) -> int:
    """The work of the structured ops in the block, as far as it is known."""
    found = (loops_of(op) for op in walk(block.ops))
    return sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for loops in found
        if loops is not None
    )
