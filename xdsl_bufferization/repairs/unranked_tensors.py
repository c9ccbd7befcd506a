"""Constraints of elementwise ops, which unranked tensors satisfy, too."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import TensorType, UnrankedTensorType, f32, i1, i32
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint


def refuses(constraint: AttrConstraint) -> bool:
    """Whether no unranked tensor of floats, booleans or integers satisfies the constraint."""
    return not any(
        constraint.verifies(UnrankedTensorType(element)) for element in (f32, i1, i32)
    )


def accept(constraint: AttrConstraint) -> None:
    """
    Make unranked tensors satisfy the constraint, if ranked ones with their elements do.

    All elementwise ops of a dialect share one constraint, so it gets another class.
    """
    constraint_class: type[Any] = type(constraint)
    verify, get_bases = constraint_class.verify, constraint_class.get_bases

    class _OrUnranked(constraint_class):
        def verify(self, attr: Attribute, constraint_context: Any) -> None:
            if isinstance(attr, UnrankedTensorType):
                attr = TensorType(attr.element_type, ())
            verify(self, attr, constraint_context)

        def get_bases(self) -> set[type[Attribute]] | None:
            bases = get_bases(self)
            return None if bases is None else {*bases, UnrankedTensorType}

    object.__setattr__(constraint, "__class__", _OrUnranked)
