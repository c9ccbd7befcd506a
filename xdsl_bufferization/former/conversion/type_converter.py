"""
How types and their values change at function boundaries: tensors become memrefs, and types
of several parts, such as tuples, may be taken apart.

Source: `BufferizeTypeConverter` of https://mlir.llvm.org/docs/Bufferization/ in LLVM 11, and
https://mlir.llvm.org/docs/DialectConversion/#type-conversion
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import TypeAlias

from typing_extensions import TypeVar
from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    TensorType,
    UnrankedTensorType,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import (
    cast_to,
    identity_type,
    is_cast_guaranteed,
)
from xdsl_bufferization.support.regions import defined_by
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type

TypeT = TypeVar("TypeT", bound=Attribute)
AnswerT = TypeVar("AnswerT")

Conversion: TypeAlias = Callable[[TypeT], Attribute | None]
"""The type that another one becomes; `None` leaves it to callbacks added earlier."""

DecomposeType: TypeAlias = Callable[[TypeT], Sequence[Attribute] | None]
"""The types that one consists of."""

DecomposeValue: TypeAlias = Callable[
    [Builder, TypeT, SSAValue], Sequence[SSAValue] | None
]
"""The values that one of the type consists of, one for each part of the type."""

Materialization: TypeAlias = Callable[
    [Builder, TypeT, Sequence[SSAValue]], SSAValue | None
]
"""A value of the type, or one that stands for it, made of the values."""


_Callbacks: TypeAlias = list[tuple[type[Attribute], Callable[..., AnswerT | None]]]
"""Callbacks, each with the class of types that it is for."""


class ResultConversionKind(Enum):
    """Ways to convert a result of a function."""

    APPEND_TO_ARGUMENTS_LIST = "append to arguments list"
    """The caller passes memory for it, as a further argument."""
    KEEP_AS_FUNCTION_RESULT = "keep as function result"
    """It is still returned."""


class BufferizeTypeConverter:
    """
    Converts types, and makes the values that connect old and new types.

    The callback added last is asked first. Without any, tensors become memrefs without a
    layout, and all other types stay as they are.
    """

    def __init__(self) -> None:
        self._conversions: _Callbacks[Attribute] = []
        self._decompose_type: _Callbacks[Sequence[Attribute]] = []
        self._decompose_value: _Callbacks[Sequence[SSAValue]] = []
        self._pack: _Callbacks[SSAValue] = []
        self._kinds: list[
            tuple[type[Attribute], type[Attribute], ResultConversionKind]
        ] = []
        self.add_conversion(TensorType, identity_type)
        self.add_conversion(UnrankedTensorType, identity_type)

    # Configuration -------------------------------------------------------------------

    def add_conversion(self, before: type[TypeT], callback: Conversion[TypeT]) -> None:
        """The callback gives the type that types of that class become."""
        self._conversions.append((before, callback))

    def add_decompose_type_conversion(
        self, before: type[TypeT], callback: DecomposeType[TypeT]
    ) -> None:
        """The callback gives the parts of types of that class, which are taken apart in turn."""
        self._decompose_type.append((before, callback))

    def add_decompose_value_conversion(
        self, before: type[TypeT], callback: DecomposeValue[TypeT]
    ) -> None:
        """The callback takes values of such a type apart."""
        self._decompose_value.append((before, callback))

    def add_argument_materialization(
        self, before: type[TypeT], callback: Materialization[TypeT]
    ) -> None:
        """
        The callback packs the bufferized parts of an argument or of a call's result. The
        value that it returns may be of another type, with memrefs instead of the tensors.
        """
        self._pack.append((before, callback))

    def set_result_conversion_kind(
        self,
        before: type[Attribute],
        after: type[Attribute],
        kind: ResultConversionKind,
    ) -> None:
        """Set how results of functions are converted whose type changes in that way."""
        self._kinds.append((before, after, kind))

    # Types ----------------------------------------------------------------------------

    def convert_type(self, type: Attribute) -> Attribute:
        """The converted type."""
        return next(_answers(self._conversions, type, type), type)

    def decompose_type(self, type: Attribute) -> list[Attribute]:
        """The smallest parts of the type, before they are converted."""
        parts: list[Attribute] = []
        left = [type]
        while left:
            part = left.pop()
            smaller = self._parts(part)
            if smaller is None:
                parts.append(part)
            else:
                left.extend(reversed(smaller))
        return parts

    def _parts(self, type: Attribute) -> Sequence[Attribute] | None:
        answers = _answers(self._decompose_type, type, type)
        return next((parts for parts in answers if [*parts] != [type]), None)

    def convert_parts(self, type: Attribute) -> list[Attribute]:
        """The converted parts of the type."""
        return [self.convert_type(part) for part in self.decompose_type(type)]

    def is_legal(self, type: Attribute) -> bool:
        """Whether the type stays as it is."""
        return self.convert_parts(type) == [type]

    def result_conversion_kind(
        self, before: Attribute, after: Attribute
    ) -> ResultConversionKind:
        """The way to convert a result that has the one type before and the other after."""
        for before_class, after_class, kind in reversed(self._kinds):
            if isinstance(before, before_class) and isinstance(after, after_class):
                return kind
        return ResultConversionKind.KEEP_AS_FUNCTION_RESULT

    # Values ---------------------------------------------------------------------------

    def decompose_value(self, builder: Builder, value: SSAValue) -> list[SSAValue]:
        """
        The parts of the value, bufferized.

        Raises `BufferizationError` if its type has parts, and no callback takes the value
        apart.
        """
        parts: list[SSAValue] = []
        left = [value]
        while left:
            part = left.pop()
            if (packed := _unconverted(part)) is not None:
                left.extend(reversed(packed))
            elif self._parts(part.type) is None:
                converted = self.convert_type(part.type)
                parts.append(self.materialize_target(builder, converted, part))
            else:
                left.extend(reversed(self._parts_of(builder, part)))
        return parts

    def _parts_of(self, builder: Builder, value: SSAValue) -> Sequence[SSAValue]:
        type = value.type
        for parts in _answers(self._decompose_value, type, builder, type, value):
            return parts
        raise BufferizationError(
            defined_by(value),
            f"defines a {type}, which nothing takes apart",
            hint="add_decompose_value_conversion for its type",
        )

    def pack(
        self, builder: Builder, type: Attribute, values: Sequence[SSAValue]
    ) -> SSAValue:
        """A value of the type, made of its bufferized parts."""
        if self._parts(type) is None:
            (value,) = values
            return self.materialize_source(builder, type, value)
        for packed in _answers(self._pack, type, builder, type, values):
            return self.materialize_source(builder, type, packed)
        return _cast(builder, type, values)

    def materialize_source(
        self, builder: Builder, type: Attribute, value: SSAValue
    ) -> SSAValue:
        """The value in its former type, for ops that are not converted."""
        if value.type == type:
            return value
        if is_tensor_type(type) and is_memref_type(value.type):
            return builder.insert(ToTensorOp(value, result_type=type)).tensor
        return _cast(builder, type, (value,))

    def materialize_target(
        self, builder: Builder, type: Attribute, value: SSAValue
    ) -> SSAValue:
        """The value in the type that it is converted to, for converted ops."""
        if value.type == type:
            return value
        if is_tensor_type(value.type) and is_memref_type(type):
            if isinstance(owner := value.owner, ToTensorOp):
                buffer = owner.memref
                if is_cast_guaranteed(buffer.type, type):
                    return cast_to(builder, buffer, type)
            return builder.insert(ToBufferOp(value, type)).memref
        return _cast(builder, type, (value,))


def _answers(
    callbacks: _Callbacks[AnswerT], type: Attribute, *arguments: object
) -> Iterator[AnswerT]:
    """The answers of the callbacks for the type to the arguments, the one added last first."""
    for cls, callback in reversed(callbacks):
        if isinstance(type, cls) and (answer := callback(*arguments)) is not None:
            yield answer


def _cast(builder: Builder, type: Attribute, values: Sequence[SSAValue]) -> SSAValue:
    return builder.insert(UnrealizedConversionCastOp.get(values, (type,))).results[0]


def _unconverted(value: SSAValue) -> Sequence[SSAValue] | None:
    """The bufferized values that a value of a former type was made from."""
    owner = value.owner
    if isinstance(owner, UnrealizedConversionCastOp) and len(owner.outputs) == 1:
        return owner.inputs
    return None
