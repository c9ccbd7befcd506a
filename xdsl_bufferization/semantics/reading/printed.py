"""Round trips: programs as xDSL prints them, read again."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import ParseError, VerifyException

from xdsl_bufferization.dense.literals import DenseLiteralParser
from xdsl_bufferization.dialects.shared.syntax import MEMOIZED_MAPS


def misprinted(module: ModuleOp, context: Context) -> Operation | None:
    """
    The first op that does not round-trip; `None` if there is none, or if the printed text is
    refused with an error.
    """
    try:
        again = DenseLiteralParser(context, str(module)).parse_module()
    except (ParseError, VerifyException):
        return None
    if module.is_structurally_equivalent(again):
        return None
    for op, other in zip(module.walk(), again.walk(), strict=False):
        if not _is_same_op(op, other):
            return op
    return None


def _is_same_op(op: Operation, other: Operation) -> bool:
    """Whether the two are the same apart from their operands and regions."""
    return (
        op.name == other.name
        and _stated(op.attributes) == _stated(other.attributes)
        and _stated(op.properties) == _stated(other.properties)
        and op.operand_types == other.operand_types
        and op.result_types == other.result_types
    )


def _stated(attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """
    The attributes without those that are false, as they are when nothing is written, and
    without maps that follow from the op.
    """
    false = BoolAttr.from_bool(False)
    return {
        k: attribute
        for k, attribute in attributes.items()
        if attribute != false and k != MEMOIZED_MAPS
    }
