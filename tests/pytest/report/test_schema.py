"""The JSON schema of the report is that of its classes, and reports are valid under it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import pytest
from xdsl.context import Context

from tests.environments import PROJECT
from tests.peer.runner import parse_module
from xdsl_bufferization.report.model import Report
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.text import to_json
from xdsl_bufferization.support.polynomials import Polynomial

FILE = PROJECT / "xdsl_bufferization" / "report" / "schema.json"

Schema = dict[str, Any]

_SIMPLE = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}


def schema() -> Schema:
    """The schema of the classes, as `schema.json` has it."""
    classes: dict[str, Schema] = {}
    root = _of(Report, classes)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **root,
        "$defs": classes,
    }


def _of(type: Any, classes: dict[str, Schema]) -> Schema:
    origin = get_origin(type)
    if type in _SIMPLE:
        return {"type": _SIMPLE[type]}
    if Polynomial in (type, origin):
        return {"type": ["integer", "string"]}
    if origin is Literal:
        return {"enum": [*get_args(type)]}
    if origin in (Union, UnionType):
        return {"anyOf": [_of(part, classes) for part in get_args(type)]}
    if is_dataclass(type):
        name = cast("Any", type).__name__
        if name not in classes:
            classes[name] = {}
            hints = get_type_hints(type)
            names = [field.name for field in fields(type)]
            classes[name] |= {
                "type": "object",
                "required": names,
                "properties": {n: _of(hints[n], classes) for n in names},
            }
        return {"$ref": f"#/$defs/{name}"}
    assert origin is not None
    assert issubclass(origin, Sequence), type
    return {"type": "array", "items": _of(get_args(type)[0], classes)}


def test_the_schema_is_that_of_the_classes():
    assert json.loads(FILE.read_text()) == schema()


def _verify(value: object, rule: Schema, classes: Mapping[str, Schema]) -> bool:
    if ref := rule.get("$ref"):
        return _verify(value, classes[ref.rpartition("/")[2]], classes)
    if choices := rule.get("anyOf"):
        return any(_verify(value, choice, classes) for choice in choices)
    if "enum" in rule:
        return value in rule["enum"]
    kinds = {
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    if not any(kinds[kind] for kind in kinds if kind in rule["type"]):
        return False
    if isinstance(value, list):
        items = cast("list[object]", value)
        return all(_verify(item, rule["items"], classes) for item in items)
    if isinstance(value, dict):
        found = cast("dict[str, object]", value)
        properties = rule["properties"]
        return found.keys() == properties.keys() and all(
            _verify(found[name], properties[name], classes) for name in properties
        )
    return True


@pytest.mark.parametrize("name", ["in_place", "convolution", "attention"])
def test_reports_are_valid(name: str):
    module = parse_module((PROJECT / "examples" / f"{name}.mlir").read_text())
    report: object = json.loads(to_json(report_on(Context(), module)))
    rules = json.loads(FILE.read_text())
    assert _verify(report, rules, rules["$defs"])
    assert isinstance(report, dict)
    assert report["version"] == 1
