"""What operands, results and attributes may be, in the words of MLIR's documentation."""

from __future__ import annotations

from io import StringIO

from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
)
from xdsl.printer import Printer


def describe(constraint: AttrConstraint | RangeConstraint) -> str:
    """The constraint on a type or an attribute, as Markdown."""
    match constraint:
        case RangeLengthConstraint(constraint=inner) | RangeOf(constr=inner):
            return describe(inner)
        case AnyAttr():
            return "anything"
        case AnyOf(attr_constrs=choices):
            return " or ".join(describe(choice) for choice in choices)
        case BaseAttr(attr=base) | ParamAttrConstraint(base_attr=base):
            return _name(base)
        case EqAttrConstraint(attr=attribute):
            text = StringIO()
            Printer(text).print_attribute(attribute)
            return f"`{text.getvalue()}`"
        case VarConstraint(name=name, constraint=inner):
            return f"{describe(inner)} (the same type `{name}` each time)"
        case MessageConstraint(constr=inner):
            return describe(inner)
        case _:
            return f"`{constraint}`"


def _name(base: type[Attribute]) -> str:
    """The name of a type as MLIR writes it, or of an attribute."""
    name = base.name.removeprefix("builtin.").replace("_", " ")
    return name if issubclass(base, TypeAttribute) else f"{name} attribute"
