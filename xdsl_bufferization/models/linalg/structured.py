"""
How structured ops of linalg bufferize: in place into their inits.

All of them have the same kinds of operands, results and regions, so one model serves them
all, whether or not xDSL defines the op.

`StructuredTiling` says which parts of its operands an op needs for a tile of its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.dialects.linalg.indexing import (
    ELEMENTWISE,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    OperandUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.tiling import TilingInterface
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.boxes import Box
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_sparse, is_tensor
from xdsl_bufferization.support.xdsl_releases import (
    linalg_abstract_ops,
    maps_of_parallel_loops,
)

_NOT_STRUCTURED = frozenset(
    f"linalg.{name}"
    for name in (
        "index",
        "yield",
        # Without a form on memrefs; they have to be decomposed before.
        "winograd_filter_transform",
        "winograd_input_transform",
        "winograd_output_transform",
    )
)
"""Ops of the dialect that are not structured, or have no form on memrefs."""

_ELEMENTWISE = frozenset(
    f"linalg.{name}"
    for name in {*ELEMENTWISE, "map"} - {"elementwise", "fill", "fill_rng_2d"}
)
"""
Ops that compute each element from those at the same position; xDSL lacks some of them.
"""


class StructuredModel(BufferizableOpInterface):
    """
    A structured op: writes its inits; each of them becomes one of its results.

    An operand is read if the op's body uses the element taken from it.
    """

    def fits(self, op: Operation) -> bool:
        return op_name(op) not in _NOT_STRUCTURED

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        body = op.regions[0].blocks.first if op.regions else None
        if body is None:
            return operand not in _inits(op) or op_name(op) != "linalg.softmax"
        # Before LLVM 22 there is no argument for the init of a `linalg.map`.
        arguments = body.args
        return operand < len(arguments) and arguments[operand].first_use is not None

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand in _inits(op)

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        destination = DestinationStyleOpInterface.of(op)
        result = destination and destination.tied_result(op, operand)
        return () if result is None else (AliasingValue(result),)

    def operand_uses(self, op: Operation, state: AnalysisState) -> Sequence[OperandUse]:
        inits, results = _inits(op), iter(op.results)
        return [
            OperandUse(
                index,
                self.reads(op, index, state),
                index in inits,
                (AliasingValue(next(results)),) if index in inits else (),
            )
            for index, value in enumerate(op.operands)
            if is_tensor(value)
        ]

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        # Code for sparse tensors may visit the elements in another order.
        if any(map(is_sparse, op.operand_types)):
            return False
        if op_name(op) in _ELEMENTWISE:
            return True
        maps = parallel_maps(op)
        if maps is None:
            return False
        map_a, map_b = maps.data[a].data, maps.data[b].data
        return map_a == map_b and is_permutation(map_a)

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return True

    def is_parallel(self, op: Operation, region: int) -> bool:
        # The order of the iterations is not defined, whatever the iterator types.
        return True

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        tensors = [i for i in _inits(op) if is_tensor(op.operands[i])]
        if len(tensors) != len(op.results):
            raise BufferizationError(
                op,
                f"has {len(op.results)} results, but {len(tensors)} tensors among its inits",
                hint="each result needs an init that is a tensor",
            )
        for index, result in zip(tensors, op.results, strict=True):
            if result.type != (init := op.operands[index].type):
                raise BufferizationError(
                    op,
                    f"has a result of type {result.type}, but {init} as the type of its init",
                    hint="a result has the type of its init",
                )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        new_op = bufferizer.rebuild(op, bufferizer.operands(op), ())
        bufferizer.replace(
            op, [new_op.operands[i] for i in _inits(op) if is_tensor(op.operands[i])]
        )


@lru_cache(maxsize=1024)
def is_permutation(map: AffineMap) -> bool:
    """Whether the results of the map are its dimensions, each once."""
    return (
        map.num_symbols == 0
        and map.num_dims == len(map.results)
        and map.inverse_permutation() is not None
    )


def _inits(op: Operation) -> Sequence[int]:
    destination = DestinationStyleOpInterface.of(op)
    return () if destination is None else destination.inits(op)


def parallel_maps(op: Operation) -> ArrayAttr[AffineMapAttr] | None:
    """Which elements the operands have in the op's loops, if all of these are parallel."""
    if op_name(op) == "linalg.elementwise":
        maps = cast(ArrayAttr[AffineMapAttr] | None, attribute(op, "indexing_maps"))
        # How many there are, xDSL does not verify.
        fits = maps is not None and len(maps) == len(op.operands)
        return maps if fits else None
    if isinstance(op, linalg_abstract_ops.LinalgStructuredOperation):
        return maps_of_parallel_loops(op)
    return None


class StructuredDestination(DestinationStyleOpInterface):
    """A structured op has its inits after its inputs."""

    def inits(self, op: Operation) -> Sequence[int]:
        if op_name(op) in ("linalg.index", "linalg.yield"):
            return ()
        return range(_num_inputs(op), len(op.operands))


def _num_inputs(op: Operation) -> int:
    if segments := integers(op, "operandSegmentSizes"):
        return segments[0]
    # Ops that need no segments have as many inits as inputs, or one init.
    if op_name(op) == "linalg.reduce":
        return len(op.operands) // 2
    return max(len(op.operands) - 1, 0)


class StructuredEffects(BufferEffectsOpInterface):
    """A structured op reads its inputs, and reads and writes its inits."""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        is_init = operand >= _num_inputs(op)
        return BufferEffect.TOUCH if is_init else BufferEffect.READ


class StructuredTiling(TilingInterface):
    """
    A structured op with parallel loops only: each loop is a dimension of the results.
    """

    def fits(self, op: Operation) -> bool:
        return isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)

    def is_tileable(self, op: Operation) -> bool:
        style = DestinationStyleOpInterface.of(op)
        maps = parallel_maps(op)
        return (
            maps is not None
            and style is not None
            and all(_is_identity(maps.data[init].data) for init in style.inits(op))
            and not any(op_name(o) == "linalg.index" for o in op.walk())
        )

    def part_of_operand(self, op: Operation, operand: int, tile: Box) -> Box | None:
        if (maps := parallel_maps(op)) is None:
            return None
        offsets: list[int] = []
        sizes: list[int] = []
        for result in maps.data[operand].data.results:
            match result:
                case AffineDimExpr(position):
                    offsets.append(tile.offsets[position])
                    sizes.append(tile.sizes[position])
                case AffineConstantExpr(value):
                    offsets.append(value)
                    sizes.append(1)
                case _:
                    return None
        return Box(tuple(offsets), tuple(sizes))


def _is_identity(map: AffineMap) -> bool:
    return map == AffineMap.identity(map.num_dims)
