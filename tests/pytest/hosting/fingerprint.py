"""
What changes in xDSL's modules, classes and functions when `xdsl-opt` discovers plugins and runs
passes of xDSL's.

    python fingerprint.py VARIANT...

Each variant is three words, `with|without first|discovered forwards|backwards`: with this package
among the plugins, or without; its universe imported by the process first, or discovered; with the
plugins in the order in which they are found, or in the reverse order. Each is tried in a fork of
a process that has imported all of xDSL. Each line of the output names a variant, and an attribute
that was added, removed or replaced.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import xdsl
from xdsl.universe import XDSL_UNIVERSE

_PROGRAMS = Path(__file__).with_name("programs.mlir")
_PIPELINES = "", "canonicalize", "cse,dce", "convert-linalg-to-loops,canonicalize"
_GROUP = "xdsl.universe"
_IGNORED = {
    "__abstractmethods__",
    "__annotations__",
    "__doc__",
    "_abc_impl",
    "__warningregistry__",
}
"""What Python itself sets when it is first asked for."""


def main(*variants: str) -> None:
    import_all()
    for variant in variants:
        child = os.fork()
        if child == 0:
            tell_changes(variant, *variant.split())
            return
        _, status = os.waitpid(child, 0)
        assert status == 0, variant


def tell_changes(variant: str, package: str, imported: str, order: str) -> None:
    choose_plugins(package == "with", order == "backwards")
    before = fingerprint()
    if package == "with" and imported == "first":
        importlib.import_module("xdsl_bufferization.universe")
    run_commands()
    after = fingerprint()
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is not new and old != new:
            print(variant, name)


def choose_plugins(with_package: bool, backwards: bool) -> None:
    """Let this process discover these plugins, in this order."""
    entry_points: Callable[..., Any] = importlib.metadata.entry_points

    def chosen(**selection: str) -> object:
        found = entry_points(**selection)
        if selection.get("group") != _GROUP:
            return found
        ours = "xdsl_bufferization.universe"
        universes = [e for e in found if with_package or e.module != ours]
        assert any(e.module == ours for e in found)
        return universes[::-1] if backwards else universes

    importlib.metadata.entry_points = chosen


def import_all() -> None:
    for module in pkgutil.walk_packages(xdsl.__path__, "xdsl.", lambda _: None):
        # Some need what is not installed, and some are commands.
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(module.name)


def fingerprint() -> dict[str, object]:
    """Every attribute of xDSL's modules, classes and functions; kept alive, so ids are unique."""
    return (
        {
            f"{name}.{key}": value
            for name, attributes in _things()
            for key, value in attributes.items()
            if key not in _IGNORED
        }
        | _traits_and_definitions()
        | _universe()
    )


def _universe() -> dict[str, object]:
    """The factories that xDSL offers to commands."""
    return {
        f"XDSL_UNIVERSE.{kind}[{name}]": factory
        for kind, factories in vars(XDSL_UNIVERSE).items()
        for name, factory in factories.items()
    }


def _things() -> Iterator[tuple[str, Mapping[str, object]]]:
    waiting: list[tuple[str, object]] = [
        (name, module)
        for name, module in sys.modules.items()
        if name.split(".")[0] == "xdsl"
    ]
    seen: set[int] = set()
    while waiting:
        name, thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, FunctionType):
            code = {"__code__": thing.__code__, "__defaults__": thing.__defaults__}
            yield name, {**vars(thing), **code}
        elif isinstance(thing, ModuleType | type):
            attributes = {**vars(thing)}
            yield name, attributes
            waiting += [
                (f"{value.__module__}.{value.__qualname__}", value)
                for value in attributes.values()
                if isinstance(value, type | FunctionType)
                and str(value.__module__).split(".")[0] == "xdsl"
            ]


def _traits_and_definitions() -> dict[str, object]:
    """The traits of each op class of xDSL's, and the names of the fields it is defined with."""
    from xdsl.ir import Operation
    from xdsl.irdl import IRDLOperation

    found: dict[str, object] = {}
    waiting: list[type[Operation]] = [Operation]
    while waiting:
        op = waiting.pop()
        waiting += op.__subclasses__()
        if op.__module__.split(".")[0] != "xdsl" or not hasattr(op, "traits"):
            continue
        name = f"{op.__module__}.{op.__qualname__}"
        with contextlib.suppress(Exception):  # abstract ones have none
            found[f"{name} traits"] = sorted(type(t).__qualname__ for t in op.traits)
            assert issubclass(op, IRDLOperation)
            definition = op.get_irdl_definition()
            found[f"{name} fields"] = [*definition.properties, *definition.attributes]
    return found


def run_commands() -> None:
    from xdsl.xdsl_opt_main import xDSLOptMain

    for passes in _PIPELINES:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            options = "--split-input-file", "-p", passes
            xDSLOptMain(args=[str(_PROGRAMS), *options]).run()
        assert output.getvalue().count("builtin.module") == 12


if __name__ == "__main__":
    main(*sys.argv[1:])
