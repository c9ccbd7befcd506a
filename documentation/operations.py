"""The page of the ops of the bufferization dialect, from their IRDL definitions."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    VariadicDef,
)

from documentation.constraints import describe
from documentation.pages import Page, docstring, page, table
from xdsl_bufferization.dialects.bufferization import Bufferization


def operations_page() -> Page:
    """All ops of the dialect, in the order of their names."""
    return page(
        "ops.md",
        "# Ops of the bufferization dialect",
        "Those of MLIR's dialect, and `to_memref`, the former name of `to_buffer`. "
        "xDSL itself defines some of them; here they take all that MLIR's take.",
        *(
            part
            for op in sorted(Bufferization.operations, key=lambda op: op.name)
            for part in _section(op)
        ),
    )


def _section(op: type[Operation]) -> Iterator[str]:
    yield f"## {op.name}"
    yield docstring(op)
    if not issubclass(op, IRDLOperation):
        return
    definition = op.get_irdl_definition()
    if definition.assembly_format:
        yield f"Syntax:\n\n```text\n{op.name} {definition.assembly_format}\n```"
    yield table(("operand or result", "", "takes"), _values(definition))
    yield table(("attribute", "", "takes"), _attributes(definition))
    if traits := sorted(type(trait).__name__ for trait in definition.traits):
        yield "Traits: " + ", ".join(f"`{trait}`" for trait in traits)


def _values(definition: OpDef) -> Iterator[tuple[str, str, str]]:
    for kind, values in (
        ("operand", definition.operands),
        ("result", definition.results),
    ):
        for name, value in values:
            yield f"`{name}`", f"{_how_many(value)}{kind}", describe(value.constr)


def _attributes(definition: OpDef) -> Iterator[tuple[str, str, str]]:
    # The sizes of segments follow from the operands.
    segments = {
        option.attribute_name
        for option in definition.options
        if isinstance(option, AttrSizedSegments)
    }
    for name, attribute in (definition.properties | definition.attributes).items():
        if name not in segments:
            yield f"`{name}`", _how_many(attribute).strip(), describe(attribute.constr)


def _how_many(definition: object) -> str:
    if isinstance(definition, OptionalDef):
        return "optional "
    return "variadic " if isinstance(definition, VariadicDef) else ""
