"""Type constraints of ops in several dialects."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    MemRefType,
)
from xdsl.irdl import AttrConstraint

from xdsl_bufferization.support.shaped_types import MemRef, Tensor

ANY_TENSOR: AttrConstraint[Tensor] = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr

ANY_MEMREF: AttrConstraint[MemRef] = MemRefType.constr() | AnyUnrankedMemRefTypeConstr
