"""
Where the contents of tensors come from: from arguments of the function, from ops, or from nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.verification.sources import Sources

COMPUTED = -1
"""Stands for contents that ops have computed."""


def origins_of_contents(sources: Sources) -> Mapping[SSAValue, AbstractSet[int]]:
    """
    For each tensor, the indices of the arguments whose contents it may have, or `COMPUTED`; none if
    its contents are undefined, such as those of `tensor.empty`. A least fixed point.
    """
    origins: dict[SSAValue, frozenset[int]] = {}
    nothing, computed = frozenset[int](), frozenset((COMPUTED,))

    def update(value: SSAValue) -> bool:
        found_in = sources.of.get(value, ())
        if found_in:
            found = nothing.union(
                *(
                    origins.get(source.value, nothing)
                    if source.keeps_contents
                    else computed
                    for source in found_in
                )
            )
        elif isinstance(value, BlockArgument):
            found = frozenset((value.index,))
        else:
            found = nothing if _is_uninitialized(value, sources) else computed
        changed = found != origins.get(value)
        origins[value] = found
        return changed

    sources.until_stable(update)
    return origins


def _is_uninitialized(value: SSAValue, sources: Sources) -> bool:
    if not isinstance(value, OpResult):
        return False
    model = sources.model_of(value.op)
    return (
        model is not None
        and model.allocates(value.op, value)
        and model.defines_contents(value.op, value) is False
    )
