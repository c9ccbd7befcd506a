"""
How the ops of a program relate the dimensions of what they use and define.

Known are the ops that networks are made of, with static sizes. Indices that programs
compute from data are taken to be small enough for the new sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tests.networks.dimensions import Dimension, Dimensions, ScalingError
from xdsl_bufferization.semantics.dialects.tensor import indexing_maps
from xdsl_bufferization.semantics.values import integer
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.names import op_name

ACCESSES: Mapping[str, int] = {
    "memref.load": 0,
    "memref.store": 1,
    "tensor.extract": 0,
    "tensor.insert": 1,
    "vector.load": 0,
    "vector.store": 1,
}
"""Which operand is accessed; those after it are the indices."""

LOOPS = "affine.for", "scf.for"


def sizes(value: SSAValue) -> Sequence[int]:
    """The sizes of a tensor or memref; none of what is not scaled."""
    type = value.type
    if not isinstance(type, TensorType | MemRefType):
        return ()
    if isinstance(type, MemRefType) and not isinstance(type.layout, NoneAttr):
        raise ScalingError(f"the layout of {type} would have to be scaled")
    if not type.has_static_shape():
        raise ScalingError(f"{type} has unknown sizes")
    return type.get_shape()


def dimensions_of(module: ModuleOp) -> Dimensions:
    """
    The dimensions of all values in the module and how they are related.

    Raises `ScalingError` if it has an op that is not known.
    """
    dimensions = Dimensions()
    for op in module.walk():
        arguments = (a for r in op.regions for block in r.blocks for a in block.args)
        for value in (*op.results, *arguments):
            for i, size in enumerate(sizes(value)):
                dimensions.add((value, i), size)
    relations = _Relations(dimensions)
    for op in module.walk():
        relations.relate(op)
    return dimensions


class _Relations:
    def __init__(self, dimensions: Dimensions):
        self._dimensions = dimensions
        self._by_name: Mapping[str, Callable[[Operation], None]] = {
            "affine.for": self._loop,
            "bufferization.to_buffer": self._same,
            "bufferization.to_tensor": self._same,
            "scf.for": self._loop,
            "tensor.collapse_shape": self._reshape,
            "tensor.concat": self._concat,
            "tensor.expand_shape": self._reshape,
            "tensor.extract_slice": self._extract_slice,
            "tensor.insert_slice": self._insert_slice,
            "tensor.pad": self._pad,
        }

    def relate(self, op: Operation) -> None:
        name = op_name(op)
        if name in self._by_name:
            self._by_name[name](op)
        elif name in ACCESSES:
            self._access(op, ACCESSES[name])
        elif name.startswith("linalg."):
            if op.regions:
                self._structured(op)
        elif any(map(sizes, op.operands)) and name != "func.return":
            raise ScalingError(f"nothing is known of the dimensions of {name}")

    # What changes no sizes

    def _unite(self, a: SSAValue, b: SSAValue) -> None:
        for i in range(len(sizes(a))):
            self._dimensions.unite((a, i), (b, i))

    def _same(self, op: Operation) -> None:
        self._unite(op.operands[0], op.results[0])

    def _loop(self, op: Operation) -> None:
        """The loop's range, a dimension of the induction variable, and what it carries."""
        variable, *carried = op.regions[0].blocks[0].args
        lower, upper, step = loop_bounds(op)
        if lower:
            raise ScalingError(f"a loop starts at {lower}, and not at 0")
        self._dimensions.add((variable, 0), upper)
        self._dimensions.require_multiple((variable, 0), math.gcd(upper, step))
        for use in variable.uses:
            if _is_index(use):
                continue
            group = group_size(use.operation)
            if group is None or upper % group or use.index:
                # Whatever else is computed with it may be about the range.
                self._dimensions.fix((variable, 0))
            else:
                self._dimensions.add((use.operation, 0), upper // group)
                self._dimensions.add((use.operation, 1), group)
                self._dimensions.derive_product(
                    (variable, 0), [(use.operation, 0), (use.operation, 1)]
                )
        last = op.regions[0].blocks[0].last_op
        assert last is not None
        inits = op.operands[len(op.operands) - len(carried) :]
        for values in zip(carried, inits, op.results, last.operands, strict=True):
            for value in values[1:]:
                self._unite(values[0], value)

    # Ops on elements

    def _structured(self, op: Operation) -> None:
        """A `linalg` op: its loops, by what they index."""
        maps = indexing_maps(op)
        for operand, map in zip(op.operands, maps, strict=True):
            for i, index in enumerate(map.results):
                if isinstance(index, AffineDimExpr):
                    self._dimensions.add((op, index.position), sizes(operand)[i])
                    self._dimensions.unite((op, index.position), (operand, i))
        outputs = op.operands[len(op.operands) - len(op.results) :]
        for output, result in zip(outputs, op.results, strict=True):
            self._unite(output, result)
        for operand, map in zip(op.operands, maps, strict=True):
            for i, index in enumerate(map.results):
                if isinstance(index, AffineConstantExpr):
                    self._dimensions.fix((operand, i))
                elif not isinstance(index, AffineDimExpr):
                    self._window(op, (operand, i), index, maps[-1])

    def _window(
        self, op: Operation, input: Dimension, index: AffineExpr, output: AffineMap
    ) -> None:
        """What a convolution or pooling reads: the output is as large as it fits."""
        factors = _linear(index)
        (moved,) = (d for d in factors if AffineExpr.dimension(d) in output.results)
        (inside,) = (d for d in factors if d != moved)
        stride, dilation = factors[moved], factors[inside]
        kernel = op, inside
        if self._dimensions.size(kernel) == self._dimensions.size(input):
            # The whole input: such a kernel becomes smaller with it.
            self._dimensions.unite(kernel, input)
        else:
            self._dimensions.fix(kernel)
        self._dimensions.derive(
            (op, moved),
            (input, kernel),
            lambda new: (new[0] - (new[1] - 1) * dilation - 1) // stride + 1,
        )

    def _access(self, op: Operation, accessed: int) -> None:
        operand = op.operands[accessed]
        indices = op.operands[accessed + 1 :]
        for i, index in enumerate(indices):
            dimension = operand, i
            match index:
                case BlockArgument() if _is_induction_variable(index):
                    loop = index, 0
                case OpResult() if op_name(index.op) == "linalg.index":
                    structured = index.op.parent_op()
                    assert structured is not None
                    loop = structured, integer(index.op, "dim")
                case OpResult() if (index.op, 0) in self._dimensions:
                    loop = index.op, 0
                case OpResult() if (constant := constant_of(index)) is not None:
                    if constant:
                        self._dimensions.fix(dimension)
                    continue
                case _:
                    continue
            if self._dimensions.size(loop) == self._dimensions.size(dimension):
                self._dimensions.unite(loop, dimension)
            else:
                self._dimensions.fix(loop)
                self._dimensions.fix(dimension)
        vector = op.operands[0] if accessed else op.results[0]
        if isinstance(vector.type, VectorType):
            shape = vector.type.get_shape()
            for i, size in enumerate(reversed(shape)):
                last = operand, len(indices) - 1 - i
                self._dimensions.require_multiple(last, size)

    # Ops on shapes

    def _pad(self, op: Operation) -> None:
        padding = zip(
            integers(op, "static_low"), integers(op, "static_high"), strict=True
        )
        for i, (low, high) in enumerate(padding):
            source, result = (op.operands[0], i), (op.results[0], i)
            if low == high == 0:
                self._dimensions.unite(source, result)
            else:
                more = low + high
                self._dimensions.derive(result, [source], _plus(more))

    def _concat(self, op: Operation) -> None:
        along = integer(op, "dim")
        result = op.results[0]
        self._dimensions.derive((result, along), [(o, along) for o in op.operands], sum)
        for operand in op.operands:
            for i in range(len(sizes(operand))):
                if i != along:
                    self._dimensions.unite((operand, i), (result, i))

    def _reshape(self, op: Operation) -> None:
        """Each dimension of the smaller rank is a product of those of the larger."""
        small, large = sorted(
            (op.operands[0], op.results[0]), key=lambda v: len(sizes(v))
        )
        for i, group in enumerate(reassociation(op)):
            factors = [(large, j) for j in group if sizes(large)[j] != 1]
            match factors:
                case []:
                    pass
                case [factor]:
                    self._dimensions.unite((small, i), factor)
                case _:
                    self._dimensions.derive_product((small, i), factors)

    def _extract_slice(self, op: Operation) -> None:
        self._slice(op, op.operands[0], op.results[0])

    def _insert_slice(self, op: Operation) -> None:
        self._unite(op.operands[1], op.results[0])
        self._slice(op, op.operands[1], op.operands[0])

    def _slice(self, op: Operation, whole: SSAValue, slice: SSAValue) -> None:
        """
        A slice of one in several slices of equal sizes: so many times as large is what it
        is a slice of.
        """
        kept = iter(i for i, size in enumerate(sizes(slice)) if size != 1)
        for i, size in enumerate(integers(op, "static_sizes")):
            self._dimensions.add((op, i), size)
            if size == 1:
                if sizes(whole)[i] != 1:
                    self._dimensions.fix((whole, i))
                continue
            self._dimensions.unite((op, i), (slice, next(kept)))
            parts, rest = divmod(sizes(whole)[i], size)
            (offset, stride) = (
                integers(op, name)[i] for name in ("static_offsets", "static_strides")
            )
            if rest or stride != 1 or offset < 0 or offset % size:
                self._dimensions.fix((whole, i))
                self._dimensions.fix((op, i))
            elif parts == 1:
                self._dimensions.unite((op, i), (whole, i))
            else:
                self._dimensions.derive_product((whole, i), [(op, i)], parts)


def loop_bounds(op: Operation) -> tuple[int, int, int]:
    """The constant bounds and step of `scf.for` or `affine.for`."""
    if op_name(op) == "scf.for":
        lower, upper, step = map(constant_of, op.operands[:3])
    else:
        lower, upper = (
            _constant_result(attribute(op, f"{bound}BoundMap"))
            for bound in ("lower", "upper")
        )
        step = integer(op, "step")
    if lower is None or upper is None or step is None:
        raise ScalingError("a loop has bounds that are not constant")
    return lower, upper, step


def group_size(op: Operation) -> int | None:
    """
    What the op divides an index by, if it does nothing else than to number groups of equal
    sizes, and the numbers are nothing else than indices.
    """
    if op_name(op) != "arith.divsi" or not all(map(_is_index, op.results[0].uses)):
        return None
    return constant_of(op.operands[1])


def reassociation(op: Operation) -> Sequence[Sequence[int]]:
    """The groups of dimensions that `expand_shape` or `collapse_shape` names."""
    groups = cast("ArrayAttr[ArrayAttr[IntegerAttr]]", attribute(op, "reassociation"))
    return [[i.value.data for i in group] for group in groups]


def constant_of(value: SSAValue) -> int | None:
    """The number, if the value is one."""
    if not isinstance(value, OpResult) or op_name(value.op) != "arith.constant":
        return None
    number = attribute(value.op, "value")
    return number.value.data if isinstance(number, IntegerAttr) else None


def _constant_result(map: Attribute | None) -> int | None:
    """What a map computes, if that is one number."""
    match map:
        case AffineMapAttr(data=AffineMap(results=(AffineConstantExpr(value=value),))):
            return value
        case _:
            return None


def _is_index(use: Use) -> bool:
    """Whether an element is accessed at this index."""
    accessed = ACCESSES.get(op_name(use.operation))
    return accessed is not None and use.index > accessed


def _is_induction_variable(argument: BlockArgument) -> bool:
    op = argument.block.parent_op()
    return op is not None and op_name(op) in LOOPS and argument.index == 0


def _linear(expression: AffineExpr) -> dict[int, int]:
    """The factor of each dimension in a sum of them."""
    match expression:
        case AffineDimExpr(position=position):
            return {position: 1}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
            return _linear(lhs) | _linear(rhs)
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.Mul, AffineDimExpr(position), AffineConstantExpr(factor)
        ):
            return {position: factor}
        case _:
            raise ScalingError(f"{expression} is no sum of loops")


def _plus(number: int) -> Callable[[Sequence[int]], int]:
    return lambda sizes: sizes[0] + number
