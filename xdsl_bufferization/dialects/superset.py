"""Dialects made of xDSL's dialects, with ops of this package replaced or added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation, OpDef, PropertyDef

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import FormatProgram
    from xdsl.parser import Parser

_Op = TypeVar("_Op", bound=IRDLOperation)


def superset(
    base: Dialect,
    *,
    replacing: Sequence[type[Operation]] = (),
    adding: Sequence[type[Operation]] = (),
    attributes: Sequence[type[Attribute]] = (),
) -> Dialect:
    """
    A dialect with all of `base`, under the same name.

    An op of `replacing` replaces the op of `base` with the same name, if there is one. An op
    of `adding`, or one of `attributes`, is left out if `base` has one with the same name, as
    a later xDSL may.
    """
    operations = {op.name: op for op in adding}
    operations.update((op.name, op) for op in base.operations)
    operations.update((op.name, op) for op in replacing)
    known = {attribute.name: attribute for attribute in attributes}
    known.update((attribute.name, attribute) for attribute in base.attributes)
    return Dialect(
        base.name,
        list(operations.values()),
        list(known.values()),
        base._interfaces,  # pyright: ignore[reportPrivateUsage] # no other access
    )


class Redefinition(IRDLOperation):
    """
    First base of an op that redefines an op of xDSL's, which is its second base.

    Passes match ops by class (`isinstance(op, ToTensorOp)`), so the class of a parsed op has
    to be a subclass of xDSL's class. IRDL allows that if the subclass defines every field
    and `verify_` anew, and does not inherit the `parse` and `print` that IRDL generated for
    the superclass: it would take them for handwritten ones, which exclude an assembly
    format.
    """

    parse = vars(Operation)["parse"]
    print = Operation.print


def share_traits(op: type[Operation], base: type[Operation]) -> None:
    """
    Give xDSL's class the traits of the op that redefines it: xDSL's passes build ops of
    that class, which then have the same memory effects and canonicalization patterns as
    those that are parsed.
    """
    for trait in op.traits:
        base.traits.add_trait(trait)


def derive(
    general: type[IRDLOperation],
    name: str,
    summary: str,
    *,
    base: type[IRDLOperation] | None = None,
    properties: Mapping[str, PropertyDef] | None = None,
    verify: Callable[[Any], None] | None = None,
) -> type[Operation]:
    """
    The class of an op that is like `general`, and a subclass of xDSL's class `base`, too.

    It has those of `general`'s properties that are given, or all, and is verified by
    `verify` in addition. Its docstring is the summary, with the fields of the op. To define
    each of many like ops by itself would cost every program with ops of the dialect half a
    millisecond for each.

    The class is named like `base`, or else like the op, in CamelCase. Under this name it must
    be an attribute of `general`'s module, where pickle looks for it.
    """
    definition = replace(general.get_irdl_definition(), name=name)
    if properties is not None:
        definition.properties = {**properties}
        definition.accessor_names = _accessor_names(properties, general, base)

    def verify_op(self: IRDLOperation) -> None:
        definition.verify(self)
        if verify is not None:
            verify(self)

    members: dict[str, Any] = {
        "name": name,
        "__doc__": _docstring(summary, definition),
        "__module__": general.__module__,
        "get_irdl_definition": classmethod(lambda _cls: definition),
        "verify_": verify_op,
    }
    if base is None:
        class_name = "".join(p.capitalize() for p in name.split(".")[-1].split("_"))
        return type(f"{class_name}Op", (general,), members)
    members["traits"] = definition.traits = base.traits
    return type(base.__name__, (general, base), members)


def _accessor_names(
    properties: Mapping[str, PropertyDef],
    general: type[IRDLOperation],
    base: type[IRDLOperation] | None,
) -> dict[str, tuple[str, Literal["attribute", "property"]]]:
    """The properties by field; `general` names a field, or else `base`."""
    fields = {
        property_name: field
        for op in (base, general)
        if op is not None
        for field, (property_name, _) in op.get_irdl_definition().accessor_names.items()
    }
    return {fields[name]: (name, "property") for name in properties if name in fields}


def _docstring(summary: str, definition: OpDef) -> str:
    """The summary, with the names of the op's fields."""
    fields = {
        "Operands": [name for name, _ in definition.operands],
        "Results": [name for name, _ in definition.results],
        "Properties": [*definition.accessor_names],
        "Regions": [name for name, _ in definition.regions],
    }
    lines = [f"{kind}: {', '.join(names)}" for kind, names in fields.items() if names]
    return "\n".join((summary, "", *lines))


def printed_in_generic_form(op: type[_Op]) -> type[_Op]:
    """
    Decorator of an op that is printed as if xDSL had no such op, and read in custom form,
    too.
    """
    op.print = Operation.print
    return op


def with_custom_form(assembly_format: str) -> Callable[[type[_Op]], type[_Op]]:
    """
    Decorator of an op that is read in the custom form that the format describes, too. It is
    printed in generic form, as xDSL does.
    """

    @cache
    def program(op: type[IRDLOperation]) -> FormatProgram:
        from xdsl.irdl.declarative_assembly_format import FormatProgram

        return FormatProgram.from_str(assembly_format, op.get_irdl_definition())

    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        return program(cls).parse(parser, cls)

    def decorate(op: type[_Op]) -> type[_Op]:
        setattr(op, "parse", classmethod(parse))  # noqa: B010 # not typed as a method
        return op

    return decorate
