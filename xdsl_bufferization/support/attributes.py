"""The integers in attributes of ops, and those that values are known to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    i32,
    i64,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue
from xdsl.traits import ConstantLike

OperationT = TypeVar("OperationT", bound=Operation)


def attribute(op: Operation, name: str) -> Attribute | None:
    """
    The property of that name, or else the attribute: in old generic syntax, and of ops
    that no dialect defines, properties are attributes.
    """
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def known_attribute(
    op: Operation, name: str, kind: type[AttributeInvT]
) -> AttributeInvT:
    """The attribute of that name and class, which the op is known to have."""
    found = attribute(op, name)
    assert isinstance(found, kind)
    return found


def argument_attributes(function: Operation) -> Sequence[Mapping[str, Attribute]]:
    """The attributes of each argument of the function; empty if none has any."""
    found = attribute(function, "arg_attrs")
    entries = found.data if isinstance(found, ArrayAttr) else ()
    return [entry.data for entry in entries if isinstance(entry, DictionaryAttr)]


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """The attribute of that name of an argument of the function, if there is one."""
    found = attribute(function, "arg_attrs")
    entries = found.data if isinstance(found, ArrayAttr) else ()
    entry = entries[index] if index < len(entries) else None
    return entry.data.get(name) if isinstance(entry, DictionaryAttr) else None


def is_declaration_with_attributes(op: Operation) -> bool:
    """Whether xDSL loses attributes of a function's arguments, as it has no body."""
    return not op.regions[0].blocks and any(argument_attributes(op))


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """The elements of an attribute that is some array of integers; none if it is absent."""
    found = attribute(op, name)
    if found.__class__ is DenseArrayBase:
        # isinstance() is slow, as classes of attributes have an abstract base class.
        array = cast("DenseArrayBase[IntegerType]", found)
        return _decoded(array.data.data, array.elt_type.width.data)
    match found:
        case DenseIntOrFPElementsAttr() as dense:
            return tuple(
                int(value) for value in cast("Sequence[int]", dense.get_values())
            )
        case ArrayAttr() as array:
            return tuple(n.value.data for n in array if isinstance(n, IntegerAttr))
        case _:
            return ()


@lru_cache(maxsize=4096)
def _decoded(data: bytes, width: int) -> tuple[int, ...]:
    """The integers, each of `width` bits, that a dense array has stored in `data`."""
    type = IntegerType(width)
    return type.unpack(data, len(data) // type.size)


@lru_cache(maxsize=4096)
def segment_sizes(*sizes: int) -> DenseArrayBase[IntegerType]:
    """The attribute `operandSegmentSizes` of an op with so many operands in each segment."""
    return DenseArrayBase.from_list(i32, sizes)


@lru_cache(maxsize=4096)
def static_integers(*values: int) -> DenseArrayBase[IntegerType]:
    """The values as an attribute such as `static_sizes`: xDSL checks the range of each."""
    return DenseArrayBase.from_list(i64, values)


def slice_op(
    kind: type[OperationT],
    tensors: Sequence[SSAValue],
    type: Attribute,
    offsets: Sequence[SSAValue | int],
    sizes: Sequence[SSAValue | int],
    strides: Sequence[SSAValue | int] | None = None,
) -> OperationT:
    """
    An op on a slice of the last of the tensors, of unit strides by default. The classes of xDSL
    have no such constructor until 0.69.
    """
    names = "static_offsets", "static_sizes", "static_strides"
    lists = offsets, sizes, strides or [1] * len(sizes)
    dynamic, properties = dynamic_index_fields(names, lists)
    segments = *[1] * len(tensors), *map(len, dynamic)
    return kind.create(
        operands=(*tensors, *chain(*dynamic)),
        result_types=(type,),
        properties={**properties, "operandSegmentSizes": segment_sizes(*segments)},
    )


def dynamic_index_fields(
    names: Sequence[str], lists: Sequence[Sequence[SSAValue | int]]
) -> tuple[Sequence[Sequence[SSAValue]], dict[str, Attribute]]:
    """The operands of an op with these lists of indices, and the properties of these names."""
    # Most programs do not wait for it.
    from xdsl.dialects.utils.dynamic_index_list import split_dynamic_index_list

    static, dynamic = zip(
        *(split_dynamic_index_list(of, DYNAMIC_INDEX) for of in lists), strict=True
    )
    return dynamic, {
        n: static_integers(*of) for n, of in zip(names, static, strict=True)
    }


def reassociation(op: Operation) -> Sequence[Sequence[int]]:
    """The groups of dimensions that an op such as `tensor.expand_shape` names."""
    groups = known_attribute(op, "reassociation", ArrayAttr)
    return [
        [number.value.data for number in group if isinstance(number, IntegerAttr)]
        for group in groups
        if isinstance(group, ArrayAttr)
    ]


def reassociation_attribute(
    groups: Sequence[Sequence[int]],
) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The groups of dimensions, as an op names them."""
    return ArrayAttr(
        ArrayAttr(IntegerAttr(dimension, i64) for dimension in group)
        for group in groups
    )


def constant_integer(value: SSAValue) -> int | None:
    """The integer that the value is; `None` if it is no constant, or no integer."""
    constant = ConstantLike.get_constant_value(value)
    return constant.value.data if isinstance(constant, IntegerAttr) else None


def is_true(value: SSAValue) -> bool:
    """Whether the value is a constant other than 0."""
    return constant_integer(value) not in (0, None)
