"""
Reads of tensors through memrefs that ops give out, as `bufferization.to_buffer` does.

Such a memref has the contents that its tensor has at that op, for as long as it is read. So
it is recorded as a value that aliases the tensor, and what reads it as uses of that value.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.memrefs_of_tensors import MemrefsOfTensors
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferRelation,
    ModelOf,
)
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
    earliest_per_block,
)


class MemrefReads:
    """The memrefs that the ops give out, and the ops that read them."""

    def __init__(self, ops: Iterable[Operation], model_of: ModelOf):
        self._memrefs = MemrefsOfTensors(ops, model_of)

    @property
    def readers(self) -> Collection[Operation]:
        """The ops that read, in no order."""
        return self._memrefs.readers.keys()

    def record(
        self, info_of: Mapping[Operation, OpInfo], values: dict[SSAValue, ValueInfo]
    ) -> None:
        """
        Add records of the memrefs to `values`, and of the reads to these, given the records
        of all ops on tensors and of all `readers`.

        The first memref of a group stands for all, and has all its reads.
        """
        representatives: list[ValueInfo] = []
        for group, carriers in zip(
            self._memrefs.groups, self._memrefs.carriers, strict=True
        ):
            infos: list[ValueInfo] = []
            for memref, _ in group:
                region, start = _scope(info_of[memref.op], carriers)
                info = ValueInfo(memref, region, info_of[memref.op], start, len(values))
                info.definitions = (info,)
                values[memref] = info
                infos.append(info)
            representative = infos[0]
            representative.definitions = earliest_per_block(infos)
            representatives.append(representative)
            is_one = len(group) == 1
            relation = BufferRelation.EQUIVALENT if is_one else BufferRelation.UNKNOWN
            for info, (memref, index) in zip(infos, group, strict=True):
                operands = info_of[memref.op].operands
                operand = next(o for o in operands if o.index == index)
                shared = dict.fromkeys((info, representative))
                operand.memrefs = (*operand.memrefs, *shared)
                for value in shared:
                    alias = AliasingValue(value.value, relation, definite=is_one)
                    value.sources.append((operand, alias))
        for op, operands in self._memrefs.readers.items():
            for index, group in operands:
                value = representatives[group]
                value.is_read = True
                value.reads.append(
                    TensorOperand(info_of[op], index, value, True, False)
                )


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
