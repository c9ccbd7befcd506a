"""
Uses of tensors through memrefs that ops give out, as `bufferization.to_buffer` does.

Such a memref has the contents that its tensor has at that op, for as long as it is read. So
it is recorded as a value that aliases the tensor, with the ops that read it, and those that
write it if the op says that it may be written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    ModelOf,
)
from xdsl_bufferization.memrefs.buffers.memrefs_of_tensors import MemrefsOfTensors
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
    earliest_per_block,
)


class MemrefUses:
    """The memrefs that the ops give out, and the ops that read and write them."""

    def __init__(self, ops: Iterable[Operation], model_of: ModelOf):
        self._memrefs = MemrefsOfTensors(ops, model_of)

    @property
    def users(self) -> Collection[Operation]:
        """The ops that read or write, in no order."""
        return self._memrefs.uses.keys()

    def record(
        self,
        info_of: Mapping[Operation, OpInfo],
        add_value: Callable[[SSAValue, RegionInfo, OpInfo | None, int], ValueInfo],
    ) -> None:
        """
        Add records of the memrefs, and of the uses to these, given the records of all ops on
        tensors, and of all `users` that can be reached.

        The first memref of a group stands for all, and has all its uses.
        """
        representatives: list[ValueInfo] = []
        writable: list[bool] = []
        for group, carriers in zip(
            self._memrefs.groups, self._memrefs.carriers, strict=True
        ):
            infos: list[ValueInfo] = []
            for memref, _ in group:
                region, start = _scope(info_of[memref.op], carriers)
                info = add_value(memref, region, info_of[memref.op], start)
                info.definitions = (info,)
                infos.append(info)
            representative = infos[0]
            representative.definitions = earliest_per_block(infos)
            representatives.append(representative)
            operands = [
                operand
                for memref, index in group
                for operand in info_of[memref.op].operands
                if operand.index == index
            ]
            alias = AliasingValue(representative.value, definite=len(group) == 1)
            for operand in operands:
                operand.memrefs = (*operand.memrefs, representative)
                representative.sources.append((operand, alias))
            writable.append(any(operand.writes for operand in operands))
        for op, uses in self._memrefs.uses.items():
            if (owner := info_of.get(op)) is None:
                continue  # It cannot be reached, or is outside of the scope.
            for index, group, effect in uses:
                value = representatives[group]
                reads = BufferEffect.READ in effect
                writes = BufferEffect.WRITE in effect and writable[group]
                operand = TensorOperand(owner, index, value, reads, writes)
                if reads:
                    value.is_read = True
                    value.reads.append(operand)
                if writes:
                    value.writes.append(operand)


def _scope(op: OpInfo, carriers: Container[Operation]) -> tuple[RegionInfo, int]:
    """
    The region and the first position at which a write could destroy what the op gives out.

    If a loop carries that, it may be read anywhere in the next iteration, too.
    """
    region, start = op.region, op.enter
    parent = region.parent
    while parent is not None:
        if parent.op in carriers:
            region, start = parent.region, parent.enter + 1
        parent = parent.region.parent
    return region, start
