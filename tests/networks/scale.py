"""
Networks with smaller dimensions: the same ops on smaller tensors.

    python -m tests.networks.scale NETWORK.mlir FACTOR [LEAST] > SMALLER.mlir

divides the dimensions that do not follow from others, such as the numbers of channels and
the size of an image, by a factor, down to no less than 8 or LEAST. What is so small
already stays as it is; so do kernels, strides and vectors. A program is refused if there
are no sizes that fit together; another factor may do. Constants whose elements are all the
same become random numbers.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from tests.networks.dimensions import Dimension, Scale
from tests.networks.relations import (
    LOOPS,
    constant_of,
    dimensions_of,
    loop_bounds,
    sizes,
)
from tests.networks.weights import vary_weights
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.semantics.values import dtype_of
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.names import op_name


def scaled_network(path: Path, scale: Scale) -> ModuleOp:
    """
    The network in the file with smaller dimensions, and weights that differ
    (`vary_weights`). Raises as `scale_down` does.
    """
    # xDSL keeps each element of a constant, which takes gigabytes before it is scaled.
    splats = re.sub(
        r'(dense<[^<>\[\]"]+> : tensor<)[0-9x]+x(\w+>)', r"\1\2", path.read_text()
    )
    module = parse_module(splats)
    scale_down(module, scale)
    vary_weights(module)
    return module


def scale_down(module: ModuleOp, scale: Scale) -> None:
    """
    Make the module's dimensions smaller. A constant becomes the corner of what it was; one
    that is the same everywhere may be given as a tensor of rank 0, whatever its type.

    Raises `ScalingError` if there is an op whose dimensions are not known, or there are no
    sizes that fit; the verifier's errors if what is made is wrong.
    """
    new = dimensions_of(module).scaled(scale)
    for op in [*module.walk()]:
        _scale_attributes(op, new)
    for op in [*module.walk()]:
        arguments = (a for r in op.regions for block in r.blocks for a in block.args)
        for value in (*op.results, *arguments):
            if sizes(value):
                Rewriter.replace_value_with_new_type(value, _type(value, new))
    for op in module.walk():
        if isinstance(op, FuncOp):
            op.update_function_type()
    module.verify()


def _shape(value: SSAValue, new: Mapping[Dimension, int]) -> list[int]:
    return [new[value, i] for i in range(len(sizes(value)))]


def _type(value: SSAValue, new: Mapping[Dimension, int]) -> Attribute:
    match value.type:
        case TensorType() as type:
            return TensorType(type.element_type, _shape(value, new), type.encoding)
        case MemRefType() as type:
            return MemRefType(
                type.element_type,
                _shape(value, new),
                type.layout,
                type.memory_space,
            )
        case _:
            return value.type


def _scale_attributes(op: Operation, new: Mapping[Dimension, int]) -> None:
    """What the op says of sizes, other than in types."""
    match op_name(op):
        case "arith.constant" if sizes(op.results[0]):
            op.properties["value"] = _corner(op, new)
        case "tensor.expand_shape":
            _set_integers(op, "static_output_shape", _shape(op.results[0], new))
        case "tensor.extract_slice" | "tensor.insert_slice":
            old = integers(op, "static_sizes")
            slice = [new[op, i] for i in range(len(old))]
            offsets = [
                offset if size == 1 else offset // size * smaller
                for offset, size, smaller in zip(
                    integers(op, "static_offsets"), old, slice, strict=True
                )
            ]
            _set_integers(op, "static_sizes", slice)
            _set_integers(op, "static_offsets", offsets)
        case name if name in LOOPS:
            _, upper, _ = loop_bounds(op)
            smaller = new[op.regions[0].blocks[0].args[0], 0]
            if smaller == upper:
                pass
            elif name == "scf.for":
                _replace_constant(op, 1, smaller)
            else:
                bound = AffineMapAttr(AffineMap.constant_map(smaller))
                op.properties["upperBoundMap"] = bound
        case "arith.divsi" if (op, 1) in new:
            _replace_constant(op, 1, new[op, 1])
        case _:
            pass


def _corner(op: Operation, new: Mapping[Dimension, int]) -> Attribute:
    """As many elements of the constant as are left."""
    (result,) = op.results
    dense = attribute(op, "value")
    assert isinstance(dense, DenseIntOrFPElementsAttr)
    type = cast("TensorType[Any]", _type(result, new))
    shape = type.get_shape()
    # Bits as small as bytes are not packed.
    elements = np.frombuffer(dense.data.data, dtype_of(type.element_type))
    if dense.get_shape():
        old = elements.reshape(dense.get_shape())
        elements = old[tuple(slice(size) for size in shape)]
    else:
        elements = np.broadcast_to(elements, shape)
    return DenseIntOrFPElementsAttr(type, BytesAttr(elements.tobytes()))


def _replace_constant(op: Operation, operand: int, value: int) -> None:
    """Only there: others may use the same constant for something else."""
    if constant_of(op.operands[operand]) != value:
        constant = ConstantOp(IntegerAttr.from_index_int_value(value))
        Rewriter.insert_op(constant, InsertPoint.before(op))
        op.operands[operand] = constant.result


def _set_integers(op: Operation, name: str, values: list[int]) -> None:
    op.properties[name] = DenseArrayBase.from_list(i64, values)


if __name__ == "__main__":
    path, *numbers = sys.argv[1:]
    print(print_generic(scaled_network(Path(path), Scale(*map(int, numbers)))))
