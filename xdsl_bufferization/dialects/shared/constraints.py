"""Type constraints of ops in several dialects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    MemRefType,
    StringAttr,
    UnrankedTensorType,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, base
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.host.releases import VerificationContext, container_of
from xdsl_bufferization.support.shaped_types import MemRef, Tensor
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType

ANY_TENSOR: AttrConstraint[Tensor] = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr

ANY_MEMREF: AttrConstraint[MemRef] = MemRefType.constr() | AnyUnrankedMemRefTypeConstr

FLOATS: AttrConstraint = container_of(AnyFloat) | base(UnrankedTensorType[AnyFloat])
"""Floats, and vectors and tensors of them."""


@dataclass(frozen=True)
class DerivedFromOr(AttrConstraint):
    """Attributes whose class is derived from `base`, or that satisfy another constraint."""

    base: type
    otherwise: AttrConstraint

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, self.base):
            self.otherwise.verify(attr, constraint_context)

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint:
        return self


ANY_TENSOR_LIKE: AttrConstraint = DerivedFromOr(TensorLikeType, ANY_TENSOR)
"""Tensors, and the tensor types of other dialects."""

ANY_BUFFER_LIKE: AttrConstraint = DerivedFromOr(BufferLikeType, ANY_MEMREF)
"""Memrefs, and the buffer types of other dialects."""


def verify_element_types(values: str, a: Tensor | MemRef, b: Tensor | MemRef) -> None:
    """Raise `VerifyException` unless both have elements of one type; `values` names the two."""
    if a.element_type != b.element_type:
        raise VerifyException(f"{values} differ in their element type: {a} and {b}")


_VISIBILITIES = "public", "private", "nested"


@dataclass(frozen=True)
class _Visibility(AttrConstraint[StringAttr]):
    """The names of visibilities."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, StringAttr) or attr.data not in _VISIBILITIES:
            raise VerifyException(
                f"the visibility of a symbol is one of {', '.join(_VISIBILITIES)}, not {attr}"
            )

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[StringAttr]:
        return self


VISIBILITY: AttrConstraint[StringAttr] = _Visibility()
"""Which ops see a symbol."""
