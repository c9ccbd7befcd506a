"""
What is said of the options of passes and targets: in docstrings, and behind fields.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.utils.arg_spec import ArgSpecConvertible

from documentation.pages import docstring, table

_ITEM = re.compile(r"^- `([a-z-]+)`: (.*(?:\n {2,}\S.*)*)\n?", flags=re.M)
"""An item of a list of options, with what is said of the option."""


@dataclass(frozen=True)
class Option:
    """An option of a pass or target."""

    name: str
    """As it is given to `xdsl-opt`."""
    values: str
    """What it takes."""
    default: str
    meaning: str
    """What is said of it; empty if that is nothing."""


def options(
    class_: type[ArgSpecConvertible],
    others: Mapping[str, type[ArgSpecConvertible]] | None = None,
) -> list[Option]:
    """
    The options of a pass or target, in the order of its fields. What it does not say
    itself is what those of `others` say whose names are in its docstring.
    """
    return [
        Option(
            name=field.name.replace("_", "-"),
            values=_values(field.type),
            default=_written(field.default),
            meaning=_meaning(class_, field.name, others or {}, set()),
        )
        for field in dataclasses.fields(class_)
    ]


def options_table(
    class_: type[ArgSpecConvertible],
    others: Mapping[str, type[ArgSpecConvertible]] | None = None,
) -> str:
    """The options of a pass or target as a table, or a word that there are none."""
    rows = [
        (f"`{option.name}`", option.values, option.default, option.meaning)
        for option in options(class_, others)
    ]
    return table(("option", "takes", "default", "meaning"), rows) or "None."


def without_options(text: str) -> str:
    """A docstring without its list of options."""
    first = _ITEM.search(text)
    if first is None:
        return text
    # What announces the list ends with a colon.
    before = re.sub(r":\Z", ".", text[: first.start()].rstrip())
    behind = _ITEM.sub("", text[first.start() :]).strip()
    return f"{before}\n\n{behind}".strip()


def _meaning(
    class_: type[ArgSpecConvertible],
    field: str,
    others: Mapping[str, type[ArgSpecConvertible]],
    asked: set[type[ArgSpecConvertible]],
) -> str:
    """
    What the class or one that it is derived from says of the field, or else one of
    `others` that its docstring names.
    """
    asked.add(class_)
    option = field.replace("_", "-")
    for base in class_.__mro__:
        said = dict(_ITEM.findall(docstring(base))) if base.__doc__ else {}
        if option in said:
            return _phrase(said[option])
        if base.__module__.startswith("xdsl_bufferization"):
            for name, text in _documented_fields(base):
                if name == field:
                    return _phrase(text)
    for name in re.findall(r"`([a-z-]+)`", class_.__doc__ or ""):
        other = others.get(name)
        if other is not None and other not in asked:
            if meaning := _meaning(other, field, others, asked):
                return meaning
    return ""


def _phrase(text: str) -> str:
    """The text in one line, without what makes a sentence of it."""
    line = " ".join(text.split()).rstrip(";.")
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def _documented_fields(class_: type) -> Iterator[tuple[str, str]]:
    """The fields of the class with a docstring behind them, and the docstrings."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(class_))).body
    assert isinstance(definition, ast.ClassDef)
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(documentation))),
            ):
                yield name, documentation
            case _:
                pass


def _values(type_: object) -> str:
    """What options of a type take, which may be given by name."""
    name = type_ if isinstance(type_, str) else getattr(type_, "__name__", str(type_))
    return {
        "bool": "`true` or `false`",
        "int": "a number",
        "str": "a name",
        "tuple[str, ...]": "names, separated by commas",
    }.get(name, name)


def _written(default: object) -> str:
    """The default as it would be given to `xdsl-opt`."""
    if default in ((), ""):
        return "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default}`"
