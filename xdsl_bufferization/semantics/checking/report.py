"""
The report of a check, and coverage: which ops of a program were run, by all calls so far.

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
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, Operation

from xdsl_bufferization.semantics.memory import Statistics
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.diagnostics import describe_op, describe_ops
from xdsl_bufferization.support.locations import place_of
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.regions import reachable

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
        return f"{place}: {_count(self.ops, 'op')} in {_named(self.parent)}"


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
    counted: set[Block] = set()
    """The blocks that count as run."""
    computing: set[Operation] = set()
    """The ops that compute elements, and those in them."""
    for function in _reachable(functions, called):
        for op in function.walk():
            dialect = op_name(op).partition(".")[0]
            if dialect in _COMPUTE_ELEMENTS or op.parent_op() in computing:
                computing.add(op)
            for block in (block for region in op.regions for block in region.blocks):
                ops += len(block.ops)
                if op is not function and op.parent not in counted:
                    continue
                if block in ran or op in computing:
                    counted.add(block)
                    run += len(block.ops)
                elif block.first_op is not None:
                    inside = sum(1 for _ in block.walk())
                    places.append(NeverRun(op, block.first_op, inside))
    return Coverage(ops, run, places)


def _reachable(
    functions: Mapping[str, Operation], called: Sequence[str]
) -> Sequence[Operation]:
    """The functions with these names, and those that ops in them name, in program order."""

    def named(name: str) -> Iterator[str]:
        for op in functions[name].walk():
            for attribute in (*op.properties.values(), *op.attributes.values()):
                if isinstance(attribute, SymbolRefAttr):
                    symbol = attribute.root_reference.data
                    if symbol in functions:
                        yield symbol

    found = reachable(filter(functions.__contains__, called), named)
    return [function for name, function in functions.items() if name in found]


def _named(op: Operation) -> str:
    if op_name(op) != "func.func":
        return op_name(op)
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return printed_symbol(getattr(symbol, "data", ""))


class ProblemKind(StrEnum):
    """The kinds of problems."""

    DIFFERENCE = "difference"
    """A result differs from the result of the program before."""
    UNINITIALISED = "uninitialised contents"
    """A result depends on uninitialised memory, and did not before."""
    MEMORY = "memory fault"
    UNDEFINED = "undefined behavior"
    FAILURE = "failure"
    """An assertion does not hold, or a call runs for too many ops."""
    OUTSIDE = "write outside of an argument"
    """Memory around or between the elements of an argument was changed."""
    LEAK = "leak"
    OWNERSHIP = "ownership"
    """A returned memref must not be freed by the caller."""
    SIGNATURE = "signature"
    """Arguments or results of the functions before and after do not correspond."""
    MISSING = "missing semantics"
    NO_INPUT = "no input"
    """The program before fails on all inputs that were tried."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong, with the inputs that show it."""

    kind: ProblemKind
    function: str
    message: str
    op: Operation | None = None
    """The op at which it shows."""
    related: Sequence[tuple[str, Operation | None]] = ()
    """Other ops involved, each with how: `("allocated by", op)`."""
    inputs: Sequence[Value] = ()
    output: str = ""
    """The output that differs, if one does."""
    index: tuple[int, ...] | None = None
    expected: Value = None
    actual: Value = None

    def __str__(self) -> str:
        lines = [f"{printed_symbol(self.function)}: {self.kind}: {self.message}"]
        lines += describe_ops([("at", self.op), *self.related])
        if self.inputs:
            lines.append("inputs:")
            lines += [f"  {i}: {describe(v)}" for i, v in enumerate(self.inputs)]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """All fields, arrays with all their elements."""
        return {
            "kind": str(self.kind),
            "function": self.function,
            "message": self.message,
            "at": None if self.op is None else describe_op(self.op),
            "related": [
                {"relation": relation, "op": describe_op(op)}
                for relation, op in self.related
                if op is not None
            ],
            "output": self.output or None,
            "index": None if self.index is None else list(self.index),
            "expected": _to_json(self.expected),
            "actual": _to_json(self.actual),
            "inputs": [_to_json(value) for value in self.inputs],
        }


@dataclass
class FunctionReport:
    """The outcome for one function."""

    name: str
    runs: int = 0
    """The number of inputs that it was run on."""
    searched: int = 0
    """The number of further inputs, which run ops that those before did not."""
    rejected: int = 0
    """The number of inputs on which the program before failed or ran for long."""
    is_long: bool = False
    """Whether it is known to run for many ops."""
    before: Statistics = field(default_factory=Statistics)
    """The most memory that the program before used on any input, number by number."""
    after: Statistics = field(default_factory=Statistics)
    """The same for the program after."""
    problem: Problem | None = None
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """By name: the arguments and results of the last of the `runs`, if they are asked for."""

    def __str__(self) -> str:
        lines = [f"{printed_symbol(self.name)}: {_count(self.runs, 'input')}"]
        if self.searched:
            lines[0] += f", {self.searched} more that run other ops"
        if self.rejected:
            lines[0] += (
                f", {self.rejected} more rejected: the program before fails or runs for long"
            )
        rows = [("", "before", "after")]
        rows += [
            (name.replace("_", " "), f"{a:,}", f"{b:,}")
            for name, a, b in zip(
                Statistics._fields, self.before, self.after, strict=True
            )
        ]
        lines += [f"  {name:<16}{a:>16}{b:>16}" for name, a, b in rows]
        lines += [f"  {name}: {describe(v)}" for name, v in self.values.items()]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return {
            "name": self.name,
            "runs": self.runs,
            "searched": self.searched,
            "rejected": self.rejected,
            "before": self.before._asdict(),
            "after": self.after._asdict(),
            "problem": None if self.problem is None else self.problem.to_json(),
            "values": {name: _to_json(value) for name, value in self.values.items()},
        }


@dataclass
class Report:
    """The outcome for a program: its functions up to the first one with a problem."""

    functions: list[FunctionReport] = field(default_factory=list[FunctionReport])
    left_out: Sequence[str] = ()
    """Functions that are not checked, as they are in modules within the module."""
    before: Coverage | None = None
    """The ops of the program before that were run; `None` if there is a problem."""
    after: Coverage | None = None
    """The ops of the program after that were run."""
    required_coverage: int = 0
    """The least share of the ops of the program before, in percent."""

    @property
    def problem(self) -> Problem | None:
        """The first problem, if there is one."""
        return next((f.problem for f in self.functions if f.problem is not None), None)

    @property
    def ok(self) -> bool:
        """Whether there is no problem, and as many ops were run as required."""
        return self.problem is None and self.is_covered

    @property
    def is_covered(self) -> bool:
        """Whether as many ops of the program before were run as required."""
        return self.before is None or self.before.percent >= self.required_coverage

    def __str__(self) -> str:
        parts = [str(function) for function in self.functions if function.runs]
        if self.problem is not None:
            parts.append(str(self.problem))
        else:
            parts.append("before and after compute the same")
            parts += self._coverage()
        if self.left_out:
            names = ", ".join(map(printed_symbol, self.left_out))
            parts.append(f"not checked, in a module within the module: {names}")
        return "\n".join(parts)

    def _coverage(self) -> list[str]:
        """Lines that say which ops never ran, if any did not."""
        before, after = self.before, self.after
        if before is None or after is None or before.ran == before.ops:
            return []
        lines = [
            f"ops that never ran: {before.ops - before.ran} of {before.ops} before, "
            f"{after.ops - after.ran} of {after.ops} after",
            *(f"  {line}" for line in str(before).split("\n")),
        ]
        if not self.is_covered:
            lines.append(
                f"{before.percent}% of the ops of the program before ran, and "
                f"{self.required_coverage}% are required: give other arguments with --arg and "
                "--size, or more --runs"
            )
        return lines

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return {
            "ok": self.ok,
            "coverage": {
                "before": None if self.before is None else self.before.to_json(),
                "after": None if self.after is None else self.after.to_json(),
            },
            "functions": [f.to_json() for f in self.functions],
            "left_out": list(self.left_out),
        }


def describe(value: Value) -> str:
    """The value as text, of a large array the corners only."""
    array = np.asarray(value)
    if not array.ndim:
        return str(value)
    text = np.array2string(array, threshold=64, edgeitems=3, separator=", ")
    shape = "x".join(map(str, array.shape))
    between = "\n" if "\n" in text else " "
    return f"{shape} of {array.dtype}:{between}{text}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _to_json(value: Value) -> Any:
    """Numbers and lists of numbers; infinities and NaNs as text."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind == "c":
        parts = np.stack([np.real(array), np.imag(array)], axis=-1)
        return _to_json(parts)
    if array.dtype.kind not in "biu":
        array = array.astype(np.float64)
        finite = np.isfinite(array)
        if not finite.all():
            array = np.where(finite, array.astype(object), array.astype(str))
    return array.tolist()
