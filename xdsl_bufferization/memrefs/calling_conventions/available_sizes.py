"""
Where sizes can be computed that are known at run time only, in their function and in its callers.

    %n = memref.dim %x, %c0               // at the start of the function, as %x is an argument
    ...
    %lo = arith.minsi %n, %big            // at the start, too: from a copy of the op
    %k = memref.load %m[]                 // after the load
    %h = arith.floordivsi %k, %c2         // after the load

Minima, quotients and other results of ops on integers are symbols of polynomials. They can be
computed, by the same ops, wherever their *roots* are known: the values from which they are computed
in the end. Callers know a size if all of its roots are arguments. Takes time linear in the
ops that compute sizes, whatever the number of sizes asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free, is_speculatable

from xdsl_bufferization.interfaces.sizes import Expression, Symbol, size_like
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.sizes.arithmetic import QUOTIENTS, divisor_of
from xdsl_bufferization.memrefs.sizes.computation import SizeComputation
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import CallGraph, returns_of
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_of, index_of, reachable
from xdsl_bufferization.support.shaped_types import ranked_shape


class Start(NamedTuple):
    """Where a size is known."""

    position: float
    """-1 for the start of the function; infinite if it is not known in its first block."""
    op: Operation | None = None
    """The op of the first block after which it is known; `None` for the start."""


AT_START = Start(-1)


class AvailableSizes:
    """
    The sizes of a function that does not change. `called` gives the sizes from which the size of
    the result of a call follows, if any are known.
    """

    def __init__(
        self,
        function: Operation,
        sizes: Sizes,
        called: Callable[[Symbol], Sequence[Expression]] = lambda symbol: (),
    ):
        self.function = function
        self.sizes = sizes
        self.derived: dict[Symbol, Sequence[Expression]] = {}
        """The operands of symbols that are asked for, or that these are computed from, if any."""
        self._called = called
        self._first = function.regions[0].first_block
        self._starts: dict[Symbol, Start] = {}

    @cached_property
    def points(self) -> ProgramPoints:
        """The positions of the function's ops."""
        return ProgramPoints(self.function)

    def start(self, size: Expression) -> Start:
        """Where the size can be computed."""
        pending = [*size.symbols]
        while pending:
            symbol = pending.pop()
            operands = [
                *map(self.sizes.number, _operands(symbol)),
                *self._called(symbol),
            ]
            new = [s for e in operands for s in e.symbols if s not in self._starts]
            if new:
                pending += [symbol, *new]
            elif operands:
                self.derived[symbol] = operands
                self._starts[symbol] = max(
                    map(self._of_known, operands), key=itemgetter(0)
                )
            else:
                self._starts[symbol] = self._of_root(symbol)
        return self._of_known(size)

    def roots(self, size: Expression) -> Sequence[Symbol] | None:
        """The roots of a size that follows from the arguments; `None` for another one."""
        if self.start(size).position > AT_START.position:
            return None
        return [
            symbol
            for symbol in reachable(size.symbols, self._derived_from)
            if symbol not in self.derived
        ]

    def _derived_from(self, symbol: Symbol) -> Iterator[Symbol]:
        for operand in self.derived.get(symbol, ()):
            yield from operand.symbols

    def _of_known(self, size: Expression) -> Start:
        starts = (self._starts[symbol] for symbol in size.symbols)
        return max(starts, key=itemgetter(0), default=AT_START)

    def _of_root(self, symbol: Symbol) -> Start:
        value = symbol.value
        if block_of(value) is not self._first:
            return Start(math.inf)
        if value.owner is self._first or not isinstance(value.owner, Operation):
            return AT_START
        return Start(self.points.end(value.owner), value.owner)


def _operands(symbol: Symbol) -> Sequence[SSAValue]:
    """
    The operands of the op on integers that computes the symbol wherever they are known; none for
    other symbols.
    """
    op = symbol.value.owner
    if symbol.dimension is not None or not isinstance(op, Operation) or op.regions:
        return ()
    types = *op.operand_types, *op.result_types
    if len(op.results) != 1 or not all(
        isinstance(type, IndexType | IntegerType) for type in types
    ):
        return ()
    if op_name(op) in QUOTIENTS:
        return () if divisor_of(op) is None else op.operands
    return op.operands if is_speculatable(op) and is_side_effect_free(op) else ()


# Callers --------------------------------------------------------------------------------


class ResultSizes:
    """The sizes of the results of functions that their callers can compute."""

    def __init__(self, calls: CallGraph):
        self._calls = calls
        self._sizes = Sizes(calls)
        self._roots: dict[tuple[func.FuncOp, int], Sequence[Symbol]] = {}
        """By function and result: all that its sizes are computed from."""

    def of(
        self, function: func.FuncOp, results: Iterable[int]
    ) -> Mapping[int, CallerSizes]:
        """
        The sizes of those of the results that are known to callers. Those of later functions may
        follow from them: callers will allocate these results.
        """
        available = AvailableSizes(function, self._sizes, self._of_call)
        found: dict[int, CallerSizes] = {}
        for result in results:
            sizes = self._returned(function, result)
            roots = [available.roots(size) for size in sizes or ()]
            known = [symbol for symbols in roots for symbol in symbols or ()]
            if sizes is not None and None not in roots:
                found[result] = CallerSizes(sizes, available.derived)
                self._roots[function, result] = known
        return found

    def _returned(
        self, function: func.FuncOp, result: int
    ) -> Sequence[Expression] | None:
        """The dynamic sizes of the result; `None` if they differ between returns."""
        found: set[tuple[Expression, ...]] = set()
        for op in returns_of(function):
            sizes = self._sizes.shape(op.operands[result]) or ()
            shape = ranked_shape(op.operands[result])
            found.add(
                tuple(
                    size
                    for size, static in zip(sizes, shape, strict=True)
                    if static == DYNAMIC_INDEX
                )
            )
        return found.pop() if len(found) == 1 else None

    def _of_call(self, symbol: Symbol) -> Sequence[Expression]:
        result = symbol.value
        if not isinstance(result, OpResult) or not isinstance(result.op, func.CallOp):
            return ()
        callee = self._calls.callee(result.op)
        if callee is None or symbol.dimension is None:
            return ()
        roots = self._roots.get((callee, result.index), ())
        return [given(root, result.op.operands) for root in roots]


class CallerSizes(NamedTuple):
    """Sizes by what a function gets as arguments."""

    sizes: Sequence[Expression]
    derived: Mapping[Symbol, Sequence[Expression]]
    """As in `AvailableSizes`."""

    def computed(
        self, arguments: Sequence[SSAValue], builder: Builder
    ) -> Sequence[SSAValue]:
        """Compute the sizes for a call with these arguments."""
        computation = computation_for(arguments, self.derived, builder)
        return [*map(computation.value, self.sizes)]


def computation_for(
    arguments: Sequence[SSAValue],
    derived: Mapping[Symbol, Sequence[Expression]],
    builder: Builder,
) -> SizeComputation:
    """A computation of sizes that a function has if it gets these arguments."""
    caller = SizeComputation(builder)
    return SizeComputation(
        builder, derived, lambda symbol: caller.factor(given(symbol, arguments))
    )


def given(symbol: Symbol, arguments: Sequence[SSAValue]) -> Expression:
    """The value of a root that is an argument, or its size, given all arguments."""
    size = size_like(symbol, arguments[index_of(symbol.value)])
    assert size is not None
    return size
