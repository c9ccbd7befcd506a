"""The pages that are made of the code say what the code does."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from xdsl.irdl import IRDLOperation
from xdsl.utils.arg_spec import ArgSpecConvertible, parse_spec

from documentation.__main__ import all_pages
from documentation.participants import dialects_with_models
from xdsl_bufferization.dialects.bufferization import Bufferization
from xdsl_bufferization.universe import UNIVERSE


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    """The texts of all pages, by path."""
    return {page.path: page.text for page in all_pages()}


ROW = re.compile(r"^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
"""An option: its name, what it takes, its default, and what it means."""


def check_options(section: str, described_class: type[ArgSpecConvertible]) -> None:
    """The section has each option of the class, with its default, and its meaning."""
    described = ROW.findall(section)
    defaults = described_class().spec(include_default=True).parameters
    assert {option: default.strip("`") for option, _, default, _ in described} == {
        option.replace("_", "-"): ",".join(map(str, value)).lower() or "none"
        for option, value in defaults.items()
    }
    for _, takes, _, meaning in described:
        assert takes.strip()
        assert meaning.strip()


@pytest.mark.parametrize("name", UNIVERSE.all_passes)
def test_each_pass_has_a_page_with_its_options(name: str, pages: Mapping[str, str]):
    check_options(pages[f"passes/{name}.md"], UNIVERSE.all_passes[name]())


@pytest.mark.parametrize("name", UNIVERSE.all_passes)
def test_the_options_of_a_page_are_understood(name: str, pages: Mapping[str, str]):
    for option, takes, default, _ in ROW.findall(pages[f"passes/{name}.md"]):
        if takes == "true or false":
            given = f"{name}{{{option}}}"
        elif default == "none":
            given = f"{name}{{{option}=a,b}}"
        else:
            given = f"{name}{{{option}={default.strip('`')}}}"
        UNIVERSE.all_passes[name]().from_pass_spec(parse_spec(given))


@pytest.mark.parametrize("name", UNIVERSE.all_targets)
def test_each_target_has_a_section_with_its_options(
    name: str, pages: Mapping[str, str]
):
    _, section = pages["targets.md"].split(f"\n## {name}\n")
    check_options(section.split("\n## ")[0], UNIVERSE.all_targets[name]())


@pytest.mark.parametrize("op", [*Bufferization.operations], ids=lambda op: op.name)
def test_each_op_is_described(op: type[IRDLOperation], pages: Mapping[str, str]):
    _, section = pages["ops.md"].split(f"\n## {op.name}\n")
    section = section.split("\n## ")[0]
    definition = op.get_irdl_definition()
    names = [name for name, _ in (*definition.operands, *definition.results)]
    names += [name for name in definition.properties if name != "operandSegmentSizes"]
    assert names
    described = re.findall(r"^\| `(\w+)` \| [^|]* \| [^|]+ \|$", section, re.M)
    assert described == names


def test_each_dialect_with_models_is_listed(pages: Mapping[str, str]):
    listed = set(re.findall(r"^## (.*)$", pages["models.md"], re.M))
    assert listed >= {*dialects_with_models()}
    assert "| `tensor.insert` | `tensor.insert`: a store into" in pages["models.md"]
