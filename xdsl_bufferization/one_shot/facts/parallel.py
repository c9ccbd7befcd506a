"""
Writes in parallel regions to memory from outside of them.

Runs of a parallel region may overlap, so that each needs memory of its own for what it
writes, unless the memory is handed to the region as such (`shared_outs` of `scf.forall`).

Source: the option `check-parallel-regions`,
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl_bufferization.one_shot.facts.program import (
    RegionInfo,
    TensorOperand,
    TensorProgram,
    ValueInfo,
)


def find_races(program: TensorProgram) -> Mapping[TensorOperand, ValueInfo]:
    """
    The operands that an op in a parallel region writes, but whose contents or memory come
    from outside of that region, each with such a tensor: they would race in place.
    """
    return {
        operand: origin
        for info in program.ops
        if (region := info.region.parallel) is not None
        for operand in info.operands
        if operand.writes
        and (origin := _origin_outside(operand.value, region)) is not None
    }


def _origin_outside(value: ValueInfo, region: RegionInfo) -> ValueInfo | None:
    origins = value.definitions or _allocations(value)
    return next((o for o in origins if o.region.parallel is not region), None)


def _allocations(value: ValueInfo) -> Iterable[ValueInfo]:
    """Where the memory of a tensor without defined contents may come from."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        if not value.sources:
            yield value
        for operand, _ in value.sources:
            if operand.value not in seen:
                seen.add(operand.value)
                pending.append(operand.value)
