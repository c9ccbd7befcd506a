"""
How structured ops of linalg bufferize: in place into their inits.

All of them have the same kinds of operands, results and regions, so one model serves them
all, whether or not xDSL defines the op.

`StructuredTiling` says which parts of its operands an op needs for a tile of its results.

The loops of structured ops: from their indexing maps, or from their names.

Linalg ops that only move elements, and the cost of computing the result of a structured op again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, TensorType
from xdsl.ir import BlockArgument, Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.dialects.linalg.indexing import ELEMENTWISE, LOOPS, maps_of
from xdsl_bufferization.host.releases import (
    linalg_abstract_ops,
    maps_and_reductions,
    maps_of_parallel_loops,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    OperandUse,
)
from xdsl_bufferization.interfaces.contents import (
    Move,
    MoveOpInterface,
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.loop_like import LoopNest, LoopNestOpInterface
from xdsl_bufferization.interfaces.tiling import Box, TilingInterface
from xdsl_bufferization.models.shared.destinations import (
    DestinationStyleModel,
    ParallelRegionModel,
)
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_sparse,
    is_tensor,
    ranked_shape,
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


class StructuredDestination(DestinationStyleOpInterface, BufferEffectsOpInterface):
    """A structured op has its inits after its inputs, which it only reads."""

    def inits(self, op: Operation) -> Sequence[int]:
        if op_name(op) in ("linalg.index", "linalg.yield"):
            return ()
        return range(_num_inputs(op), len(op.operands))

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        is_init = operand >= _num_inputs(op)
        return BufferEffect.TOUCH if is_init else BufferEffect.READ


def _num_inputs(op: Operation) -> int:
    if segments := integers(op, "operandSegmentSizes"):
        return segments[0]
    # Ops that need no segments have as many inits as inputs, or one init.
    if op_name(op) == "linalg.reduce":
        return len(op.operands) // 2
    return max(len(op.operands) - 1, 0)


class StructuredModel(
    StructuredDestination, DestinationStyleModel, ParallelRegionModel
):
    """
    A structured op: writes its inits; each of them becomes one of its results.

    An operand is read if the op's body uses the element taken from it. The order of the iterations
    is not defined, whatever the iterator types.
    """

    def fits(self, op: Operation) -> bool:
        return op_name(op) not in _NOT_STRUCTURED

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        body = op.regions[0].blocks.first if op.regions else None
        if body is None:
            return operand not in self.inits(op) or op_name(op) != "linalg.softmax"
        # Before LLVM 22 there is no argument for the init of a `linalg.map`.
        arguments = body.args
        return operand < len(arguments) and arguments[operand].first_use is not None

    def operand_uses(self, op: Operation, state: AnalysisState) -> Sequence[OperandUse]:
        inits, results = self.inits(op), iter(op.results)
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

    def verify_answers(self, op: Operation) -> None:
        pass  # Of an op whose inits do not fit, `verify_op` says it.

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        tensors = [i for i in self.inits(op) if is_tensor(op.operands[i])]
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


@lru_cache(maxsize=1024)
def is_permutation(map: AffineMap) -> bool:
    """Whether the results of the map are its dimensions, each once."""
    return (
        map.num_symbols == 0
        and map.num_dims == len(map.results)
        and map.inverse_permutation() is not None
    )


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


class StructuredLoops(LoopNestOpInterface):
    """A structured op, unless its body asks in which iteration it is."""

    def loop_nest(self, op: Operation) -> LoopNest | None:
        by_name = _nest_by_name(op_name(op))
        if by_name is not None:
            return by_name
        style = DestinationStyleOpInterface.of(op)
        if (
            style is None
            or not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
            or any(op_name(inner) == "linalg.index" for inner in op.walk())
        ):
            return None
        found = maps_and_reductions(op)
        if found is None or len(found[0]) != len(op.operands):
            return None
        maps, reductions = found
        return _nest_by_maps(maps, reductions)


def _nest_by_maps(maps: Sequence[AffineMap], reductions: Sequence[int]) -> LoopNest:
    composite = {
        dimension
        for map in maps
        for result in map.results
        if not isinstance(result, AffineDimExpr)
        for dimension in result.used_dims()
    }
    loops = range(maps[0].num_dims) if maps else range(0)
    operands = [
        [r.position if isinstance(r, AffineDimExpr) else None for r in map.results]
        for map in maps
    ]
    return LoopNest(operands, frozenset(loops) - composite, reductions)


@cache
def _nest_by_name(name: str) -> LoopNest | None:
    """
    The loops of a convolution or a pooling, by its name.

    Two loops index a spatial dimension of the input together: that of the output and that of the
    filter or window. Parts of either need overlapping parts of the input, so neither is tileable.
    """
    row = LOOPS.get(name.removeprefix("linalg."), "")
    if not (windows := row.count("(")):
        return None
    *inputs, output = maps_of(row, (1,) * windows, (1,) * windows)
    loops = range(output.num_dims)
    sums = [i for i in loops if AffineExpr.dimension(i) not in output.results]
    return _nest_by_maps((*inputs, output), sums)


class StructuredMove(MoveOpInterface):
    """
    A structured op whose body only yields an input, or a value from outside: `linalg.fill`,
    `linalg.transpose`, or a `linalg.generic`. `linalg.copy` asks for a copy, so it is none.
    """

    def fits(self, op: Operation) -> bool:
        return (
            isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
            and op_name(op) != "linalg.copy"
        )

    def move(self, op: Operation) -> Move | None:
        if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
            return None
        body = op.regions[0].block
        terminator = body.last_op
        if (
            terminator is None
            or terminator is not body.first_op
            or len(terminator.operands) != 1
        ):
            return None
        maps = parallel_maps(op)
        if maps is None:
            return None
        *inputs, output = (map.data for map in maps)
        (yielded,) = terminator.operands
        if not isinstance(yielded, BlockArgument) or yielded.block is not body:
            return Move(yielded, None) if is_permutation(output) else None
        if yielded.index >= len(inputs):
            return None
        source = op.operands[yielded.index]
        if is_memref_type(source.type):
            return None
        if not isinstance(source.type, TensorType):
            return Move(source, None) if is_permutation(output) else None
        map = _from_result(inputs[yielded.index], output)
        return None if map is None else Move(source, map)


class BroadcastMove(MoveOpInterface):
    """`linalg.broadcast`, which xDSL does not define as a structured op."""

    def move(self, op: Operation) -> Move | None:
        if len(op.results) != 1:
            return None
        rank = len(ranked_shape(op.results[0]))
        added = integers(op, "dimensions")
        kept = [AffineExpr.dimension(d) for d in range(rank) if d not in added]
        return Move(op.operands[0], AffineMap(rank, 0, (*kept,)))


@lru_cache(maxsize=1024)
def _from_result(input: AffineMap, output: AffineMap) -> AffineMap | None:
    """The map from indices of the output to those of the input, for all loops once."""
    if not is_permutation(output) or input.num_symbols:
        return None
    inverse = output.inverse_permutation()
    return None if inverse is None else input.compose(inverse)


class StructuredRematerialization(RematerializationOpInterface):
    """
    A structured op that only moves elements: `linalg.fill`, `linalg.transpose`, or a
    `linalg.generic` whose body only yields.
    """

    def fits(self, op: Operation) -> bool:
        return isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)

    def bytes_read(self, op: Operation) -> int | None:
        return _bytes_of_inputs(op) if _only_moves_elements(op) else None


class BroadcastRematerialization(RematerializationOpInterface):
    """`linalg.broadcast`, which xDSL does not define as a structured op."""

    def bytes_read(self, op: Operation) -> int | None:
        return _bytes_of_inputs(op) if len(op.results) == 1 else None


def _bytes_of_inputs(op: Operation) -> int | None:
    style = DestinationStyleOpInterface.of(op)
    inits = () if style is None else style.inits(op)
    sizes = [
        bytes_of_contents(operand)
        for index, operand in enumerate(op.operands)
        if index not in inits and is_tensor(operand)
    ]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _only_moves_elements(op: Operation) -> bool:
    """Whether each element of the result is one of an input, or a scalar."""
    if (
        not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
        or len(op.results) != 1
        or not isinstance(op.results[0].type, TensorType)
        or maps_of_parallel_loops(op) is None
    ):
        return False
    body = op.regions[0].block
    return body.last_op is body.first_op and body.args[-1].first_use is None
