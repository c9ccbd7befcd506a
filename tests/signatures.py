"""How the signatures of functions and classes are written in the documentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, ForwardRef


def signature(function: Callable[..., Any]) -> str:
    """
    Its parameters with their types and defaults as in the source, and what it returns. Of a
    class, those of its constructor.
    """
    found = inspect.signature(function)
    parts: list[str] = []
    marked = False
    for parameter in found.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not marked:
            parts.append("*")
            marked = True
        variadic = parameter.kind is parameter.VAR_POSITIONAL
        text = f"*{parameter.name}" if variadic else parameter.name
        if parameter.annotation is not parameter.empty:
            text += f": {_type(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            text += f" = {_default(parameter.default)}"
        parts.append(text)
    returned = found.return_annotation
    arrow = ""
    if not isinstance(function, type) and returned is not found.empty:
        arrow = f" -> {_type(returned)}"
    return f"({', '.join(parts)}){arrow}"


def _type(annotation: object) -> str:
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    if isinstance(annotation, str):
        return annotation
    return inspect.formatannotation(annotation)


def _default(value: object) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if value in (None, ()) or isinstance(value, str | int | float):
        return repr(value)
    # What is made for each call, or has no short name.
    return "..."
