"""
How `linalg.pack` and `linalg.unpack` bufferize.

Neither has a form on memrefs. If whole tiles are known to fill each dimension, the op becomes
a `linalg.transpose` to or from the unpacked buffer with each tiled dimension split in two;
else a `linalg.generic` that computes for each element where it comes from.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    TensorType,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.linalg.indexing import Tiling
from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.models.shared.allocations import elementwise
from xdsl_bufferization.models.shared.destinations import UpdateModel
from xdsl_bufferization.models.shared.slices import buffer_size
from xdsl_bufferization.support.attributes import integers, reassociation_attribute
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import expand_type
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import ranked_memref, ranked_shape

Element: TypeAlias = Callable[[Builder, Sequence[SSAValue]], SSAValue]


class PackingModel(UpdateModel):
    """An op that overwrites its second operand with the elements of the first."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand == 0

    def unpacked_and_packed(
        self, source: SSAValue, destination: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The unpacked and the packed one of the op's operands."""
        return source, destination

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        unpacked, packed = self.unpacked_and_packed(*op.operands[:2])
        if isinstance(unpacked.type, TensorType) and isinstance(
            packed.type, TensorType
        ):
            tiling = Tiling.of(op, len(ranked_shape(unpacked)))
            if tiling is not None and len(ranked_shape(packed)) == sum(
                map(len, tiling.groups)
            ):
                return
        raise BufferizationError(
            op,
            "has tiles that do not fit its types",
            hint="inner_dims_pos names each tiled dimension once, outer_dims_perm is "
            "empty or names each dimension once, and the packed tensor has one more "
            "dimension for each tile",
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, destination = map(bufferizer.buffer, op.operands[:2])
        unpacked, packed = self.unpacked_and_packed(source, destination)
        tiling = Tiling.of(op, len(ranked_shape(unpacked)))
        assert tiling is not None
        if tiling.fills(ranked_shape(unpacked), ranked_shape(packed)):
            split = _split(unpacked, packed, tiling, bufferizer)
            order = [dim for group in tiling.groups for dim in group]
            if destination is packed:
                permutation = [order.index(dim) for dim in range(len(order))]
                _transpose(split, packed, permutation, bufferizer)
            else:
                _transpose(packed, split, order, bufferizer)
        else:
            tiles = [
                None if inner is None else _size(packed, inner, bufferizer)
                for inner in tiling.inner
            ]
            element = self.element(op, source, tiling, tiles, bufferizer)
            _generate(destination, element, bufferizer)
        bufferizer.replace(op, [destination])

    @abstractmethod
    def element(
        self,
        op: Operation,
        source: SSAValue,
        tiling: Tiling,
        tiles: Sequence[SSAValue | None],
        bufferizer: Bufferizer,
    ) -> Element:
        """Computes the element of the destination at the given indices."""


class PackModel(PackingModel):
    """`linalg.pack`: transposes, or gathers elements and padding."""

    def element(
        self,
        op: Operation,
        source: SSAValue,
        tiling: Tiling,
        tiles: Sequence[SSAValue | None],
        bufferizer: Bufferizer,
    ) -> Element:
        padding = _padding(op)
        # Without padding, all tiles are full.
        limits = [
            None if padding is None or tile is None else _size(source, dim, bufferizer)
            for dim, tile in enumerate(tiles)
        ]

        def element(builder: Builder, indices: Sequence[SSAValue]) -> SSAValue:
            position: list[SSAValue] = []
            for outer, inner, tile in zip(
                tiling.outer, tiling.inner, tiles, strict=True
            ):
                index = indices[outer]
                if inner is not None and tile is not None:
                    start = builder.insert(arith.MuliOp(index, tile)).result
                    index = builder.insert(arith.AddiOp(start, indices[inner])).result
                position.append(index)
            is_inside = [
                builder.insert(arith.CmpiOp(index, limit, "ult")).result
                for index, limit in zip(position, limits, strict=True)
                if limit is not None
            ]
            load = memref.LoadOp.get(source, position)
            if padding is None or not is_inside:
                return builder.insert(load).res
            inside = reduce(
                lambda a, b: builder.insert(arith.AndIOp(a, b)).result, is_inside
            )
            # Other programs with linalg ops do not wait for the dialect.
            from xdsl.dialects import scf

            conditional = scf.IfOp(
                inside,
                (padding.type,),
                Region(Block((load, scf.YieldOp(load)))),
                Region(Block((scf.YieldOp(padding),))),
            )
            return builder.insert(conditional).results[0]

        return element


class UnpackModel(PackingModel):
    """`linalg.unpack`: transposes, or gathers elements."""

    def unpacked_and_packed(
        self, source: SSAValue, destination: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        return destination, source

    def element(
        self,
        op: Operation,
        source: SSAValue,
        tiling: Tiling,
        tiles: Sequence[SSAValue | None],
        bufferizer: Bufferizer,
    ) -> Element:
        def element(builder: Builder, indices: Sequence[SSAValue]) -> SSAValue:
            position: dict[int, SSAValue] = {}
            for index, outer, inner, tile in zip(
                indices, tiling.outer, tiling.inner, tiles, strict=True
            ):
                position[outer] = index
                if inner is not None and tile is not None:
                    position[outer] = builder.insert(arith.DivUIOp(index, tile)).result
                    position[inner] = builder.insert(arith.RemUIOp(index, tile)).result
            in_order = [position[dim] for dim in sorted(position)]
            return builder.insert(memref.LoadOp.get(source, in_order)).res

        return element


def _split(
    unpacked: SSAValue, packed: SSAValue, tiling: Tiling, bufferizer: Bufferizer
) -> SSAValue:
    """The unpacked buffer with each tiled dimension split into tiles."""
    sizes = ranked_shape(packed)
    shape = [sizes[dim] for group in tiling.groups for dim in group]
    if len(shape) == len(tiling.groups):
        return unpacked
    reassociation: list[list[int]] = []
    for group in tiling.groups:
        first = sum(map(len, reassociation))
        reassociation.append([*range(first, first + len(group))])
    source_type = ranked_memref(unpacked.type)
    split = memref.ExpandShapeOp.build(
        operands=(unpacked, ()),
        result_types=(expand_type(source_type, shape, reassociation),),
        properties={
            "reassociation": reassociation_attribute(reassociation),
            "static_output_shape": DenseArrayBase.from_list(i64, shape),
        },
    )
    return bufferizer.insert(split).result


def _transpose(
    source: SSAValue,
    destination: SSAValue,
    permutation: Sequence[int],
    bufferizer: Bufferizer,
) -> None:
    bufferizer.insert(
        linalg_ops.TransposeOp(
            source, destination, DenseArrayBase.from_list(i64, permutation)
        )
    )


def _generate(
    buffer: SSAValue,
    element: Element,
    bufferizer: Bufferizer,
) -> None:
    """Overwrite each element of the buffer with what `element` builds from its indices."""
    type = ranked_memref(buffer.type)
    block = Block(arg_types=(type.element_type,))
    builder = Builder(InsertPoint.at_end(block))
    indices = [
        builder.insert(linalg_ops.IndexOp(dim)).result
        for dim in range(type.get_num_dims())
    ]
    builder.insert(linalg_ops.YieldOp(element(builder, indices)))
    elementwise((), buffer, Region(block), bufferizer)


def _size(buffer: SSAValue, dim: int, bufferizer: Bufferizer) -> SSAValue:
    return bufferizer.index(buffer_size(buffer, dim, bufferizer))


def _padding(op: Operation) -> SSAValue | None:
    has_padding = integers(op, "operandSegmentSizes")[2]
    return op.operands[2] if has_padding else None
