"""
Parts of a program's text that the program that xDSL read lacks; and round trips: programs as xDSL
prints them, read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    UnregisteredAttr,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.round_trips.second_reading.literals import (
    Elements,
    Values,
    encoded,
    literals,
    maps,
    shortened,
    size_of,
    values_of,
    width_of,
)
from tests.round_trips.second_reading.text import ProgramText, names
from xdsl_bufferization.dialects.shared.syntax import MEMOIZED_MAPS
from xdsl_bufferization.dialects.shared.text_attributes import TextAttribute
from xdsl_bufferization.host.literals import (
    DenseLiteralParser,
    element_size,
    splat_element,
)
from xdsl_bufferization.support.names import identifier, op_name


@dataclass(frozen=True)
class Misreading:
    """Something in the text that is not in the program."""

    line: int
    column: int
    message: str


def misreadings(text: str, module: ModuleOp) -> Iterator[Misreading]:
    """
    The dense literals, affine maps and names of attributes in the text that are not in the
    module which was read from it. Which op they belong to is not compared.
    """
    program, found = ProgramText(text), _Found()
    found.add_ops(module)
    for literal in literals(program):
        if literal.elements not in found.elements:
            yield Misreading(
                *program.place(literal.start),
                f"{_short(literal.text)} is read as something else",
            )
    for map in maps(program):
        if (map.dimensions, map.symbols, map.values) not in found.maps:
            yield Misreading(
                *program.place(map.start),
                f"{_short(map.text)} is lost, or read as something else",
            )
    written: Counter[str] = Counter()
    for start, name in names(program, found.ops.__contains__):
        written[name] += 1
        if written[name] > found.names[name]:
            yield Misreading(
                *program.place(start), f"the attribute {identifier(name)} is lost"
            )


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:40]}...{text[-30:]}"


@dataclass
class _Found:
    """Contents of a program, in a form that is compared."""

    elements: set[Elements] = field(default_factory=set[Elements])
    maps: set[tuple[int, int, Values]] = field(
        default_factory=set[tuple[int, int, Values]]
    )
    names: Counter[str] = field(default_factory=Counter[str])
    ops: set[str] = field(default_factory=set[str])
    """The names of the ops, and these names without the dialect: an op around implies it."""
    _added: set[Attribute] = field(default_factory=set[Attribute])

    def add_ops(self, module: Operation) -> None:
        for op in module.walk():
            name = op_name(op)
            self.ops |= {name, name.partition(".")[2]}
            for attributes in op.attributes, op.properties:
                self.names.update(attributes.keys())
                for attribute in attributes.values():
                    self._add(attribute)
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        self._add_once(argument.type)
                        self._add_once(argument.location)
            self._add_once(op.location)
            for result in op.results:
                self._add_once(result.type)

    def _add_once(self, attribute: Attribute) -> None:
        if attribute not in self._added:
            self._added.add(attribute)
            self._add(attribute)

    def _add(self, attribute: Attribute) -> None:
        waiting = [attribute]
        while waiting:
            match attribute := waiting.pop():
                case DenseIntOrFPElementsAttr():
                    self._add_elements(attribute)
                case AffineMapAttr():
                    self._add_map(attribute)
                case DictionaryAttr():
                    self.names.update(attribute.data.keys())
                    waiting += attribute.data.values()
                case ArrayAttr():
                    waiting += attribute.data
                case TextAttribute(text=text) | UnregisteredAttr(value=text):
                    self._add_text(text.data)
                case ParametrizedAttribute():
                    waiting += attribute.parameters
                case _:
                    pass

    def _add_text(self, text: str) -> None:
        """Add the contents of an attribute that is kept as text, which are not lost."""
        program = ProgramText(text)
        self.elements.update(literal.elements for literal in literals(program))
        self.maps.update((m.dimensions, m.symbols, m.values) for m in maps(program))
        self.names.update(name for _, name in names(program, self.ops.__contains__))

    def _add_map(self, attribute: AffineMapAttr) -> None:
        map = attribute.data
        count = map.num_dims
        values = values_of(
            lambda point: tuple(map.eval(point[:count], point[count:])),
            count + map.num_symbols,
        )
        self.maps.add((count, map.num_symbols, values))

    def _add_elements(self, dense: DenseIntOrFPElementsAttr[Any]) -> None:
        type, parts = dense.get_element_type(), 1
        name = str(type)
        number = type
        if isinstance(type, ComplexType):
            number, parts = type.element_type, 2
        width = width_of(str(number))
        if width is None:
            return
        element = splat_element(dense)
        data = dense.data.data if element is None else element
        size = element_size(number)
        if size != size_of(width) or width % 8:
            numbers = (
                int.from_bytes(data[i : i + size], "little")
                for i in range(0, len(data), size)
            )
            data = encoded(numbers, width)
        shape = tuple(dense.type.get_shape())
        data = shortened(data, size_of(width) * parts)
        self.elements.add(Elements(shape, name, data))


def misprinted(module: ModuleOp, context: Context) -> Operation | None:
    """
    The first op that does not round-trip; `None` if there is none, or if the printed text is
    refused with an error.
    """
    try:
        again = DenseLiteralParser(context, str(module)).parse_module()
    except (ParseError, VerifyException):
        return None
    if module.is_structurally_equivalent(again):
        return None
    for op, other in zip(module.walk(), again.walk(), strict=False):
        if not _is_same_op(op, other):
            return op
    return None


def _is_same_op(op: Operation, other: Operation) -> bool:
    """Whether the two are the same apart from their operands and regions."""
    return (
        op.name == other.name
        and _stated(op.attributes) == _stated(other.attributes)
        and _stated(op.properties) == _stated(other.properties)
        and op.operand_types == other.operand_types
        and op.result_types == other.result_types
    )


def _stated(attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """
    The attributes without those that are false, as they are when nothing is written, and
    without maps that follow from the op.
    """
    false = BoolAttr.from_bool(False)
    return {
        k: attribute
        for k, attribute in attributes.items()
        if attribute != false and k != MEMOIZED_MAPS
    }
