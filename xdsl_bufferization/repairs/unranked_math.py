"""Ops of math on unranked tensors."""

from __future__ import annotations

from xdsl.dialects.math import floatingPointLike, signlessIntegerLike

from xdsl_bufferization.repairs.unranked_tensors import accept, refuses

_CONSTRAINTS = floatingPointLike, signlessIntegerLike


def is_broken() -> bool:
    return any(map(refuses, _CONSTRAINTS))


def mend() -> None:
    for constraint in filter(refuses, _CONSTRAINTS):
        accept(constraint)
