"""
The effects of ops on memory, also of those whose class does not tell.

The `bufferization` ops of xDSL's own passes, and of contexts that were not made for this
package, are of classes without effects; the redefinition of the op has them.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache

from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, get_effects

from xdsl_bufferization.support.extensions import extension_of


def memory_effects(op: Operation) -> AbstractSet[EffectInstance] | None:
    """The effects of the op and of those in its regions; `None` if they are not known."""
    effects = get_effects(op)
    if effects is None and op.name.startswith("bufferization."):
        for trait in _traits_of_redefinition(op.name):
            effects = {*(effects or ()), *(trait.get_effects(op) or ())}
    return effects


@cache
def _traits_of_redefinition(name: str) -> tuple[MemoryEffect, ...]:
    return tuple(
        trait
        for op in extension_of("bufferization").operations
        if op.name == name
        for trait in op.traits
        if isinstance(trait, MemoryEffect)
    )
