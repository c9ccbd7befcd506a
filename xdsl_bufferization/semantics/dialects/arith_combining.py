"""Functions of arith ops that combine two values in reductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, StringAttr
from xdsl.dialects.test import TestOp
from xdsl.ir import Attribute
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.semantics.dialects.arith import ArithFunctions, width_of
from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.values import Value, dtype_of, element_type, wrap

_READ_MODIFY_WRITE = (
    "addf addi andi assign maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf "
    "muli ori xori"
).split()
"""By MLIR's number of the kind of `memref.atomic_rmw` and `affine.parallel`."""

_OTHER_NAMES = {
    "and": "andi",
    "maxs": "maxsi",
    "maxu": "maxui",
    "mins": "minsi",
    "minu": "minui",
    "or": "ori",
    "xor": "xori",
}


@cache
def combining(kind: str, type: Attribute) -> Callable[[Value, Value], Value]:
    """
    The function that combines two values of the type, or arrays of them. The kind is a
    name of the vector dialect or of arith; "add" and "mul" are for all numbers, and
    "assign" gives the second value.
    """
    if kind == "assign":
        return lambda a, b: b
    name = _OTHER_NAMES.get(kind, kind)
    if name in ("add", "mul"):
        whole = isinstance(element_type(type), IntegerType | IndexType)
        name += "i" if whole else "f"
    function = ArithFunctions.scalar.get(f"arith.{name}")
    if function is None:
        raise MissingSemanticsError(f"cannot combine values by '{kind}'")
    # The functions of arith only use the types of an op.
    operands = [create_ssa_value(type), create_ssa_value(type)]
    op = TestOp(operands, result_types=[type])
    return lambda a, b: function(op, (a, b))


def read_modify_write_kind(kind: Attribute | None) -> str:
    """The name of the kind that the attribute gives by number or, in xDSL, by name."""
    if isinstance(kind, IntegerAttr):
        number = kind.value.data
        if 0 <= number < len(_READ_MODIFY_WRITE):
            return _READ_MODIFY_WRITE[number]
    if isinstance(kind, StringAttr):
        return kind.data
    raise MissingSemanticsError(f"cannot combine values by '{kind}'")


def neutral(kind: str, type: Attribute) -> Value:
    """The neutral element: combined with any value of the type, it gives that value."""
    dtype = dtype_of(element_type(type))
    highest = (1 << (width_of(type) - 1)) - 1
    match _OTHER_NAMES.get(kind, kind):
        case "add" | "addf" | "addi" | "ori" | "xori" | "maxui":
            number = 0
        case "mul" | "mulf" | "muli":
            number = 1
        case "andi" | "minui":
            number = -1
        case "maxsi":
            number = -highest - 1
        case "minsi":
            number = highest
        case "maximumf" | "maxnumf":
            return dtype.type(-np.inf)
        case "minimumf" | "minnumf":
            return dtype.type(np.inf)
        case other:
            raise MissingSemanticsError(f"'{other}' of no values is unknown")
    return wrap(type, number)
