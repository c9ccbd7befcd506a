"""
Writes in parallel regions to memory from outside of them.

Executions of a parallel region may overlap, so that each needs memory of its own for what
it writes, unless the region is passed the memory to share it (`shared_outs` of
`scf.forall`).

Source: the option `check-parallel-regions`,
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.records import (
    RegionInfo,
    TensorOperand,
    ValueInfo,
)


def find_races(part: Components) -> Mapping[TensorOperand, ValueInfo]:
    """
    The operands of the components that would race if they were in place: an op in a parallel
    region writes them, but their contents or memory come from outside of it. Each with the
    tensor that they come from.
    """
    return {
        operand: origin
        for info in part.ops
        if (region := info.region.parallel) is not None
        for operand in part.operands(info)
        if operand.writes
        and (origin := _origin_outside(operand.value, region)) is not None
    }


def _origin_outside(value: ValueInfo, region: RegionInfo) -> ValueInfo | None:
    origins = value.definitions or _allocations(value)
    return next((o for o in origins if o.region.parallel is not region), None)


def _allocations(value: ValueInfo) -> Iterable[ValueInfo]:
    """The tensors that the memory of one without defined contents may come from."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        if not value.sources:
            yield value
        for operand, _ in value.sources:
            if operand.value not in seen:
                seen.add(operand.value)
                pending.append(operand.value)
