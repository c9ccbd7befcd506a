"""docs/api.md lists what is there, as it is there, and all of it is typed."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import xdsl_bufferization
from tests.documents import Document
from tests.environments import PROJECT, make_environment, requirements
from tests.signatures import signature
from xdsl_bufferization.universe import UNIVERSE

API = Document(PROJECT / "docs" / "api.md")
PASSES: list[tuple[str, str, str]] = re.findall(
    r"^\| `([a-z-]+)` \| `(\w+)` \| `([\w.]+)` \|$", API.text, re.M
)


def listing() -> Iterator[tuple[str, str, str]]:
    """Each name that is listed: its module, itself, and its signature, if one is given."""
    for section in re.split(r"^#+ ", API.text, flags=re.M):
        heading, _, text = section.partition("\n")
        for item in re.findall(r"^- `([^`]+)`:", text, re.M):
            name, parenthesis, rest = " ".join(item.split()).partition("(")
            yield heading.strip("`"), name, parenthesis + rest


LISTED = [*listing()]
MODULES = sorted({module for module, _, _ in LISTED})


def value_of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


@pytest.mark.parametrize("module", MODULES)
def test_signatures_are_those_of_the_source(module: str):
    for where, name, shown in LISTED:
        if where != module:
            continue
        value = value_of(module, name)
        if shown:
            assert f"{name}{signature(value)}" == f"{name}{shown}"
        else:
            assert not inspect.isfunction(value), f"{name} has a signature"


@pytest.mark.parametrize("module", MODULES)
def test_all_that_a_module_offers_is_listed(module: str):
    offered: list[str] = getattr(import_module(module), "__all__", [])
    assert {*offered} <= {name for where, name, _ in LISTED if where == module}


def test_each_pass_is_listed():
    assert sorted(PASSES) == sorted(
        (name, kind.__name__, kind.__module__.removeprefix("xdsl_bufferization."))
        for name, factory in UNIVERSE.all_passes.items()
        for kind in [factory()]
    )
    for _, kind, module in PASSES:
        assert inspect.isclass(value_of(f"xdsl_bufferization.{module}", kind))


def test_fields_of_the_report_are_listed():
    section = API.text.partition("### `xdsl_bufferization.report.model`\n")[2]
    items = re.findall(r"^- `(\w+)`:((?:.|\n  )*)", section.partition("\n#")[0], re.M)
    assert len(items) == 10
    for name, text in items:
        kind = value_of("xdsl_bufferization.report.model", name)
        named = {*re.findall(r"`([a-z_]+)`", text)}
        assert {field.name for field in fields(kind)} <= named, name


def test_the_package_offers_what_it_names():
    names = [name for module, name, _ in LISTED if module == "xdsl_bufferization"]
    assert sorted(names) == sorted(xdsl_bufferization.__all__)
    assert {*names} <= {*dir(xdsl_bufferization)}
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = getattr(xdsl_bufferization, "nonsense")  # noqa: B009 # no type checker minds


def in_new_process(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_examples_run():
    in_new_process(
        f"""
for number, block in enumerate({API.blocks("python")}):
    code = compile(block, f"block {{number}} of docs/api.md", "exec")
    exec(code, {{"__name__": "__main__"}})
"""
    )


def test_each_module_can_be_imported_first():
    in_new_process(
        f"""
import sys
from importlib import import_module

for module in {MODULES}:
    for name in [n for n in sys.modules if n.startswith("xdsl_bufferization")]:
        del sys.modules[name]
    import_module(module)
"""
    )


def test_what_xdsl_opt_imports_is_light():
    in_new_process(
        """
import sys
import xdsl_bufferization.universe

ours = {name for name in sys.modules if name.startswith("xdsl_bufferization")}
assert ours == {
    "xdsl_bufferization",
    "xdsl_bufferization.host",
    "xdsl_bufferization.host.commands",
    "xdsl_bufferization.host.extensions",
    "xdsl_bufferization.universe",
}, ours
assert "numpy" not in sys.modules
"""
    )


# Types


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a type checker finds an environment in which the package is installed."""
    directory = tmp_path_factory.mktemp("environment")
    python = make_environment(directory, *requirements("check"))
    (site_packages,) = directory.glob("lib/python*/site-packages")
    (site_packages / "xdsl_bufferization").symlink_to(PROJECT / "xdsl_bufferization")
    tools = Path(sys.executable).parent
    return os.pathsep.join([str(python.parent), str(tools), os.environ["PATH"]])


def basedpyright(*arguments: str | Path, path: str, directory: Path) -> Any:
    """What it finds, as JSON. In another directory, so that the checkout is not meant."""
    done = subprocess.run(
        [Path(sys.executable).with_name("basedpyright"), "--outputjson", *arguments],
        cwd=directory,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout)


DECLARED_AS_IN_XDSL = "xdsl_bufferization.dialects.bufferization"
"""Fields of ops and `traits` are assigned, as xDSL has it, so that checkers infer them."""


@pytest.mark.slow  # `make lint` checks the types of all that is here
def test_all_that_is_listed_is_completely_typed(path: str, tmp_path: Path):
    options = "--ignoreexternal", "--verifytypes", "xdsl_bufferization"
    found = basedpyright(*options, path=path, directory=tmp_path)["typeCompleteness"]
    assert found["pyTypedPath"] is not None
    is_complete = {
        symbol["name"]: symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]
        for symbol in found["symbols"]
    }
    public = [value_of(module, name) for module, name, _ in LISTED]
    public += [
        value_of(f"xdsl_bufferization.{module}", kind) for _, kind, module in PASSES
    ]
    names = {
        f"{value.__module__}.{value.__qualname__}"
        for value in public
        if inspect.isclass(value) or inspect.isfunction(value)
    }
    names = {name for name in names if not name.startswith(DECLARED_AS_IN_XDSL)}
    assert names <= {*is_complete}
    assert [
        symbol
        for symbol, complete in is_complete.items()
        if not complete
        and any(symbol == name or symbol.startswith(f"{name}.") for name in names)
    ] == []


@pytest.mark.slow  # as above
def test_a_name_that_does_not_exist_is_a_type_error(path: str, tmp_path: Path):
    (tmp_path / "user.py").write_text(
        "from xdsl_bufferization import bufferize\n"
        "from xdsl_bufferization import nonsense\n"
        "reveal_type(bufferize)\n"
    )
    found = basedpyright("user.py", path=path, directory=tmp_path)["generalDiagnostics"]
    messages = {entry["message"] for entry in found}
    assert '"nonsense" is unknown import symbol' in messages
    assert any("options: BufferizePass | None = None" in text for text in messages)
