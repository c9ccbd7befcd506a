"""The private names of xDSL's that the package uses, which a release of xDSL may change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from inspect import getmembers, isclass, isfunction
from pkgutil import walk_packages

import xdsl_bufferization
from tests.environments import PROJECT

PACKAGE = PROJECT / "xdsl_bufferization"

USED = {
    # A context cannot be given another factory or op: docs/upstream/context-redefinitions.patch
    ("host/extensions.py", "_loaded_ops"),
    ("host/extensions.py", "_registered_dialects"),
    # As xDSL's Rewriter does.
    ("support/regions.py", "_args"),
    # Which ops an interpreter has implementations for.
    ("semantics/interpreter.py", "_impls"),
    # Ops are looked up by name, too.
    ("semantics/interpreter.py", "_run_op"),
    ("host/dialect_repairs.py", "_InterpreterFunctionImpls"),
    ("host/dialect_repairs.py", "_impl_dict"),
    ("host/dialect_repairs.py", "_callable_impl_dict"),
    # What is repaired.
    ("host/builtin_repairs.py", "_create_binop_expr"),
    ("host/literals.py", "_parse_builtin_densearray_attr"),
    # Ranges and fused locations with metadata, also within other locations.
    ("support/reading.py", "_parse_location"),
    # Definitions that are read before the ops, without a copy of the text that lacks them.
    ("support/reading.py", "_parse_alias_def"),
    # Fewer ops to start with than all; without this name, all are visited.
    ("memrefs/deallocation/canonicalization.py", "_populate_worklist"),
}


def suppressed() -> Iterator[tuple[str, str]]:
    """The private names that the type checker reports, as `make lint` makes sure."""
    for path in PACKAGE.rglob("*.py"):
        for line in path.read_text().splitlines():
            code, *comment = line.split("# pyright: ignore[reportPrivateUsage]")
            names = re.findall(r"\.(_[a-zA-Z]\w*)|(\w+) as _", code) if comment else ()
            module = path.relative_to(PACKAGE).as_posix()
            yield from ((module, attribute or name) for attribute, name in names)


def overridden() -> Iterator[tuple[str, str]]:
    """The private members of xDSL's classes that subclasses in the package have, too."""
    prefix = f"{xdsl_bufferization.__name__}."
    for found in walk_packages(xdsl_bufferization.__path__, prefix):
        with suppress(ImportError):  # an optional requirement
            module = import_module(found.name)
            for _, kind in getmembers(module, isclass):
                if kind.__module__ == module.__name__:
                    path = module.__name__.removeprefix(prefix).replace(".", "/")
                    yield from ((f"{path}.py", name) for name in _overridden_by(kind))


def _overridden_by(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        # Names that end with an underscore are those of Python's `Enum`.
        if re.fullmatch(r"_[a-zA-Z]\w*[^_]", name) and isfunction(member):
            for base in kind.__mro__[1:]:
                if name in vars(base) and base.__module__.split(".")[0] == "xdsl":
                    yield name


def test_no_private_name_of_xdsl_is_added():
    assert {*suppressed(), *overridden()} == USED


def test_no_frames_and_no_import_hooks():
    """Discovery and the hook on the command depend on nothing of whoever calls them."""
    unwanted = re.compile(r"_getframe|currentframe|walk_stack|inspect\.stack|meta_path")
    for path in PACKAGE.rglob("*.py"):
        assert not unwanted.search(path.read_text()), path
