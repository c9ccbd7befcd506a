"""
Coverage: which ops of a program were run, by all calls so far.

    scf.for %i = %a to %b step %c {    // %a = %b on all inputs: this op was run,
      memref.store %x, %m[%i] ...      // this one was not: its block was never started
    }

A block counts as run once a call that did not fail has started it. The regions of `linalg` and
`tensor` ops, which compute elements, count as run with the op around them, since NumPy computes
most of them without the region. Functions count if they are checked, or a function that counts
calls them. Recording costs one set insertion for each block and call; the numbers are one walk.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, Operation

from xdsl_bufferization.support.diagnostics import describe_op
from xdsl_bufferization.support.locations import place_of
from xdsl_bufferization.support.names import op_name, printed_symbol

_COMPUTE_ELEMENTS = frozenset({"linalg", "tensor"})
"""The dialects whose ops run no region but to compute elements."""
MAX_LISTED = 10
"""The places without a run that a report in text lists."""


class NeverRun(NamedTuple):
    """Ops in one block, with those in it, that no call has run, though it ran the op around."""

    parent: Operation
    """The op around the block; a function, if that was never called."""
    first: Operation
    """The first op of the block."""
    ops: int

    def __str__(self) -> str:
        where = place_of(self.first)
        place = describe_op(self.first) if where is None else str(where)
        number = f"{self.ops} op{'' if self.ops == 1 else 's'}"
        return f"{place}: {number} in {_named(self.parent)}"


class Coverage(NamedTuple):
    """How many ops there are, how many were run, and where those are that were not."""

    ops: int
    ran: int
    never_run: Sequence[NeverRun]
    """In the order of the program."""

    @property
    def percent(self) -> int:
        """The share that was run, rounded down."""
        return 100 if self.ran == self.ops else 100 * self.ran // self.ops

    def __str__(self) -> str:
        """The places, one a line."""
        lines = [*map(str, self.never_run[:MAX_LISTED])]
        if more := len(self.never_run) - len(lines):
            lines.append(f"and in {more} more places")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """All fields, places with the op around them."""
        return {
            "ops": self.ops,
            "ran": self.ran,
            "never_run": [
                {
                    "in": op_name(place.parent),
                    "first": describe_op(place.first),
                    "ops": place.ops,
                }
                for place in self.never_run
            ],
        }


def coverage_of(
    functions: Mapping[str, Operation], called: Sequence[str], ran: Container[Block]
) -> Coverage:
    """
    The coverage of the functions with names in `called`, and of all that they may call, by runs
    that have started the blocks `ran`.
    """
    ops = run = 0
    places: list[NeverRun] = []
    for function in _reachable(functions, called):
        for block, parent, is_run, is_listed in _blocks(function, ran):
            size = sum(1 for _ in block.ops)
            ops += size
            run += size if is_run else 0
            if is_listed and block.first_op is not None:
                inside = sum(1 for op in block.ops for _ in op.walk())
                places.append(NeverRun(parent, block.first_op, inside))
    return Coverage(ops, run, places)


def _blocks(
    function: Operation, ran: Container[Block]
) -> Iterator[tuple[Block, Operation, bool, bool]]:
    """
    The blocks, each with the op around it, whether it counts as run, and whether it is an
    outermost one that does not.
    """
    pending = [(function, True, False)]
    while pending:
        op, is_run, computes = pending.pop()
        nested: list[tuple[Operation, bool, bool]] = []
        for region in op.regions:
            for block in region.blocks:
                started = computes or block in ran
                yield block, op, is_run and started, is_run and not started
                nested += [
                    (inner, is_run and started, computes or _computes_elements(inner))
                    for inner in block.ops
                    if inner.regions
                ]
        pending.extend(reversed(nested))


def _computes_elements(op: Operation) -> bool:
    return op_name(op).partition(".")[0] in _COMPUTE_ELEMENTS


def _reachable(
    functions: Mapping[str, Operation], called: Sequence[str]
) -> Sequence[Operation]:
    """The functions with these names, and those that ops in them name, in program order."""
    found: set[str] = set()
    pending = [name for name in called if name in functions]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        for op in functions[name].walk():
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if isinstance(attribute, SymbolRefAttr):
                    symbol = attribute.root_reference.data
                    if symbol in functions:
                        pending.append(symbol)
    return [function for name, function in functions.items() if name in found]


def _named(op: Operation) -> str:
    if op_name(op) != "func.func":
        return op_name(op)
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return printed_symbol(getattr(symbol, "data", ""))
