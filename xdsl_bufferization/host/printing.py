"""
Printing programs so that xDSL reads them without this package, too.

xDSL's custom form of some ops has no place for their attributes. Such an op is printed in
generic form, which every xDSL and mlir-opt read:

    linalg.add ins(%a, %b : ...) outs(%c : ...)
    "linalg.add"(%a, %b, %c) <{...}> ({...}) {mark} : (...) -> ()

Properties that xDSL's class of an op lacks are an error to xDSL. The op is printed with all
properties as attributes, which MLIR and this package take for properties again:

    "arith.divsi"(%a, %b) <{isExact}> : (i32, i32) -> i32
    "arith.divsi"(%a, %b) {isExact} : (i32, i32) -> i32
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextvars import ContextVar
from functools import cache
from typing import IO, Any, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget

from xdsl_bufferization.host.extensions import refined_class

_TargetT = TypeVar("_TargetT")

prints_to_terminal: ContextVar[bool] = ContextVar("prints_to_terminal", default=False)
"""
Whether what a target writes is printed to a terminal. A command collects that in a string,
which cannot tell.
"""

printed_to: ContextVar[IO[str] | None] = ContextVar("printed_to", default=None)
"""The output of a command, which MLIR is printed to in place of a string, if there is one."""

_loses: dict[str, Callable[[Operation], bool]] = {}
"""By name of an op: whether xDSL does not read all of the op in custom form."""


def print_in_generic_form_if(
    loses: Callable[[Operation], bool], names: Iterable[str]
) -> None:
    """Register when ops of the names have to be printed in generic form."""
    _loses.update((name, loses) for name in names)


_defaults: dict[str, Mapping[str, Attribute]] = {}
"""By name of an op: properties that xDSL requires, with what MLIR takes if they are absent."""


def print_with_defaults(
    defaults: Mapping[str, Attribute], names: Iterable[str]
) -> None:
    """Register properties to print of ops of the names, also where they are absent."""
    _defaults.update((name, defaults) for name in names)


def is_printed_in_generic_form(op: Operation) -> bool:
    """Whether the custom form of the op would lose something."""
    loses = _loses.get(op.name)
    return loses is not None and loses(op)


def has_attributes(op: Operation) -> bool:
    """Whether the op has attributes, beside its properties."""
    return bool(op.attributes)


def has_unknown_properties(op: Operation) -> bool:
    """Whether the op has properties that xDSL's class of it lacks."""
    known = _known_properties(type(op))
    return known is not None and not op.properties.keys() <= known


@cache
def _known_properties(op: type[Operation]) -> AbstractSet[str] | None:
    """The properties of xDSL's class of the op; `None` if xDSL has no such class."""
    refined = refined_class(op)
    if refined is None or not issubclass(refined, IRDLOperation):
        return None
    return refined.get_irdl_definition().properties.keys()


_NAME = "op_name__"
"""The attribute with the name of an op that no dialect defines."""

_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f]')
"""The characters that are escaped in the name of an op; xDSL reads no others escaped there."""


class PortablePrinter(Printer):
    """Prints ops so that xDSL reads them without this package, in custom form if possible."""

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        self._all_generic = self.print_generic_format
        self._all_as_attributes = self.print_properties_as_attributes

    def print_op(self, op: Operation) -> None:
        around = self.print_generic_format, self.print_properties_as_attributes
        self.print_generic_format = self._all_generic or is_printed_in_generic_form(op)
        self.print_properties_as_attributes = self._all_as_attributes or (
            has_unknown_properties(op)
        )
        absent = {
            name: value
            for name, value in _defaults.get(op.name, {}).items()
            if name not in op.properties
        }
        op.properties.update(absent)
        if isinstance(op, UnregisteredOp):
            self._print_unregistered(op)
        else:
            super().print_op(op)
        for name in absent:
            del op.properties[name]
        self.print_generic_format, self.print_properties_as_attributes = around

    def _print_unregistered(self, op: UnregisteredOp) -> None:
        """Print the op with its name escaped, which xDSL prints as it is."""
        name = op.op_name
        escaped = _SPECIAL.sub(lambda found: f"\\{ord(found[0]):02X}", name.data)
        op.attributes[_NAME] = StringAttr(escaped)
        super().print_op(op)
        op.attributes[_NAME] = name


class PortableTarget(MLIRTarget):
    """The target `mlir` of commands that call this package."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        printer = _printer_class(self.syntax_highlight)(
            stream=(stream := printed_to.get() or output),
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=stream)


def _printer_class(highlighted: bool) -> type[Printer]:
    if not highlighted:
        return PortablePrinter
    from xdsl.syntax_printer import SyntaxPrinter

    return type("PortableSyntaxPrinter", (PortablePrinter, SyntaxPrinter), {})


def print_for_all(targets: Mapping[str, _TargetT]) -> dict[str, _TargetT]:
    """The targets of a command, with one that prints MLIR so that every xDSL reads it."""
    printing = targets.get("mlir")
    if getattr(printing, "__module__", "").split(".")[0] != "xdsl":
        return {**targets}
    return {**targets, "mlir": cast("_TargetT", lambda: PortableTarget)}
