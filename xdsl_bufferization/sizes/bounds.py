"""
Constants that sizes do not exceed, where the program says so.

    %ok = arith.cmpi ule, %n, %c64
    cf.assert %ok                           // after it, %n is 64 at most
    %rest = arith.subi %n, %i
    %t = arith.minsi %rest, %c32            // 32 at most, whatever the program asserts
    %a = memref.alloc(%t) : memref<?xf32>   // 128 bytes at most

Only conditions that are asserted in the first block of a function count, for what follows them:
they hold wherever an allocation is moved to that stays after them. Each answer takes time linear in
the terms of the size and in the clamps around its symbols.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.interfaces.sizes import (
    ConditionOpInterface,
    Expression,
    Symbol,
    UpperBound,
    clamp_of,
    upper_bound_of,
)
from xdsl_bufferization.sizes.size_analysis import Sizes

MAX_CLAMPS = 16
"""Clamps and casts around a value; further ones are not followed."""


class UpperBounds:
    """The bounds of the sizes of a function that does not change."""

    def __init__(self, function: Operation, sizes: Sizes):
        self._entry = function.regions[0].first_block
        self._sizes = sizes

    def elements(self, memref: SSAValue, at: Operation) -> int | None:
        """The most elements of a tensor or memref whose sizes are computed before `at`."""
        bounds = [
            self._of(size, at, MAX_CLAMPS)
            for size in self._sizes.shape(memref) or [None]
        ]
        known = [max(bound, 0) for bound in bounds if bound is not None]
        return prod(known) if len(known) == len(bounds) else None

    def _of(self, size: Expression | None, at: Operation, depth: int) -> int | None:
        """A number that the size does not exceed where `at` is; `None` if none is known."""
        if size is None or not depth:
            return None
        total = 0
        for product, number in size.terms.items():
            if number < 0:
                # At least 0 is subtracted, if all factors are sizes.
                if any(symbol.dimension is None for symbol, _ in product):
                    return None
                continue
            factors = [(self._symbol(s, at, depth), s, e) for s, e in product]
            is_one = sum(exponent for _, _, exponent in factors) == 1
            for bound, symbol, exponent in factors:
                # The product of two negative numbers has no bound.
                if bound is None or not (is_one or symbol.dimension is not None):
                    return None
                number *= bound**exponent
            total += number
        return total

    def _symbol(self, symbol: Symbol, at: Operation, depth: int) -> int | None:
        bounds = [
            number
            for number, position in self._asserted.get(symbol, ())
            if position < self._position(at)
        ]
        if symbol.dimension is None:
            if (known := upper_bound_of(symbol.value)) is not None:
                bounds.append(known)
            if (clamp := clamp_of(symbol.value)) is not None:
                clamped = self._sizes.number(clamp.value)
                if (bound := self._of(clamped, at, depth - 1)) is not None:
                    lower = bound if clamp.lower is None else clamp.lower
                    bounds.append(max(bound, lower))
        return min(bounds, default=None)

    def _position(self, op: Operation) -> int:
        """The position of the op, or of the one around it, in the first block, or after that."""
        around: Operation | None = op
        while around is not None and around.parent is not self._entry:
            around = around.parent_op()
        return len(self._positions) if around is None else self._positions[around]

    @cached_property
    def _positions(self) -> dict[Operation, int]:
        ops = () if self._entry is None else self._entry.ops
        return {op: position for position, op in enumerate(ops)}

    @cached_property
    def _asserted(self) -> dict[Symbol, list[tuple[int, int]]]:
        """The bounds by symbol, each with the position after which it holds."""
        found: dict[Symbol, list[tuple[int, int]]] = {}
        for op, position in self._positions.items():
            if op.results or ConditionOpInterface.of(op) is None:
                continue
            pending, seen = [op], {op}
            while pending:
                current = pending.pop()
                model = ConditionOpInterface.of(current)
                if model is None:
                    continue
                if (bound := model.upper_bound(current)) is not None:
                    self._add(bound, position, found)
                for condition in model.conditions(current):
                    owner = condition.owner
                    if not isinstance(owner, Block) and owner not in seen:
                        seen.add(owner)
                        pending.append(owner)
        return found

    def _add(
        self,
        bound: UpperBound,
        position: int,
        found: dict[Symbol, list[tuple[int, int]]],
    ) -> None:
        """Add the bound of a symbol, `n + 8 <= 100`; products may overflow, and have none."""
        value = self._sizes.number(bound.value)
        constant = value.terms.get(frozenset(), 0)
        symbol = (value - Expression.constant(constant)).symbol
        if symbol is not None:
            found.setdefault(symbol, []).append((bound.number - constant, position))
