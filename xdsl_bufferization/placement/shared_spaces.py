"""
Functions that are given fixed places in the same memory.

Where buffers have addresses, or offsets from the start of a memory space, those of a function
must not be where its callers keep theirs. So the arena of a function begins after the arenas of
all functions that it calls end, in the same space. A function has no place if several calls of it
may be active at a time.

The memory spaces of a target, as the user describes them: their addresses and sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, NoneAttr, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.placement.arenas import Arena
from xdsl_bufferization.placement.hoisting_targets import (
    Execution,
    execution_of_region,
)
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    function_around,
    is_function,
)
from xdsl_bufferization.support.names import printable


class SharedSpaces:
    """The memory that functions take of spaces, noted callees first."""

    def __init__(self, module: Operation):
        self._calls = CallGraph(module)
        self._ends: dict[Operation, dict[Attribute, int]] = {}
        """By function and space: the end of what it and the functions that it calls take."""
        self._callees_of: dict[Operation, dict[func.FuncOp, None]] = {}
        for call, callee in self._calls.callees.items():
            if (caller := function_around(call)) is not None:
                self._callees_of.setdefault(caller, {})[callee] = None
        self._overlapping = self._called_in_parallel()

    def callees_first(self) -> Sequence[Operation]:
        """The functions of the module, those of other dialects than func last."""
        return self._calls.all_callees_first()

    def problem(self, function: Operation) -> str:
        """Why the function can have no place of its own; empty if it can."""
        if function in self._calls.recursive:
            return "its function is recursive, so that several calls need it"
        if function in self._overlapping:
            return "its function is called in parallel, so that several calls need it"
        if (
            isinstance(function, func.FuncOp)
            # A function in the body of another one is not called.
            and self._calls.calls.get(function)
            and not self._calls.may_change(function)
        ):
            return "its function is used by other ops than calls"
        return ""

    def base(self, function: Operation, space: Attribute) -> int:
        """The first byte of the space that the function may use, as an offset."""
        ends = [
            self._ends.get(callee, {}).get(space, 0)
            for callee in self._callees(function)
        ]
        return max(ends, default=0)

    def ends(self, function: Operation) -> Mapping[Attribute, int]:
        """By space the end of what the function, and those that it calls, take."""
        return self._ends.get(function, {})

    def note(self, function: Operation, arenas: Sequence[Arena]) -> None:
        """Note the arenas of the function, which have their places."""
        ends = self._ends.setdefault(function, {})
        for callee in self._callees(function):
            for space, end in self._ends.get(callee, {}).items():
                ends[space] = max(end, ends.get(space, 0))
        for arena in arenas:
            ends[arena.memory_space] = arena.end

    def _callees(self, function: Operation) -> Iterator[func.FuncOp]:
        yield from self._callees_of.get(function, ())

    def _called_in_parallel(self) -> set[func.FuncOp]:
        found: set[func.FuncOp] = set()
        for component in reversed(self._calls.callees_first()):
            for function in component:
                if any(
                    _may_overlap(call) or function_around(call) in found
                    for call in self._calls.calls[function]
                ):
                    found.add(function)
        return found


def _may_overlap(op: Operation) -> bool:
    """Whether executions of the op by one execution of its function may overlap in time."""
    block: Block | None = op.parent
    while block is not None and (parent := block.parent_op()) is not None:
        if is_function(parent):
            return False
        if execution_of_region(block) is Execution.UNKNOWN:
            return True
        block = parent.parent
    return False


_DEFAULT_NAME = "default"
"""The name of the space of memrefs that name none."""


def space_name(space: Attribute) -> str:
    """
    The name of a memory space in options and reports: a string without its quotes, a number
    without the type `i64`, which it has unless another is written, or else the attribute as it
    is printed.
    """
    match space:
        case NoneAttr():
            return _DEFAULT_NAME
        case StringAttr(data=name):
            return name
        case IntegerAttr(value=number, type=type) if type == i64:
            return str(number.data)
        case _:
            return str(space)


def in_space(space: Attribute) -> str:
    """The memory space as the end of a phrase; empty for the default space."""
    name = space_name(space)
    return "" if name == _DEFAULT_NAME else f" in memory space {printable(name)}"


@dataclass(frozen=True)
class MemorySpaces:
    """The start addresses and sizes of memory spaces, in bytes, by name; where they are known."""

    starts: Mapping[str, int]
    sizes: Mapping[str, int]

    def start(self, space: Attribute) -> int | None:
        """The address of the first byte of the space."""
        return self.starts.get(space_name(space))

    def size(self, space: Attribute) -> int | None:
        """The number of bytes of the space."""
        return self.sizes.get(space_name(space))


def numbers_by_space(entries: Iterable[str]) -> Mapping[str, int]:
    """
    The numbers in entries such as `L1:65536` or `L1:0x10000`, by the name in front.

    Raises `ValueError` with an entry that is not of that form, or names a space twice.
    """
    numbers: dict[str, int] = {}
    for entry in entries:
        name, colon, text = entry.rpartition(":")
        try:
            number = int(text, 0)
        except ValueError:
            number = -1
        if not colon or number < 0 or name in numbers:
            raise ValueError(entry)
        numbers[name] = number
    return numbers
