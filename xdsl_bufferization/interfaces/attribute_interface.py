"""
How types and other attributes of any dialect answer the questions of an interface.

A class of attributes may be derived from the interface. For someone else's class, a class of
*models* is registered, whose objects are made of an attribute and answer for it. Packages
register them in the functions of the entry-point group `xdsl_bufferization.models`, as they do
models of ops: an attribute's dialect is the first part of its name.

Source: MLIR's attribute and type interfaces, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, cast

from typing_extensions import TypeVar
from xdsl.ir import Attribute, Dialect

from xdsl_bufferization.interfaces.registry import load_models

AttributeT = TypeVar("AttributeT", bound=Attribute)

_models: dict[tuple[type, type[Attribute]], Callable[[Any], object]] = {}
"""
By interface and class of attributes. It is not in the classes of interfaces, as xDSL would take
it for a parameter of the attributes.
"""


class AttributeInterface:
    """
    Base of the interfaces: `Interface.of(attribute)` is what answers for the attribute, or
    `None`.
    """

    @classmethod
    def of(cls, attribute: Attribute) -> Self | None:
        """The implementation for the attribute; `None` if it does not have this interface."""
        if isinstance(attribute, cls):
            return attribute
        if "." in attribute.name:
            load_models(Dialect.split_name(attribute.name)[0])
        model = _models.get((cls, type(attribute)))
        return None if model is None else cast(Self, model(attribute))

    @classmethod
    def register(
        cls, kind: type[AttributeT], model: Callable[[AttributeT], Self]
    ) -> None:
        """Let `model(attribute)` answer for attributes of the class."""
        _models[cls, kind] = model
