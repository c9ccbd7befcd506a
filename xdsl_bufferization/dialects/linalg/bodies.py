"""
The bodies of named structured ops, as mlir-opt 22 makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects.linalg.special_ops import (
    ElementwiseKindAttr,
    IndexOp,
    TypeFn,
    TypeFnAttr,
)
from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.support.shaped_types import element_type


class UnsupportedBody(Exception):
    """The op does not compute with elements of these types."""


_BinaryOp = Callable[[SSAValue, SSAValue], Operation]

_UNARY: Mapping[str, Callable[[SSAValue], Operation]] = {
    "abs": math.AbsFOp,
    "ceil": math.CeilOp,
    "erf": math.ErfOp,
    "exp": math.ExpOp,
    "floor": math.FloorOp,
    "log": math.LogOp,
    "negf": arith.NegfOp,
    "round": math.RoundOp,
    "rsqrt": math.RsqrtOp,
    "sqrt": math.SqrtOp,
    "tanh": math.TanhOp,
}
_FLOATS: Mapping[str, _BinaryOp] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "max": arith.MaximumfOp,
    "min": arith.MinimumfOp,
    "powf": math.PowFOp,
}
_INTEGERS: Mapping[str, _BinaryOp] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "div": arith.DivSIOp,
    "div_unsigned": arith.DivUIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "max_unsigned": arith.MaxUIOp,
    "min_unsigned": arith.MinUIOp,
}
_BITS: Mapping[str, _BinaryOp] = {
    "add": arith.OrIOp,
    "mul": arith.AndIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "max_unsigned": arith.MaxUIOp,
    "min_unsigned": arith.MinUIOp,
}


@cache
def _complex_ops() -> Mapping[str, _BinaryOp]:
    # Few programs have complex numbers; the others do not wait for the dialect.
    from xdsl.dialects import complex

    return {
        "add": complex.AddOp,
        "sub": complex.SubOp,
        "mul": complex.MulOp,
        "div": complex.DivOp,
    }


class BodyBuilder:
    """Makes the ops of one body, inserted by the implicit builder of its block."""

    def __init__(self, operand_types: Sequence[Attribute], *, signed: bool):
        self.block = Block(arg_types=[*map(element_type, operand_types)])
        self._signed = signed

    def result(self, op: Operation) -> SSAValue:
        (result,) = op.results
        return result

    def cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        return converted(value, type, signed=self._signed)

    def unary(self, name: str, value: SSAValue) -> SSAValue:
        if not isinstance(value.type, AnyFloat):
            raise UnsupportedBody(f"{name} of {value.type}")
        match name:
            case "square":
                return self.result(arith.MulfOp(value, value))
            case "reciprocal":
                one = self.result(arith.ConstantOp(FloatAttr(1.0, value.type)))
                return self.result(arith.DivfOp(one, value))
            case _:
                return self.result(_UNARY[name](value))

    def binary(self, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
        ops = _ops_on(left.type)
        if name not in ops or left.type != right.type:
            raise UnsupportedBody(f"{name} of {left.type} and {right.type}")
        return self.result(ops[name](left, right))

    def constant(self, number: int, type: Attribute) -> SSAValue:
        """An integer, converted to the type."""
        op = arith.ConstantOp(IntegerAttr(number, i64))
        return self.cast(self.result(op), type)

    def position(self, loop: int) -> SSAValue:
        """The index of the loop, as an `i32`."""
        index = self.result(IndexOp(loop))
        return self.result(arith.IndexCastOp(index, i32))

    def random(self, lowest: SSAValue, highest: SSAValue, seed: SSAValue) -> SSAValue:
        """A number between two, computed from the seed and the position."""
        middle = self.constant(2147483647, f64)
        column = self.position(1)
        number = self.binary("add", self.position(0), seed)
        for step in range(2):
            if step == 1:
                number = self.binary("add", column, number)
            factor = self.constant(1103515245, i32)
            number = self.binary("mul", number, factor)
            number = self.binary("add", number, self.constant(12345, i32))
        number = self.binary("add", middle, self.cast(number, f64))
        width = self.binary("sub", highest, lowest)
        scale = self.result(arith.ConstantOp(FloatAttr(2.3283063999999999e-10, f64)))
        number = self.binary("mul", number, self.binary("mul", width, scale))
        return self.binary("add", number, lowest)


def _ops_on(type: Attribute) -> Mapping[str, _BinaryOp]:
    if isinstance(type, AnyFloat):
        return _FLOATS
    if isinstance(type, ComplexType):
        return _complex_ops()
    if isinstance(type, IntegerType):
        return _BITS if type == i1 else _INTEGERS
    return {}


def named_body(
    name: str,
    operand_types: Sequence[Attribute],
    properties: Mapping[str, Attribute],
) -> Region:
    """
    The body of the op of this name, without the prefix `linalg.`.

    Raises `UnsupportedBody` if there is none for elements of these types.
    """
    cast_attribute = properties.get("cast")
    unsigned = name.endswith("_unsigned") or (
        # Of this op, mlir-opt 22 ignores the attribute.
        name != "batch_reduce_matmul"
        and isinstance(cast_attribute, TypeFnAttr)
        and cast_attribute.data is TypeFn.CAST_UNSIGNED
    )
    body = BodyBuilder(operand_types, signed=not unsigned)
    *inputs, output = body.block.args
    if name == "elementwise":
        kind = properties.get("kind")
        if not isinstance(kind, ElementwiseKindAttr):
            raise UnsupportedBody("a kind is needed")
        name = str(kind.data).removesuffix("_signed")
    with ImplicitBuilder(body.block):
        linalg_ops.YieldOp(_result(body, name, inputs, output))
    return Region(body.block)


def _result(
    body: BodyBuilder, name: str, inputs: Sequence[SSAValue], output: SSAValue
) -> SSAValue:
    """The element that the body yields."""
    match name, *inputs:
        case (("fill" | "copy"), value):
            return body.cast(value, output.type)
        case "fill_rng_2d", lowest, highest, seed:
            return body.cast(body.random(lowest, highest, seed), output.type)
        case "select", condition, left, right:
            return body.result(arith.SelectOp(condition, left, right))
        case _, value if name in _UNARY or name in ("square", "reciprocal"):
            return body.unary(name, value)
        case _, left, right if name in {*_FLOATS, *_INTEGERS}:
            return body.binary(name, left, right)
        case _, value, _ if name.startswith("pooling"):
            kind = name.split("_", 2)[2].replace("sum", "add")
            return body.binary(kind, output, body.cast(value, output.type))
        case _, left, right, *zero_points if len(zero_points) in (0, 2):
            factors: list[SSAValue] = []
            for i, factor in enumerate((left, right)):
                factor = body.cast(factor, output.type)
                if zero_points:
                    zero = body.cast(zero_points[i], output.type)
                    factor = body.binary("sub", factor, zero)
                factors.append(factor)
            return body.binary("add", output, body.binary("mul", *factors))
        case _:
            raise UnsupportedBody(f"{len(inputs)} inputs")


def converted(value: SSAValue, type: Attribute, *, signed: bool = True) -> SSAValue:
    """
    The number as one of the type, as MLIR's `linalg` ops convert it. Ops are inserted by the
    implicit builder.
    """
    before, after = value.type, type
    if before == after:
        return value
    if isinstance(before, AnyFloat) and isinstance(after, AnyFloat):
        widens = before.bitwidth < after.bitwidth
        kind = arith.ExtFOp if widens else arith.TruncFOp
    elif isinstance(before, IntegerType) and isinstance(after, IntegerType):
        widens = before.bitwidth < after.bitwidth
        extension = arith.ExtSIOp if signed else arith.ExtUIOp
        kind = extension if widens else arith.TruncIOp
    elif isinstance(before, IntegerType) and isinstance(after, AnyFloat):
        kind = arith.SIToFPOp if signed else arith.UIToFPOp
    elif isinstance(before, AnyFloat) and isinstance(after, IntegerType):
        kind = arith.FPToSIOp if signed else arith.FPToUIOp
    else:
        return value
    return kind.create(operands=(value,), result_types=(type,)).results[0]
