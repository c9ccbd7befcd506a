"""
Equal ops that read memory, replaced without a scan of what is between them each time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp, i1
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import (
    EffectInstance,
    MemoryEffectKind,
    MemoryReadEffect,
    get_effects,
)
from xdsl.transforms import common_subexpression_elimination
from xdsl.transforms.common_subexpression_elimination import CSEDriver, cse

_plain_simplify = CSEDriver.simplify
_plain_scan = common_subexpression_elimination.has_other_side_effecting_op_in_between

_running: list[dict[Block, dict[Operation, int]]] = []
"""
The runs, the innermost last. Each maps an op, by its block, to the number of ops before it in
the block that may write. A run erases ops when it ends, so the numbers hold until then.
"""


def _simplify(self: CSEDriver, thing: Operation | Block | Region) -> None:
    """See xDSL's `CSEDriver.simplify`."""
    _running.append({})
    try:
        _plain_simplify(self, thing)
    finally:
        _running.pop()


def _may_write_between(from_op: Operation, to_op: Operation) -> bool:
    """See xDSL's `has_other_side_effecting_op_in_between`."""
    block = from_op.parent
    if not _running or block is None:
        return _plain_scan(from_op, to_op)
    counts = _running[-1].get(block)
    if counts is None:
        counts = _running[-1][block] = _writes_before_each(block)
    return counts[from_op] != counts[to_op]


def _writes_before_each(block: Block) -> dict[Operation, int]:
    counts: dict[Operation, int] = {}
    writes = 0
    for op in block.ops:
        counts[op] = writes
        effects = get_effects(op)
        if effects is None or any(e.kind is MemoryEffectKind.WRITE for e in effects):
            writes += 1
    return counts


class _CountingEffect(MemoryReadEffect):
    asked: ClassVar[list[Operation]] = []

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        cls.asked.append(op)
        return frozenset(super().get_effects(op))


@irdl_op_definition
class _CountingOp(IRDLOperation):
    """Reads memory, and counts how often it is asked for its effects."""

    name = "bufferization_probe.read"
    result = result_def()
    traits = traits_def(_CountingEffect())


def is_broken() -> bool:
    reads = [_CountingOp(result_types=[i1]) for _ in range(4)]
    user = UnregisteredOp.with_name("bufferization_probe.use")
    _CountingEffect.asked = []
    cse(ModuleOp([*reads, user.create(operands=[read.result for read in reads])]))
    counts = [_CountingEffect.asked.count(read) for read in reads[:-1]]
    return any(a > b for a, b in pairwise(counts))


def mend() -> None:
    CSEDriver.simplify = _simplify
    common_subexpression_elimination.has_other_side_effecting_op_in_between = (
        _may_write_between
    )
