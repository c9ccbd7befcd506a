"""The page of the ops that take part in bufferization, and of their models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

import xdsl_bufferization.models
from documentation.pages import Page, docstring, first_paragraph, page, table
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.registry import OpInterface

Models = Mapping[type[OpInterface], OpInterface]
"""The models of an op: of each interface that it answers for."""


def participants_page() -> Page:
    """For each dialect the ops with models, and the interfaces that they answer for."""
    models = _models_by_op()
    dialects = sorted({name.split(".")[0] for name in models})
    return page(
        "models.md",
        "# Ops with models",
        "An op takes part in bufferization, or in a pass on buffers, if there is a model "
        "that answers for it. These are the models of this package; "
        "[packages of your own](../extending.md) add to them. `dialect.*` stands for all "
        "ops of a dialect that have no model of their own for the interface.",
        *(_section(dialect, models) for dialect in dialects),
    )


def dialects_with_models() -> Sequence[str]:
    """The dialects whose models this package brings, one module each."""
    modules = iter_modules(xdsl_bufferization.models.__path__)
    return [module.name for module in modules if module.name != "shared"]


def _models_by_op() -> Mapping[str, Models]:
    """All models that are registered for names of ops, by these names."""
    for dialect in dialects_with_models():
        import_module(f"xdsl_bufferization.models.{dialect}").register()
    found: defaultdict[str, dict[type[OpInterface], OpInterface]] = defaultdict(dict)
    for interface in OpInterface.__subclasses__():
        registered = interface._models  # pyright: ignore[reportPrivateUsage] # all
        for op, model in registered.items():
            if isinstance(op, str):
                found[op][interface] = model
    return found


def _section(dialect: str, models: Mapping[str, Models]) -> str:
    rows = [
        (f"`{op}`", _bufferization(of_op), ", ".join(sorted(_other_interfaces(of_op))))
        for op, of_op in sorted(models.items())
        if op.split(".")[0] == dialect
    ]
    return f"## {dialect}\n\n" + table(
        ("op", "bufferization", "also answers for"), rows
    )


def _bufferization(models: Models) -> str:
    """What the model for One-Shot Bufferize says of itself."""
    model = models.get(BufferizableOpInterface)
    if model is None:
        return ""
    name = type(model).__name__
    return first_paragraph(docstring(type(model))) or f"`{name}`"


def _other_interfaces(models: Models) -> list[str]:
    return [
        f"`{interface.__name__}`"
        for interface in models
        if interface is not BufferizableOpInterface
    ]
