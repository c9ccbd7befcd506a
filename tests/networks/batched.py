"""Networks of a batch size that is known when they run: the first dimension of their tensors."""

from __future__ import annotations

from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import OpResult, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import ranked_shape


def batched(module: ModuleOp) -> ModuleOp:
    """
    The network, which is changed, for any number of images instead of one. Weights are shared by
    all of them.
    """
    (function,) = (op for op in walk([module]) if isinstance(op, FuncOp))
    values = _with_batch(function.args[0])
    _size_empty_tensors(function, values)
    for op in walk([function]):
        if op_name(op) == "linalg.generic":
            maps = cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
            op.properties["indexing_maps"] = ArrayAttr(
                map if operand in values else _first_element(map)
                for map, operand in zip(maps, op.operands, strict=True)
            )
    # Last of all, since values are replaced by others.
    for value in values:
        if not isinstance(value.owner, tensor.EmptyOp):
            Rewriter.replace_value_with_new_type(value, _dynamic(value))
    function.update_function_type()
    module.verify()
    return module


def _with_batch(image: SSAValue) -> dict[SSAValue, None]:
    """The tensors with an element for each image: what is computed of images, and inits."""
    found: dict[SSAValue, None] = {}
    pending = [image]
    while pending:
        value = pending.pop()
        if value in found or not _is_of_one(value):
            continue
        found[value] = None
        pending.extend(r for use in value.uses for r in use.operation.results)
        if isinstance(value, OpResult):
            style = DestinationStyleOpInterface.of(value.op)
            if style is not None:
                pending.extend(value.op.operands[i] for i in style.inits(value.op))
    return found


def _is_of_one(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and ranked_shape(value)[0] == 1


def _dynamic(value: SSAValue) -> TensorType[Any]:
    type = cast("TensorType[Any]", value.type)
    return TensorType(type.element_type, [DYNAMIC_INDEX, *type.get_shape()[1:]])


def _size_empty_tensors(function: FuncOp, values: dict[SSAValue, None]) -> None:
    """Give empty tensors the size of the batch."""
    builder = Builder(InsertPoint.at_start(function.body.block))
    zero = builder.insert(arith.ConstantOp(IntegerAttr.from_index_int_value(0)))
    batch = builder.insert(tensor.DimOp(function.args[0], zero))
    for value in [*values]:
        if isinstance(value.owner, tensor.EmptyOp):
            empty = tensor.EmptyOp((batch.result,), _dynamic(value))
            Rewriter.replace_op(value.owner, empty)
            del values[value]
            values[empty.tensor] = None


def _first_element(map: AffineMapAttr) -> AffineMapAttr:
    """The map of a tensor that all images read."""
    old = map.data
    if not old.results or old.results[0] != AffineExpr.dimension(0):
        return map
    results = (AffineExpr.constant(0), *old.results[1:])
    return AffineMapAttr(AffineMap(old.num_dims, old.num_symbols, results))
