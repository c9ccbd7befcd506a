"""What tensors may be, but memrefs may not: sparse, or of certain elements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    UnrankedMemRefType,
    UnregisteredAttr,
    VectorType,
)
from xdsl.ir import Attribute, BuiltinAttribute, Operation

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import is_sparse, is_tensor_type

_ELEMENTS = (
    IntegerType
    | IndexType
    | AnyFloat
    | ComplexType
    | VectorType
    | MemRefType
    | UnrankedMemRefType
)

_DIALECTS_WITHOUT = frozenset(("async", "emitc", "llvm", "quant", "shape", "tosa"))
"""
Dialects whose types mlir-opt 22 refuses as element types of a memref. Types of dialects
that it does not know are accepted.
"""


def verify_tensor_types(op: Operation) -> None:
    """
    Raise `BufferizationError` if one of the op's tensors is sparse, or has elements that no
    memref can have.
    """
    for type in _types(op):
        if not is_tensor_type(type):
            continue
        if is_sparse(type):
            raise BufferizationError(
                op,
                f"has a sparse tensor, which no memref can hold: {type}",
                hint="lower sparse tensors before, with mlir-opt's sparsification-and-"
                "bufferization, or leave the op on tensors with the option dialect-filter",
            )
        if not _can_be_element(type.element_type.__class__):
            element = type.element_type
            unregistered = isinstance(element, UnregisteredAttr)
            name = element.attr_name.data if unregistered else element.name
            if name.split(".")[0] in _DIALECTS_WITHOUT or (
                isinstance(element, BuiltinAttribute) and not unregistered
            ):
                raise BufferizationError(
                    op,
                    f"has a tensor that no memref can hold: {element} can not be the "
                    "element type of a memref",
                    hint="lower it to an integer or float type before",
                )


@cache
def _can_be_element(kind: type) -> bool:
    """Whether attributes of the class are element types of memrefs."""
    return issubclass(kind, _ELEMENTS)


def _types(op: Operation) -> Iterator[Attribute]:
    """The types of the op's operands, results, block arguments and signature."""
    yield from op.operand_types
    yield from op.result_types
    for region in op.regions:
        for block in region.blocks:
            yield from block.arg_types
    signature = op.properties.get("function_type")
    if isinstance(signature, FunctionType):
        yield from signature.inputs
        yield from signature.outputs
