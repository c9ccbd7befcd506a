"""
Common subexpressions, without a scan of the ops between equal ones that read memory, and of
the ops in regions, each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp, i1
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    EffectInstance,
    MemoryEffectKind,
    MemoryReadEffect,
    RecursiveMemoryEffect,
    is_side_effect_free,
    only_has_effect,
)
from xdsl.transforms import common_subexpression_elimination
from xdsl.transforms.common_subexpression_elimination import CSEDriver, cse
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from xdsl_bufferization.repairs.nested_effects import NestedEffects

_plain_simplify = CSEDriver.simplify
_plain_scan = common_subexpression_elimination.has_other_side_effecting_op_in_between


_running: list[NestedEffects] = []
"""
The effects in runs of the driver, the innermost last. A run erases ops when it ends: until then
effects stay the same.
"""


def _simplify(self: CSEDriver, thing: Operation | Block | Region) -> None:
    """See xDSL's `CSEDriver.simplify`."""
    _running.append(NestedEffects())
    try:
        _plain_simplify(self, thing)
    finally:
        _running.pop()


def _may_write_between(from_op: Operation, to_op: Operation) -> bool:
    """See xDSL's `has_other_side_effecting_op_in_between`."""
    if not _running or from_op.parent is None:
        return _plain_scan(from_op, to_op)
    return _running[-1].may_write_between(from_op, to_op)


def _is_trivially_dead(op: Operation) -> bool:
    """See xDSL's `is_trivially_dead`."""
    if not _running:
        return is_trivially_dead(op)
    return all(result.first_use is None for result in op.results) and (
        _running[-1].may_be_erased(op)
    )


def _is_side_effect_free(op: Operation) -> bool:
    """See xDSL's `is_side_effect_free`."""
    if not _running:
        return is_side_effect_free(op)
    effects = _running[-1].of(op)
    return effects is not None and not effects.kinds


def _has_only_effect(op: Operation, effect: MemoryEffectKind) -> bool:
    """See xDSL's `only_has_effect`."""
    if not _running:
        return only_has_effect(op, effect)
    effects = _running[-1].of(op)
    return effects is not None and effects.kinds <= {effect}


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


@irdl_op_definition
class _NestingOp(IRDLOperation):
    """Has the effects of the ops in its region."""

    name = "bufferization_probe.nest"
    body = region_def()
    traits = traits_def(RecursiveMemoryEffect())


def is_broken() -> bool:
    return _scans_between() or _scans_regions()


def _scans_between() -> bool:
    reads = [_CountingOp(result_types=[i1]) for _ in range(4)]
    counts = _asked([*reads, _user_of(reads)], reads)
    return any(a > b for a, b in pairwise(counts[:-1]))


def _scans_regions() -> bool:
    """Whether an op is asked more often the more ops are around it."""
    inner, outer = (_CountingOp(result_types=[i1]) for _ in range(2))
    nest: Operation = inner
    for _ in range(4):
        nest = _NestingOp(regions=[Region(Block([nest, _user_of([])]))])
    shallow = _NestingOp(regions=[Region(Block([outer, _user_of([])]))])
    deep, flat = _asked([nest, shallow], [inner, outer])
    return deep > flat


def _user_of(reads: Sequence[_CountingOp]) -> Operation:
    user = UnregisteredOp.with_name("bufferization_probe.use")
    return user.create(operands=[read.result for read in reads])


def _asked(ops: list[Operation], reads: Sequence[_CountingOp]) -> list[int]:
    """How often each of the reads among the ops is asked for its effects."""
    _CountingEffect.asked = []
    cse(ModuleOp(ops))
    return [_CountingEffect.asked.count(read) for read in reads]


def mend() -> None:
    CSEDriver.simplify = _simplify
    for name, replacement in (
        ("has_other_side_effecting_op_in_between", _may_write_between),
        ("is_trivially_dead", _is_trivially_dead),
        ("is_side_effect_free", _is_side_effect_free),
        ("only_has_effect", _has_only_effect),
    ):
        setattr(common_subexpression_elimination, name, replacement)
