"""Help on the options of passes and targets: the docstrings after the fields."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl_bufferization.support.pass_options import BufferizationPass, option_types


@dataclass(frozen=True)
class Option:
    """An option of a pass or target."""

    name: str
    """As it is given to `xdsl-opt`."""
    takes: str
    """Its values, as Markdown."""
    default: str
    """The default value as it is given to `xdsl-opt`, or `none`."""
    meaning: str
    """Its documentation in one line; may be empty."""


def options(kind: type) -> Sequence[Option]:
    """The options of a pass or target, in the order of its fields."""
    types = option_types(kind)
    return [
        Option(
            name=field.name.replace("_", "-"),
            takes=types[field.name].takes,
            default=_written(field.default),
            meaning=_meaning(kind, field.name),
        )
        for field in dataclasses.fields(kind)
    ]


def help_text(kind: type) -> str:
    """The docstring of a pass or target, and what is said of each of its options."""
    lines = [f"{option.name}: {option.meaning}" for option in options(kind)]
    return "\n\n".join([inspect.getdoc(kind) or "", *lines])


def command_line_help(kind: type) -> str:
    """The help on a pass or target, and its options with the values they take, for a terminal."""
    lines = [f"{getattr(kind, 'name', kind.__name__)}:", ""]
    lines += [f"  {line}".rstrip() for line in (inspect.getdoc(kind) or "").split("\n")]
    if further := _further_help(kind):
        lines += ["", *(f"  {line}".rstrip() for line in further.split("\n"))]
        lines += ["", "  Options:"]
    for option in options(kind):
        takes = option.takes.replace("`", "")
        text = f"{option.meaning} ({takes}; default: {option.default})".replace("`", "")
        lines += ["", f"  {option.name}"]
        wrapped = textwrap.wrap(text, 88, break_on_hyphens=False)
        lines += [f"      {line}" for line in wrapped]
    return "\n".join(lines)


def _further_help(kind: type) -> str:
    return kind.further_help() if issubclass(kind, BufferizationPass) else ""


def _meaning(kind: type, field: str) -> str:
    """The docstring of the field in the class, or else in the next one that it is derived from."""
    for base in kind.__mro__:
        if field in inspect.get_annotations(base):
            for name, text in _documented_fields(base):
                if name == field:
                    return " ".join(text.split())
    return ""


def _documented_fields(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of the class with a docstring after them, and the docstrings."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
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


def _written(default: object) -> str:
    """The default as it would be given to `xdsl-opt`."""
    if default in ((), ""):
        return "none"
    return str(default).lower() if isinstance(default, bool) else str(default)
