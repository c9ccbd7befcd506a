"""
The dialects of xDSL's that this package extends.

Each has a module in `dialects` with an `EXTENSION`, which holds ops of two kinds:

- *additions*, which xDSL lacks. Every context that discovers the package reads them.
- *redefinitions*, which refine an op class of xDSL's. They take the place of that class only
  in a context that is *redefined*: the context of a command that calls this package, or one that
  was made for it.

The modules are imported by name when a context loads the dialect, so that a program without
an op of a dialect does not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialect_interfaces import DialectInterface
from xdsl.ir import Attribute, Dialect, Operation

EXTENDED = (
    "affine",
    "arith",
    "bufferization",
    "cf",
    "dlti",
    "func",
    "gpu",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "scf",
    "tensor",
    "tosa",
    "vector",
)
"""The names of the dialects, and of their modules but for those in `_MODULES`."""

_MODULES = {"memref": "memref.extension"}
"""Dialects whose extension is not in the module of their name."""

_LACKING = (
    "amdgpu",
    "async",
    "index",
    "nvgpu",
    "nvvm",
    "ptr",
    "quant",
    "rocdl",
    "shape",
    "sparse_tensor",
    "spirv",
    "xegpu",
    "xevm",
)
"""The dialects that xDSL lacks, with attributes and types that are kept as they are written."""

_OWN = "bufferization"
"""
The dialect that is this package's. Its ops are printed in custom form, for people who read the
program between two passes; `bufferize` leaves no ops of the dialect.
"""

_InterfaceT = TypeVar("_InterfaceT", bound=DialectInterface)


@dataclass(frozen=True)
class Extension:
    """The op and attribute classes that this package has for a dialect."""

    operations: Sequence[type[Operation]] = ()
    """Additions and redefinitions."""
    attributes: Sequence[type[Attribute]] = ()
    """Additions."""
    always: Sequence[type[Operation]] = ()
    """
    Redefinitions for all contexts, of ops that this package prints in forms that xDSL's own class
    does not read. They have the traits of xDSL's class.
    """
    repair: str | None = None
    """The repair of classes of the dialect, one of `repairs.REPAIRS`, for redefined contexts."""

    def __post_init__(self) -> None:
        for op in self.operations:
            if refined_class(op) is None and Dialect.split_name(op.name)[0] != _OWN:
                # xDSL reads an op that it lacks in generic form only.
                op.print = Operation.print

    def added_to(self, dialect: Dialect) -> Dialect:
        """The dialect with what it lacks; it keeps each op of a name that it has."""
        known = {op.name for op in dialect.operations}
        missing = [op for op in self.operations if op.name not in known]
        return self._extended(dialect, (*missing, *self.always))

    def redefining(self, dialect: Dialect) -> Dialect:
        """The dialect with what it lacks, and with the redefinitions; it is repaired."""
        if self.repair is not None:
            from xdsl_bufferization.host import repairs

            repairs.make(self.repair)
        return self._extended(dialect, self.operations)

    def _extended(
        self, dialect: Dialect, operations: Iterable[type[Operation]]
    ) -> Dialect:
        ops = {op.name: op for op in dialect.operations}
        for op in operations:
            # Another package, or a later xDSL, may have an op of the name that ours does not
            # refine: it stays.
            if _is_refined(ops.get(op.name, Operation), op):
                ops[op.name] = op
        attributes = {attribute.name: attribute for attribute in self.attributes}
        attributes.update((a.name, a) for a in dialect.attributes)
        return _ExtendedDialect(dialect, ops.values(), attributes.values())


def refined_class(op: type[Operation]) -> type[Operation] | None:
    """The class of xDSL's op of the same name, or `None` if the op refines no such class."""
    for base in op.__mro__:
        if base.__module__.startswith("xdsl.") and issubclass(base, Operation):
            if getattr(base, "name", None) == op.name:
                return base
    return None


def _is_refined(op: type[Operation], by: type[Operation]) -> bool:
    """Whether `by` refines the op, or both are forms of one redefinition."""
    return issubclass(by, op) or issubclass(op, by)


class _ExtendedDialect(Dialect):
    """A dialect with other ops and attributes than its base, and with the base's interfaces."""

    def __init__(
        self,
        base: Dialect,
        operations: Iterable[type[Operation]],
        attributes: Iterable[type[Attribute]],
    ):
        super().__init__(base.name, [*operations], [*attributes])
        self._base = base

    def get_interface(self, interface: type[_InterfaceT]) -> _InterfaceT | None:
        return self._base.get_interface(interface)


def extension_of(dialect: str) -> Extension:
    """The extension of the dialect, which is one of `EXTENDED`."""
    return import_module(
        f"xdsl_bufferization.dialects.{_MODULES.get(dialect, dialect)}"
    ).EXTENSION


_Extend = Callable[[Extension, Dialect], Dialect]


def extend_all(factories: dict[str, Callable[[], Dialect]], extend: _Extend) -> None:
    """
    Wrap the factories of the extended dialects. The new one calls the one before it, so that
    packages that do the same compose in any order.
    """

    def extended(name: str, factory: Callable[[], Dialect]) -> Callable[[], Dialect]:
        return lambda: extend(extension_of(name), factory())

    for name in EXTENDED:
        if name in factories:
            factories[name] = extended(name, factories[name])


def redefine_context(context: Context) -> None:
    """
    Redefine the dialects of a context, and register those that xDSL lacks. A dialect that another
    package has registered stays.
    """
    extend_context(context, Extension.redefining)
    register_lacking(context)


def register_lacking(context: Context) -> None:
    """Register dialects for the attributes and types of dialects that xDSL lacks."""

    def factory(name: str) -> Callable[[], Dialect]:
        module = "xdsl_bufferization.dialects.shared.text_attributes"
        return lambda: import_module(module).text_dialect(name)

    for name in {*_LACKING} - {*context.registered_dialect_names}:
        context.register_dialect(name, factory(name))


def extend_context(context: Context, extend: _Extend) -> None:
    """
    Extend the dialects of a context that exists already, as in a command.

    xDSL has no public way to replace the factory of a registered dialect, or an op of a loaded
    one.
    """
    extend_all(context._registered_dialects, extend)  # pyright: ignore[reportPrivateUsage] # see above
    for loaded in [*context.loaded_dialects]:
        if loaded.name in EXTENDED:
            dialect = extend(extension_of(loaded.name), loaded)
            context._loaded_ops.update((op.name, op) for op in dialect.operations)  # pyright: ignore[reportPrivateUsage] # see above
            known = {*context.loaded_attrs, *context.loaded_types}
            for attribute in {*dialect.attributes} - known:
                context.load_attr_or_type(attribute)
