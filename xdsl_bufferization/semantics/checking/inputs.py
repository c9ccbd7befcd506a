"""Random arguments for functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerType,
    ShapedType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    element_type,
    wrap,
)
from xdsl_bufferization.support.shaped_types import are_shapes_compatible

_MOST_ELEMENTS = 1 << 32
"""The most elements of an argument: more take too long to draw."""
_LARGEST = 6
"""The largest random size."""
_SPACIOUS = 12
"""A size that is large enough for most programs."""


@dataclass(frozen=True)
class InputOptions:
    """Given sizes and values of the arguments of a function, by their indices."""

    size: int | None = None
    """The size of all dynamic dimensions that are not in `sizes`."""
    sizes: Mapping[tuple[int, int], int] = field(
        default_factory=dict[tuple[int, int], int]
    )
    """By argument and dimension: the size."""
    scalars: Mapping[int, float] = field(default_factory=dict[int, float])
    """By argument: the value of a scalar."""
    arrays: Mapping[int, Array] = field(default_factory=dict[int, Array])
    """By argument: the elements of a tensor or memref."""


class InputError(Exception):
    """An argument cannot have the value, the elements or the sizes that were given."""


class Inputs:
    """
    A sequence of random arguments, which is determined by the seed.

    `constants` are numbers that the program may compare arguments with.

    Raises `InputError` for a given value, or elements, that the argument's type does not have.
    """

    def __init__(
        self,
        types: Sequence[Attribute],
        options: InputOptions,
        seed: int,
        constants: Sequence[float] = (),
    ):
        self._types = types
        self._constants = constants
        self._options = options
        self._random = np.random.default_rng(seed)
        self._given = {
            number: _given(number, types[number], value)
            for number, value in options.scalars.items()
            if 0 <= number < len(types)
        }
        self._given.update(
            (number, given_array(number, types[number], array))
            for number, array in options.arrays.items()
            if 0 <= number < len(types)
        )

    def draw_other(self, attempt: int) -> list[Value]:
        """
        The next arguments of other kinds, on which the program may take other paths: half of
        them are near the constants of the program, zero, negative, or large, arrays of these
        included. Raises what `draw` raises.
        """
        values = self.draw(attempt, plain=attempt % 3 == 0)
        for number, type in enumerate(self._types):
            if number not in self._given and self._random.random() < 0.5:
                values[number] = self._shifted(type, values[number])
        return values

    def _shifted(self, type: Attribute, value: Value) -> Value:
        """The value, or the elements of an array, in another range of their type."""
        element = element_type(type)
        array = np.asarray(value)
        near = self._near_constants()
        if isinstance(element, IntegerType | IndexType):
            if array.dtype == np.bool_:
                new = np.full_like(array, bool(self._random.integers(2)))
            else:
                number = round(near)
                least, end = _range(type)
                new = np.full_like(array, min(max(number, least), end - 1))
        elif array.dtype.names is None:
            scale = (1.0, -1.0, 100.0, 0.0)[int(self._random.integers(4))]
            shift = np.asarray(near if self._random.random() < 0.5 else 0)
            with np.errstate(all="ignore"):
                new = (array * array.dtype.type(scale)) + shift.astype(array.dtype)
            new = np.asarray(new).astype(array.dtype)
        else:
            return value
        if element is type:
            return new[()]
        new.flags.writeable = False
        return new

    def _near_constants(self) -> float:
        """A constant of the program, or the number before or after it; or zero, or one."""
        known = self._constants
        if not known or self._random.random() < 0.25:
            known = (0, 1)
        chosen = known[int(self._random.integers(len(known)))]
        return chosen + (0, 0, -1, 1)[int(self._random.integers(4))]

    def draw(self, attempt: int, *, plain: bool) -> list[Value]:
        """
        The next arguments. With `plain`, all dynamic sizes are equal and integers are
        small. The first attempts draw what most programs accept, later ones vary more.
        Raises `MissingSemanticsError` for a type without values, and `InputError` for
        arguments that are too large.
        """
        kind = attempt % 4 if attempt or plain else int(self._random.integers(4))
        common = self._options.size
        if common is None:
            chosen = int(self._random.integers(1, _LARGEST + 1))
            common = (4, chosen, _SPACIOUS, chosen)[kind]
        # With large sizes, small indices are in bounds of most tensors.
        limit = 2 if kind == 2 else common
        same = kind in (0, 2)
        return [
            self._value(number, type, common, limit, same)
            for number, type in enumerate(self._types)
        ]

    def _value(
        self, number: int, type: Attribute, common: int, limit: int, same: bool
    ) -> Value:
        if number in self._given:
            return self._given[number]
        shape = self._shape(number, type, common, same)
        try:
            if prod(shape) <= _MOST_ELEMENTS:
                return random_value(self._random, type, shape, limit, small=same)
        except MemoryError:
            pass
        raise InputError(f"argument {number} of sizes {list(shape)} is too large")

    def _shape(
        self, number: int, type: Attribute, common: int, same: bool
    ) -> tuple[int, ...]:
        if isinstance(type, UnrankedTensorType | UnrankedMemRefType):
            static: Sequence[int] = (DYNAMIC_INDEX, DYNAMIC_INDEX)
        else:
            static = type.get_shape() if isinstance(type, ShapedType) else ()
        shape: list[int] = []
        for dimension, size in enumerate(static):
            if size == DYNAMIC_INDEX:
                size = self._options.sizes.get((number, dimension))
                if size is None and (same or self._options.size is not None):
                    size = common
                elif size is None:
                    size = int(self._random.integers(1, _LARGEST + 1))
            shape.append(size)
        return tuple(shape)


def _range(type: Attribute) -> tuple[int, int]:
    """The least number of the type, or of its elements, and the one after the greatest."""
    element = element_type(type)
    return (element if isinstance(element, IntegerType) else i64).value_range()


def given_array(number: int, type: Attribute, array: Array) -> Array:
    """
    The array with elements of the type of argument `number`, read-only.

    Raises `InputError` if the argument is no tensor or memref, has other sizes, or its element
    type does not have all elements; floats are rounded.
    """
    argument = f"argument {number}, of type '{type}',"
    given = f"an array of {array.dtype} with sizes {list(array.shape)}"
    element = element_type(type)
    if element is type:
        raise InputError(f"{argument} is no tensor or memref, so it cannot be {given}")
    if isinstance(type, ShapedType) and not are_shapes_compatible(
        type.get_shape(), array.shape
    ):
        raise InputError(f"{argument} cannot be {given}")
    dtype = dtype_of(element)
    if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize:
        # NumPy's files do not name the types of other packages.
        array = array.view(dtype)
    with np.errstate(all="ignore"):
        converted = array.astype(dtype)
    rounds = dtype.kind not in "biu" and array.dtype.kind in "fVbiu"
    if not rounds and not np.array_equal(converted, array):
        raise InputError(
            f"{argument} cannot be {given}: not all elements are of the type"
        )
    converted.flags.writeable = False
    return converted


def _given(number: int, type: Attribute, value: float) -> Value:
    """The value as one of the type, which argument `number` has."""
    argument = f"argument {number}, of type '{type}',"
    element = element_type(type)
    if element is not type and not (
        isinstance(type, ShapedType) and not type.get_shape()
    ):
        raise InputError(f"{argument} is no scalar, so it cannot be {value}")
    if isinstance(element, IntegerType | IndexType):
        least, end = _range(type)
        # Infinities and NaN are outside of each range.
        if not (least <= value < end and value == int(value)):
            raise InputError(
                f"{argument} cannot be {value}, but is an integer from {least} to "
                f"{end - 1}"
            )
        return wrap(type, int(value))
    try:
        with np.errstate(over="ignore"):
            result = wrap(type, float(value))
    except OverflowError:
        result = np.inf
    if np.isinf(result) and value not in (np.inf, -np.inf):
        raise InputError(f"{argument} cannot be as large as {value}")
    return result


def random_value(
    random: np.random.Generator,
    type: Attribute,
    shape: tuple[int, ...],
    limit: int,
    *,
    small: bool,
) -> Value:
    """
    A scalar of the type, or a read-only array of its elements. An index is at most `limit`,
    in arrays less; integers are less too, if `small`.
    """
    element = element_type(type)
    dtype = dtype_of(element)
    if element is type and isinstance(element, IndexType):
        # Half of the indices are likely to be sizes.
        chosen = limit if random.random() < 0.5 else random.integers(0, limit + 1)
        return np.int64(chosen)
    match element:
        case _ if dtype == np.bool_:
            drawn = random.integers(0, 2, shape, np.int8)
        case IndexType():
            drawn = random.integers(0, max(limit, 1), shape)
        case IntegerType():
            bound = 1 << (element.bitwidth - 1)
            low, high = max(-100, -bound), min(100, bound)
            if small:
                low, high = 0, min(max(limit, 1), high)
            drawn = random.integers(low, high, shape)
        case _ if dtype.kind == "c":
            drawn = random.standard_normal((*shape, 2)) @ np.array([1, 1j])
        case _:
            width = np.float64 if dtype.itemsize == 8 else np.float32
            drawn = random.standard_normal(shape, dtype=width)
    elements: Array = np.asarray(drawn).astype(dtype, copy=False)
    if element is type:
        return elements[()]
    elements.flags.writeable = False
    return elements


def can_be_drawn(type: Attribute) -> bool:
    """Whether `random_value` has values of the type, and they are not too large."""
    if isinstance(type, ShapedType) and type.has_static_shape():
        if prod(type.get_shape()) > _MOST_ELEMENTS:
            return False
    try:
        dtype_of(type)
    except MissingSemanticsError:
        return False
    return True
