"""
The memref types of the buffers of tensors, and of views of memrefs.

A layout is *identity* (none given), *strided*, or *fully dynamic*: strided with unknown
offset and strides. Strides and offsets are in elements; `None` is an unknown one.

A memory space is any attribute; the integer 0 is the default one, and left out.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/ and
https://mlir.llvm.org/docs/MemRefization/#memory-layouts

Memrefs with a layout, as views of memory of one dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    MemRefLayoutAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.dialects.memref import CastOp
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xdsl_bufferization.host.releases import offset_of, strides_for_shape, strides_of
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    are_shapes_compatible,
    is_memref_type,
)
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_SPACE: Final = NoneAttr()
"""The memory space of memrefs that name none. xDSL verifies each `NoneAttr` that is made."""

_NO_LAYOUT: Final = NoneAttr()


def ranked_type(
    element_type: Attribute,
    shape: ArrayAttr[IntAttr] | Sequence[int],
    layout: MemRefLayoutAttr | NoneAttr,
    memory_space: Attribute,
) -> MemRefType[Attribute]:
    """
    The memref type. xDSL's constructor takes four times as long, most of it to find out whether
    the shape is an attribute; both verify the type.
    """
    if not isinstance(shape, ArrayAttr):
        shape = ArrayAttr(map(IntAttr, shape))
    return _RANKED.new((shape, element_type, layout, memory_space))


_RANKED: type[MemRefType[Attribute]] = MemRefType


def identity_type(tensor: Attribute, memory_space: Attribute | None = None) -> MemRef:
    """
    The memref type of the tensor's shape without a layout; of a `TensorLikeType` the type of
    its buffers.
    """
    if isinstance(tensor, TensorLikeType):
        return cast(MemRef, tensor.get_buffer_type(memory_space))
    return _memref_type(tensor, _NO_LAYOUT, memory_space)


def fully_dynamic_type(
    tensor: Attribute, memory_space: Attribute | None = None
) -> MemRef:
    """
    The memref type of the tensor's shape with unknown offset and strides; of a
    `TensorLikeType` the type of its buffers.
    """
    if isinstance(tensor, (TensorType, MemRefType)):
        layout = _unknown_layout(tensor.get_num_dims())
        return _memref_type(tensor, layout, memory_space)
    return identity_type(tensor, memory_space)


_MAX_TYPES = 4096
"""Types that are kept: programs have few, and each is verified when it is made."""


def _memoized(function: Callable[P, T]) -> Callable[P, T]:
    """The function, which keeps its results by the values of its arguments, lists included."""
    kept = lru_cache(maxsize=_MAX_TYPES)(function)

    @wraps(function)
    def memoized(*arguments: P.args, **named: P.kwargs) -> T:
        return kept(*map(_hashable, arguments), **named)

    return memoized


def _hashable(argument: Any) -> Any:
    if not isinstance(argument, list | tuple):
        return argument
    return tuple(map(_hashable, cast("Sequence[Any]", argument)))


@lru_cache(maxsize=_MAX_TYPES)
def _unknown_layout(rank: int) -> StridedLayoutAttr:
    return StridedLayoutAttr([None] * rank, None)


@lru_cache(maxsize=_MAX_TYPES)
def _memref_type(
    shaped: Attribute,
    layout: StridedLayoutAttr | NoneAttr,
    memory_space: Attribute | None,
) -> MemRef:
    space = memory_space
    if space is None or space == IntegerAttr(0, i64):
        space = DEFAULT_SPACE
    if isinstance(shaped, (TensorType, MemRefType)):
        return ranked_type(shaped.element_type, shaped.shape, layout, space)
    unranked = cast(UnrankedTensorType[Attribute], shaped)
    return UnrankedMemRefType.from_type(unranked.element_type, space)


def encoded_memory_space(tensor: Attribute) -> Attribute | None:
    """The tensor's encoding, understood as a memory space; `None` if it has none."""
    if not isinstance(tensor, TensorType):
        return None
    encoding = tensor.encoding
    return None if isinstance(encoding, NoneAttr) else encoding


def in_encoded_space(tensor: Attribute, type: MemRef) -> MemRef:
    """The type, in the memory space that the tensor's encoding names, if it names one."""
    space = encoded_memory_space(tensor)
    if space is None:
        return type
    wanted = identity_type(tensor, space)
    return type if wanted.memory_space == type.memory_space else wanted


def without_casts(buffer: SSAValue) -> SSAValue:
    """The memref from which `buffer` was cast by `memref.cast`s, or `buffer` itself."""
    while isinstance(buffer.owner, CastOp):
        buffer = buffer.owner.source
    return buffer


def cast_to(builder: Builder, value: SSAValue, type: Attribute) -> SSAValue:
    """The memref, cast to the type if it has another one."""
    if value.type == type:
        return value
    assert is_memref_type(type)
    return builder.insert(memref.CastOp.get(value, type)).dest


def has_identity_layout(memref: Attribute) -> bool:
    """Whether the memref is contiguous, row-major, and starts at its base."""
    if not isinstance(memref, MemRefType):
        return False
    if isinstance(memref.layout, NoneAttr) or is_identity_map(memref.layout):
        return True
    identity = strides_for_shape(memref.get_shape())
    return (
        isinstance(memref.layout, StridedLayoutAttr)
        and offset_of(memref) == 0
        and None not in identity
        and memref.layout.get_strides() == identity
    )


def is_identity_map(layout: Attribute | None) -> bool:
    """Whether the layout is an affine map that leaves all indices as they are."""
    return isinstance(layout, AffineMapAttr) and (
        layout.data == AffineMap.identity(layout.data.num_dims)
    )


def _has_no_layout(memref: MemRefType[Attribute]) -> bool:
    """Whether the layout is none, or equal to none, as `strided<[1]>` is."""
    return (isinstance(memref.layout, NoneAttr) or is_identity_map(memref.layout)) or (
        memref.get_num_dims() == 1
        and isinstance(memref.layout, StridedLayoutAttr)
        and [*memref.layout.get_strides()] == [1]
        and memref.layout.get_offset() == 0
    )


class NotStridedError(Exception):
    """The layout of a memref is not strided, so that views of it have no type."""


def strides_and_offset(
    memref: MemRefType[Attribute],
) -> tuple[Sequence[int | None], int | None]:
    """
    The strides, one for each dimension, and the offset; all unknown if the layout is not
    strided.
    """
    return _strided_form(memref) or ([None] * memref.get_num_dims(), None)


def _strided_form(
    memref: MemRefType[Attribute],
) -> tuple[Sequence[int | None], int | None] | None:
    """The strides and the offset; `None` if the layout is not strided."""
    if isinstance(memref.layout, AffineMapAttr):
        map = memref.layout.data
        if is_identity_map(memref.layout):
            return strides_for_shape(memref.get_shape()), 0
        if len(map.results) != 1:
            return None
        factors = linear_factors(map.results[0], memref.get_num_dims())
        return None if factors is None else (factors[:-1], factors[-1])
    strides = strides_of(memref)
    return None if strides is None else (strides, offset_of(memref))


def linear_factors(expr: AffineExpr, dims: int) -> list[int | None] | None:
    """
    The factor of each dimension in a linear expression, then the constant; `None` instead of
    a number that depends on symbols. `None` if the expression is not linear.
    """
    match expr:
        case AffineConstantExpr(value):
            return [*[0] * dims, value]
        case AffineSymExpr():
            return [*[0] * dims, None]
        case AffineDimExpr(position):
            return [int(i == position) for i in range(dims + 1)]
        case AffineBinaryOpExpr(kind, lhs, rhs):
            a, b = linear_factors(lhs, dims), linear_factors(rhs, dims)
            if a is None or b is None:
                return None
            if kind is AffineBinaryOpKind.Add:
                return [
                    None if x is None or y is None else x + y
                    for x, y in zip(a, b, strict=True)
                ]
            if kind is AffineBinaryOpKind.Mul:
                for factors, scalar in ((a, b), (b, a)):
                    if not any(factor != 0 for factor in scalar[:-1]):
                        return [_product(x, scalar[-1]) for x in factors]
            return None
        case _:
            return None


def _product(a: int | None, b: int | None) -> int | None:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def _known(size: int) -> int | None:
    return None if size == DYNAMIC_INDEX else size


def may_have_layout(source: Attribute, target: Attribute) -> bool:
    """
    Whether sizes that are known at run time may be such that a buffer of one type has the identity
    layout of another, where no cast is guaranteed:

        %s = memref.subview %m[0, 0] [%n, %d] [1, 1]   // strided<[?, 1]>: if %d is the stride
    """
    return (
        isinstance(source, MemRefType)
        and isinstance(target, MemRefType)
        and has_identity_layout(target)
        and not target.has_static_shape()
        and strides_and_offset(source)[1] == 0
    )


def is_cast_guaranteed(source: Attribute, target: Attribute) -> bool:
    """
    Whether `memref.cast` between the types is valid whatever the strides and the offset of
    the source are: it may make these dynamic, but not static. Sizes may become either. Types
    of other dialects have to be equal.

        memref<?x?xf32, strided<[4, 1]>> to memref<?x?xf32, strided<[?, 1]>>   // valid
        memref<?x?xf32, strided<[4, 1]>> to memref<?x?xf32>   // valid only for rows of 4
    """
    if not is_memref_type(source) or not is_memref_type(target):
        return source == target
    if isinstance(source, MemRefType) and isinstance(target, MemRefType):
        a, b = source, target
        if (
            a.element_type != b.element_type
            or a.memory_space != b.memory_space
            or not are_shapes_compatible(a.get_shape(), b.get_shape())
        ):
            return False
        # The sizes give the strides of an identity layout, also those that are unknown.
        is_identity = has_identity_layout(b)
        if a.layout == b.layout or (is_identity and has_identity_layout(a)):
            return True
        have_form, wanted_form = _strided_form(a), _strided_form(b)
        if have_form is None or wanted_form is None:
            return False
        strides, offset = have_form
        wanted_strides, wanted_offset = wanted_form
        return wanted_offset in (None, offset) and all(
            have == want if want is not None else size == 1 or not is_identity
            for have, want, size in zip(
                strides, wanted_strides, a.get_shape(), strict=True
            )
        )
    # Unranked types have no layout.
    return (
        source.element_type == target.element_type
        and source.memory_space == target.memory_space
        and (
            isinstance(target, UnrankedMemRefType)
            or target == fully_dynamic_type(target, target.memory_space)
        )
    )


def _view_type(
    source: MemRefType[Attribute],
    shape: Sequence[int],
    layout: StridedLayoutAttr | NoneAttr,
) -> MemRefType[Attribute]:
    return ranked_type(source.element_type, shape, layout, source.memory_space)


def _check_strided(source: MemRefType[Attribute]) -> None:
    if _strided_form(source) is None:
        raise NotStridedError(f"{source} has a layout that is not strided")


@_memoized
def subview_type(
    source: MemRefType[Attribute],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    shape: Sequence[int],
) -> MemRefType[Attribute]:
    """
    The type of a subview; offsets, sizes and strides are `DYNAMIC_INDEX` where dynamic.

    `shape` is the wanted shape: the sizes, some unit dimensions left out.
    Raises `NotStridedError` if the source is not strided.
    """
    _check_strided(source)
    source_strides, offset = strides_and_offset(source)
    for start, stride in zip(offsets, source_strides, strict=True):
        distance = _product(_known(start), stride)
        offset = None if offset is None or distance is None else offset + distance
    all_strides = [
        _product(have, _known(step))
        for have, step in zip(source_strides, strides, strict=True)
    ]
    kept: list[int | None] = []
    for size, stride in zip(sizes, all_strides, strict=True):
        if len(kept) < len(shape) and size == shape[len(kept)]:
            kept.append(stride)
    return _view_type(source, shape, StridedLayoutAttr(kept, offset))


@_memoized
def expand_type(
    source: MemRefType[Attribute],
    shape: Sequence[int],
    reassociation: Sequence[Sequence[int]],
) -> MemRefType[Attribute]:
    """
    The type of `source` with each dimension split into a group of `shape`'s.

    Raises `NotStridedError` if the source is not strided.
    """
    _check_strided(source)
    if _has_no_layout(source):
        return _view_type(source, shape, _NO_LAYOUT)
    source_strides, offset = strides_and_offset(source)
    strides: list[int | None] = []
    for group, stride in zip(reassociation, source_strides, strict=True):
        group_strides: list[int | None] = []
        for dim in reversed(group):
            group_strides.append(stride)
            if stride is not None:
                size = shape[dim]
                stride = None if size == DYNAMIC_INDEX else stride * size
        strides.extend(reversed(group_strides))
    if not source_strides:
        # From rank zero, all sizes are one, and any strides are right.
        strides = [1] * len(shape)
    return _view_type(source, shape, StridedLayoutAttr(strides, offset))


@_memoized
def collapse_type(
    source: MemRefType[Attribute],
    shape: Sequence[int],
    reassociation: Sequence[Sequence[int]],
) -> MemRefType[Attribute] | None:
    """
    The type of `source` with each group of dimensions merged into one; `None` if the
    dimensions of a group are not known to be contiguous, so that it takes a copy.
    """
    if _has_no_layout(source):
        return _view_type(source, shape, _NO_LAYOUT)
    sizes = source.get_shape()
    source_strides, offset = strides_and_offset(source)
    strides: list[int | None] = []
    for group in reassociation:
        inner = list(group)
        while len(inner) > 1 and sizes[inner[-1]] == 1:
            inner.pop()
        unit = len(inner) > 1 and sizes[inner[-1]] == DYNAMIC_INDEX
        strides.append(None if unit else source_strides[inner[-1]])
        expected = strides[-1]
        # Dimensions of size 1 after it take no steps, whatever their strides are.
        for dim in reversed(inner[1:]):
            size = sizes[dim]
            if expected is not None:
                expected = None if size == DYNAMIC_INDEX else expected * size
            if sizes[dim - 1] == 1:
                continue
            if expected is None or source_strides[dim - 1] != expected:
                return None
    if not reassociation and any(size != 1 for size in sizes):
        return None
    return _view_type(source, shape, StridedLayoutAttr(strides, offset))


def has_static_layout(type: MemRef) -> bool:
    """Whether a buffer of the type can be allocated: no stride or offset is unknown."""
    if not isinstance(type, MemRefType):
        return False
    if isinstance(layout := type.layout, AffineMapAttr):
        return layout.data.num_symbols == 0
    strides, offset = strides_and_offset(type)
    return None not in (offset, *strides)


def memory_space_of(type: Attribute) -> Attribute:
    """The memory space of a buffer type, `NoneAttr` for the default one."""
    if isinstance(type, BufferLikeType):
        return type.get_memory_space()
    return cast(MemRef, type).memory_space


def is_view_of_flat_memory(type: MemRefType[Attribute]) -> bool:
    """Whether a memref of the type is such a view: its sizes, strides and offset are known."""
    strides, offset = strides_and_offset(type)
    return type.has_static_shape() and None not in (offset, *strides)


def view_of_flat_memory(
    builder: Builder, memory: SSAValue, type: MemRefType[Attribute]
) -> SSAValue:
    """Insert the view of that type of the memory, which starts at the same address."""
    strides, offset = strides_and_offset(type)
    return builder.insert(
        memref.ReinterpretCastOp.build(
            operands=(memory, (), (), ()),
            result_types=(type,),
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, [cast(int, offset)]),
                "static_sizes": DenseArrayBase.from_list(i64, type.get_shape()),
                "static_strides": DenseArrayBase.from_list(
                    i64, cast("Sequence[int]", strides)
                ),
            },
        )
    ).result
