"""A dialect with tensors and buffers of its own, as another package would bring it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.builder import Builder
from xdsl.dialects.builtin import IntAttr, UnregisteredOp
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    OpResult,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import irdl_attr_definition

from tests.other_dialects import registered
from xdsl_bufferization import BufferizableOpInterface, DestinationStyleModel
from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType


@irdl_attr_definition
class BankType(BufferLikeType, ParametrizedAttribute, TypeAttribute):
    """The memory of a tile; a bank can be used as a narrower one."""

    name = "tile.bank"

    width: IntAttr

    def build_cast(self, builder: Builder, buffer: SSAValue) -> SSAValue | None:
        return builder.insert(_op("tile.narrow", [buffer], [self])).results[0]


@irdl_attr_definition
class TileType(TensorLikeType, ParametrizedAttribute, TypeAttribute):
    """A tile, that can be copied."""

    name = "tile.tile"

    width: IntAttr

    def get_buffer_type(self, memory_space: Attribute | None) -> Attribute:
        return BankType(self.width)

    def common_buffer_type(self, types: Sequence[Attribute]) -> Attribute | None:
        return BankType(self.width)

    def build_copy(self, builder: Builder, value: SSAValue) -> SSAValue:
        return builder.insert(_op("tile.copy", [value], [value.type])).results[0]


@irdl_attr_definition
class PinnedType(TensorLikeType, ParametrizedAttribute, TypeAttribute):
    """A tile of which there are no copies."""

    name = "tile.pinned"

    def get_buffer_type(self, memory_space: Attribute | None) -> Attribute:
        return BankType(IntAttr(1))


TILE = Dialect("tile", [], [BankType, TileType, PinnedType])


def _op(
    name: str, operands: Sequence[SSAValue], results: Sequence[Attribute]
) -> Operation:
    return UnregisteredOp.with_name(name).create(
        operands=operands, result_types=results
    )


class Update(DestinationStyleModel):
    """`tile.update`: writes its last operand."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (len(op.operands) - 1,)


class Sum(BufferizableOpInterface):
    """`tile.sum`: reads a tile."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.replace(
            op, bufferizer.rebuild(op, bufferizer.operands(op), op.result_types).results
        )


class New(BufferizableOpInterface):
    """`tile.new` and `tile.copy`: a new bank, with the contents of the operand."""

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return True

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bank = bufferizer.buffer_type(op.results[0])
        new = bufferizer.insert(_op("tile.alloc", (), (bank,))).results[0]
        for source in bufferizer.operands(op):
            bufferizer.insert(_op("tile.move", (source, new), ()))
        bufferizer.replace(op, [new])


class Wide(New):
    """`tile.wide`: a new bank that is wider than the tile."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return BankType(IntAttr(8))


@contextmanager
def tiles_take_part() -> Generator[None]:
    """Within the context, the ops of the dialect have models."""
    with registered(
        [
            ("tile.update", Update()),
            ("tile.sum", Sum()),
            ("tile.new", New()),
            ("tile.copy", New()),
            ("tile.wide", Wide()),
        ]
    ):
        yield
