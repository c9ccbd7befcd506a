"""Printing named ops of linalg: with their indexing maps, and as mlir-opt 22 reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, MemRefType, ShapedType, f32
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.ops import MatmulOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.printer import Printer

from xdsl_bufferization.repairs.linalg_operands import (
    print_attributes,
    print_operands,
    print_result_types,
)

_DEFAULT_MAPS = {
    "linalg.batch_matmul": "bmnk: bmk, bkn, bmn",
    "linalg.batch_reduce_matmul": "bmnk: bmk, bkn, mn",
    "linalg.matmul": "mnk: mk, kn, mn",
}
"""Ops with optional indexing maps: the loops, and the indices of each operand without."""


def default_indexing_maps(
    name: str, operand_types: Sequence[Attribute]
) -> ArrayAttr[AffineMapAttr] | None:
    """The indexing maps of an op without any in its text; `None` if it has to have some."""
    if name == "linalg.elementwise":
        shaped = operand_types[-1]
        rank = shaped.get_num_dims() if isinstance(shaped, ShapedType) else 0
        maps = [AffineMap.identity(rank)] * len(operand_types)
        return ArrayAttr(map(AffineMapAttr, maps))
    return _written_maps(_DEFAULT_MAPS[name]) if name in _DEFAULT_MAPS else None


@cache
def _written_maps(text: str) -> ArrayAttr[AffineMapAttr]:
    loops, operands = text.split(": ")
    return ArrayAttr(
        AffineMapAttr(
            AffineMap(
                len(loops),
                0,
                tuple(AffineExpr.dimension(loops.index(loop)) for loop in indices),
            )
        )
        for indices in operands.split(", ")
    )


def print_named_op(self: Operation, printer: Printer) -> None:
    """Prints everything behind the name of the op."""
    op = self
    kind = op.properties.get("kind")
    if kind is not None:
        printer.print_string(" kind=")
        printer.print_attribute(kind)
    maps = op.properties.get("indexing_maps")
    if maps is not None and maps != default_indexing_maps(op.name, op.operand_types):
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(maps)
    print_attributes(printer, op)
    inputs = len(op.operands) - _number_of_outputs(op)
    print_operands(printer, "ins", op.operands[:inputs])
    print_operands(printer, "outs", op.operands[inputs:])
    print_result_types(printer, op.result_types)


def _number_of_outputs(op: Operation) -> int:
    return len(getattr(op, "outputs"))  # noqa: B009 # each of these ops has them


def is_broken() -> bool:
    matrix = MemRefType(f32, [2, 2])
    a, b, c = Block(arg_types=[matrix] * 3).args
    op = MatmulOp((a, b), (c,))
    op.properties["indexing_maps"] = _written_maps("mnk: mk, nk, mn")
    return "indexing_maps" not in str(op)


def mend() -> None:
    NamedOperation.print = print_named_op
