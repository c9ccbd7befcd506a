"""Ops of arith on unranked tensors."""

from __future__ import annotations

from xdsl.dialects.arith import boolLike, floatingPointLike, signlessIntegerLike

from xdsl_bufferization.repairs.unranked_tensors import accept, refuses

_CONSTRAINTS = boolLike, floatingPointLike, signlessIntegerLike


def is_broken() -> bool:
    return any(map(refuses, _CONSTRAINTS))


def mend() -> None:
    for constraint in filter(refuses, _CONSTRAINTS):
        accept(constraint)
