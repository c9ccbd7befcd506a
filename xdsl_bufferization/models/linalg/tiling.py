"""Which parts of its operands a structured op needs for a tile of its results."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.tiling import TilingInterface
from xdsl_bufferization.models.linalg.structured import parallel_maps
from xdsl_bufferization.support.boxes import Box
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.xdsl_releases import linalg_abstract_ops


class StructuredTiling(TilingInterface):
    """
    A structured op with parallel loops only, each of which is a dimension of the results.
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
        maps = parallel_maps(op)
        assert maps is not None
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
