"""
Questions about the types of tensors and memrefs: which they are, their shapes, and which
types are compatible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias, TypeGuard, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    ContainerType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    UnregisteredAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.releases import offset_of, strides_of
from xdsl_bufferization.support.tensor_like import TensorLikeType

Tensor: TypeAlias = TensorType[Attribute] | UnrankedTensorType[Attribute]
MemRef: TypeAlias = MemRefType[Attribute] | UnrankedMemRefType[Attribute]


@cache
def _are_tensors(kind: type) -> bool:
    # Attributes have abstract base classes, for which isinstance() is slow.
    return issubclass(kind, TensorType | UnrankedTensorType)


@cache
def _are_tensor_like(kind: type) -> bool:
    return issubclass(kind, TensorLikeType | TensorType | UnrankedTensorType)


@cache
def _are_memrefs(kind: type) -> bool:
    return issubclass(kind, MemRefType | UnrankedMemRefType)


@cache
def _may_hold_memory(kind: type) -> bool:
    return not issubclass(
        kind,
        MemRefType
        | UnrankedMemRefType
        | IntegerType
        | IndexType
        | AnyFloat
        | ComplexType
        | VectorType,
    )


def is_tensor_type(type: Attribute | None) -> TypeGuard[Tensor]:
    """Whether the type is a tensor type, ranked or not."""
    return _are_tensors(type.__class__)


def has_encoding(type: Attribute) -> bool:
    """Whether the type is a ranked tensor with an encoding, which may say where it is."""
    return isinstance(type, TensorType) and not isinstance(type.encoding, NoneAttr)


def is_static_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Whether the type is a tensor of static shape without an encoding."""
    return (
        isinstance(type, TensorType)
        and not has_encoding(type)
        and type.has_static_shape()
    )


def is_tensor_like(type: Attribute | None) -> bool:
    """Whether values of the type become buffers: a tensor, or a `TensorLikeType`."""
    return _are_tensor_like(type.__class__)


def is_memref_type(type: Attribute) -> TypeGuard[MemRef]:
    """Whether the type is a memref type, ranked or not."""
    return _are_memrefs(type.__class__)


def may_hold_memory(type: Attribute) -> bool:
    """Whether a value of the type may point to memory, although it is no memref."""
    return _may_hold_memory(type.__class__)


def is_sparse(type: Attribute) -> bool:
    """Whether the type is a tensor whose encoding says that it stores some elements only."""
    if not _are_tensors(type.__class__) or not isinstance(type, TensorType):
        return False
    encoding = type.encoding
    if encoding.__class__ is NoneAttr:
        return False
    unregistered = isinstance(encoding, UnregisteredAttr)
    name = encoding.attr_name.data if unregistered else encoding.name
    return name == "sparse_tensor.encoding"


def ranked_tensor(type: Attribute) -> TensorType[Attribute]:
    """The type, which is known to be a ranked tensor."""
    assert isinstance(type, TensorType)
    return type


def resized(type: Attribute, sizes: Sequence[SSAValue | int]) -> TensorType[Attribute]:
    """The type of a ranked tensor of these sizes, otherwise like another one."""
    like = ranked_tensor(type)
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    return TensorType(like.element_type, shape, like.encoding)


def ranked_memref(type: Attribute) -> MemRefType[Attribute]:
    """The type, which is known to be a ranked memref."""
    assert isinstance(type, MemRefType)
    return type


def memref_type(type: Attribute) -> MemRef:
    """The type, which is known to be a memref, ranked or not."""
    assert is_memref_type(type)
    return type


def shape_of(type: Tensor | MemRef) -> tuple[int, ...] | None:
    """The sizes, `DYNAMIC_INDEX` for dynamic ones; `None` for an unranked type."""
    if isinstance(type, TensorType | MemRefType):
        return type.get_shape()
    return None


def element_type(type: Attribute) -> Attribute:
    """The element type of a tensor, vector or memref; the type itself of a scalar."""
    # xDSL counts complex numbers among the containers.
    if isinstance(type, ContainerType) and not isinstance(type, ComplexType):
        return type.get_element_type()
    return type


def tensor_type_of(memref: MemRef) -> Tensor:
    """The tensor type of the memref's shape and element type, without encoding."""
    if isinstance(memref, MemRefType):
        return TensorType(memref.element_type, memref.shape)
    return UnrankedTensorType(memref.element_type)


def i1_of_same_shape(type: Attribute) -> Attribute:
    """The type of one `i1` for each element of the type, or of one `i1` for a number."""
    match type:
        case TensorType():
            return TensorType(i1, type.shape, type.encoding)
        case VectorType():
            return VectorType(i1, type.shape, type.scalable_dims)
        case UnrankedTensorType():
            return UnrankedTensorType(i1)
        case _:
            return i1


def are_shapes_compatible(a: tuple[int, ...] | None, b: tuple[int, ...] | None) -> bool:
    """Whether a value may have both shapes: neither ranks nor static sizes differ."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        x == y or DYNAMIC_INDEX in (x, y) for x, y in zip(a, b, strict=True)
    )


def is_rank_reduced(shape: Sequence[int], full: Sequence[int]) -> bool:
    """Whether `shape` is `full`, or that without some of its unit dimensions."""
    kept = 0
    for size in full:
        if kept < len(shape) and shape[kept] == size:
            kept += 1
        elif size != 1:
            return False
    return kept == len(shape)


def are_cast_compatible(source: Attribute, target: Attribute) -> bool:
    """
    Whether `memref.cast` may have these types: both are memrefs, at least one of them is
    ranked, they have the same element type and memory space, and no static size, stride or
    offset differs.

    Source: https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcast-memrefcastop
    """
    if (
        not is_memref_type(source)
        or not is_memref_type(target)
        or source.element_type != target.element_type
        or source.memory_space != target.memory_space
        or not are_shapes_compatible(shape_of(source), shape_of(target))
    ):
        return False
    if isinstance(source, MemRefType) and isinstance(target, MemRefType):
        return source.layout == target.layout or _are_strides_compatible(source, target)
    return isinstance(source, MemRefType) or isinstance(target, MemRefType)


def _are_strides_compatible(a: MemRefType[Attribute], b: MemRefType[Attribute]) -> bool:
    a_strides, b_strides = strides_of(a), strides_of(b)
    if a_strides is None or b_strides is None:
        return False
    pairs = zip((offset_of(a), *a_strides), (offset_of(b), *b_strides), strict=True)
    return all(None in (x, y) or x == y for x, y in pairs)


def is_tensor(value: SSAValue) -> bool:
    """Whether the value is a tensor: ranked, unranked, or of a `TensorLikeType`."""
    return _are_tensor_like(value.type.__class__)


def ranked_shape(value: SSAValue) -> tuple[int, ...]:
    """
    The sizes of a value that is known to be a ranked tensor or memref, `DYNAMIC_INDEX` for
    unknown ones.
    """
    return cast(TensorType[Attribute] | MemRefType[Attribute], value.type).get_shape()


def has_tensor_semantics(op: Operation) -> bool:
    """
    Whether the op has something to bufferize: a tensor among its operands, its results or
    the arguments of its blocks, or in its type, if it is a function or a global.
    """
    # Most ops on tensors have one as a result.
    for values in (op.results, op.operands):
        for value in values:
            if _are_tensor_like(value.type.__class__):
                return True
    for region in op.regions:
        for block in region.blocks:
            if any(map(is_tensor, block.args)):
                return True
    properties = op.properties
    signature = properties.get("function_type")
    if signature is None and "sym_name" not in properties:
        return False
    # A symbol may stand for a tensor: a function, or a global.
    if isinstance(signature, FunctionType):
        return any(map(is_tensor_like, (*signature.inputs, *signature.outputs)))
    return is_tensor_like(properties.get("type", signature))
