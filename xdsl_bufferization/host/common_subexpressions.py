"""
Common subexpressions, without a scan of the ops between equal ones that read memory, and of
the ops in regions, each time.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block, Operation, Region
from xdsl.traits import (
    MemoryEffectKind,
    is_side_effect_free,
    only_has_effect,
)
from xdsl.transforms import common_subexpression_elimination
from xdsl.transforms.common_subexpression_elimination import CSEDriver
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from xdsl_bufferization.host.effects import NestedEffects
from xdsl_bufferization.host.repairs import Mending

_plain_simplify = CSEDriver.simplify
_SCAN = "has_other_side_effecting_op_in_between"
_plain_scan: Any = getattr(common_subexpression_elimination, _SCAN, None)
"""Visits all ops between two, each time; absent in a later release that does not."""

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


def _is_broken() -> bool:
    found = getattr(common_subexpression_elimination, _SCAN, None)
    return found is not None and found is not _may_write_between


def _mend() -> None:
    CSEDriver.simplify = _simplify
    for name, replacement in (
        (_SCAN, _may_write_between),
        ("is_trivially_dead", _is_trivially_dead),
        ("is_side_effect_free", _is_side_effect_free),
        ("only_has_effect", _has_only_effect),
    ):
        setattr(common_subexpression_elimination, name, replacement)


common_subexpressions = Mending(_is_broken, _mend)
