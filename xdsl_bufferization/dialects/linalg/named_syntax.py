"""Printing named ops of linalg: with their indexing maps, and as mlir-opt 22 reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.structured_syntax import (
    print_attributes,
    print_operands,
    print_result_types,
    written_attributes,
)
from xdsl_bufferization.support.xdsl_releases import linalg_abstract_ops

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


def print_named_op(op: Operation, printer: Printer) -> None:
    """Prints everything after the name of the op."""
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


def loses_in_custom_form(op: Operation) -> bool:
    """
    Whether xDSL reads another op from the custom form of a named op: one with another body,
    or without attributes for which the form has no place.

    Those that the analysis writes for readers (`__inplace_operands_attr__`) do not count.
    """
    maps = op.properties.get("indexing_maps")
    if maps is not None and maps != default_indexing_maps(op.name, op.operand_types):
        return True
    if not _has_body_of_xdsl(op):
        return True
    in_front: bool = getattr(op, "PRINT_ATTRS_IN_FRONT", False)
    names = (name for name in written_attributes(op) if not name.startswith("__"))
    return not in_front and any(names)


def _has_body_of_xdsl(op: Operation) -> bool:
    """Whether the body is the one that xDSL makes for an op in custom form."""
    if not isinstance(op, linalg_abstract_ops.NamedOperation):
        return False
    inputs = len(op.operands) - _number_of_outputs(op)
    try:
        region = op.get_hidden_region(op.operands[:inputs], op.operands[inputs:])
    except (AssertionError, NotImplementedError, VerifyException):
        # There is none for elements of these types.
        return False
    return _compute_the_same(op.regions[0].block, region.block)


_COMMUTATIVE = "arith.addf", "arith.addi", "arith.maximumf", "arith.mulf", "arith.muli"


def _compute_the_same(block: Block, other: Block) -> bool:
    """Whether the blocks differ in the order of commutative operands at most."""
    ops, other_ops = [*block.ops], [*other.ops]
    if block.arg_types != other.arg_types or len(ops) != len(other_ops):
        return False
    values: dict[SSAValue, SSAValue] = {
        **dict(zip(block.args, other.args, strict=True))
    }
    for op, other_op in zip(ops, other_ops, strict=True):
        if (op.name, op.properties, op.result_types) != (
            other_op.name,
            other_op.properties,
            other_op.result_types,
        ):
            return False
        operands = [values.get(operand) for operand in op.operands]
        wanted = [*other_op.operands]
        if op.name in _COMMUTATIVE and operands != wanted:
            operands.reverse()
        if operands != wanted:
            return False
        values.update(zip(op.results, other_op.results, strict=True))
    return True
