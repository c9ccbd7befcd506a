"""
Where sizes can be computed that are known at run time only.

    %n = memref.dim %x, %c0               // at the start of the function, as %x is an argument
    ...
    %lo = arith.minsi %n, %big            // at the start, too: from a copy of the op
    %k = memref.load %m[]                 // after the load
    %h = arith.floordivsi %k, %c2         // after the load

Quotients, minima and maxima are symbols of polynomials. They can be computed, by the same ops,
wherever those values are known that they are computed from, their roots. Takes time linear in the
ops that compute sizes, whatever the number of sizes asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.sizes.relations import operands_of
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.regions import block_of


class Start(NamedTuple):
    """Where a size is known."""

    position: float
    """-1 for the start of the function; infinite if it is not known in its first block."""
    op: Operation | None = None
    """The op of the first block after which it is known; `None` for the start."""


AT_START = Start(-1)


class AvailableSizes:
    """The sizes of a function that does not change."""

    def __init__(self, function: Operation, sizes: Sizes):
        self.function = function
        self.points = ProgramPoints(function)
        self.sizes = sizes
        self.derived: dict[Symbol, Sequence[Expression]] = {}
        """The operands of symbols that are asked for, or that these are computed from, if any."""
        self._first = function.regions[0].first_block
        self._starts: dict[Symbol, Start] = {}

    def start(self, size: Expression) -> Start:
        """Where the size can be computed."""
        pending = [*size.symbols]
        while pending:
            symbol = pending.pop()
            operands = [self.sizes.number(operand) for operand in operands_of(symbol)]
            new = [s for e in operands for s in e.symbols if s not in self._starts]
            if new:
                pending += [symbol, *new]
            elif operands:
                self.derived[symbol] = operands
                self._starts[symbol] = max(map(self._of_known, operands), key=_position)
            else:
                self._starts[symbol] = self._of_root(symbol)
        return self._of_known(size)

    def _of_known(self, size: Expression) -> Start:
        starts = (self._starts[symbol] for symbol in size.symbols)
        return max(starts, key=_position, default=AT_START)

    def _of_root(self, symbol: Symbol) -> Start:
        value = symbol.value
        if block_of(value) is not self._first:
            return Start(math.inf)
        if value.owner is self._first or not isinstance(value.owner, Operation):
            return AT_START
        return Start(self.points.end(value.owner), value.owner)


def _position(start: Start) -> float:
    return start.position
