"""
Record of the attempts of `eliminate-copies`, to tell for a copy that is left what was tried.

    %p = tensor.pad %r ...   // attempt 1: %r computed in %p, peak 7,088 bytes; allowed are 5,936
                             // attempt 2: %r copied,         peak 5,936 bytes

Attempt 1 avoids the copy of `%r` at 1,152 bytes more.

Ops are those of the module as it came. A copy that a new op makes counts for the op that an edit
has replaced by it, so that the numbers of two attempts can be compared op by op. Recording takes
one walk over the program for each attempt, and is left out unless a trace is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.figures import Cost
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.interference import copied_operands
from xdsl_bufferization.tensors.search import Limits


class MoreCosts(NamedTuple):
    """The costs beyond the limits in an attempt that avoids a copy."""

    peak: int
    """Bytes of the peak."""
    percent: int | None
    """The `max-peak-increase` that allows this peak; `None` if none does."""
    copies: int
    """Copies."""
    bytes_copied: int
    moves: int
    """Copies and ops that only move elements, together."""
    is_assumed: bool
    """Whether bytes depend on sizes that are assumed, as they are known at run time only."""


class _Attempt(NamedTuple):
    copies: Mapping[Operation, int]
    """By op of the module as it came: the number of copies that are made for it."""
    more: Mapping[func.FuncOp, MoreCosts]
    undone: AbstractSet[Operation]
    """The ops that were replaced by insertions and put back, since these copied as well."""


class Insertions(Enum):
    """The fate of an op that is replaced by insertions."""

    KEPT = auto()
    PUT_BACK = auto()
    """The op is there again, since the insertions copied as much."""


class Trace:
    """The edits and costs of the attempts; empty if there were none."""

    def __init__(self) -> None:
        self._attempts: list[_Attempt] = []
        self._edits: list[Edits] = []
        self._left: Mapping[Operation, int] = {}
        self._replaced: AbstractSet[Operation] = frozenset()
        """The ops in whose place there are insertions after all attempts."""
        self._functions: Mapping[Operation, func.FuncOp | None] = {}
        """By op with copies that are left: the function that it is in before later rewrites."""

    def add(
        self, program: AnalysedModule, edits: Edits, costs: Costs, limits: Limits
    ) -> None:
        """Record an attempt, given the costs of the program as it is now."""
        self._attempts.append(
            _Attempt(
                _copies_by_op(program, edits),
                {f: _more(f, costs.of(f), limits) for f in limits.functions},
                _replaced(edits.undone),
            )
        )
        self._edits.append(edits)

    def finish(self, program: AnalysedModule) -> None:
        """Record which copies are left after all attempts."""
        self._left = _copies_by_op(program, *self._edits)
        ops = {*walk([program.module])}
        for edits in self._edits:
            self._replaced |= _replaced(edits.made) - ops
        self._functions = {op: outermost_function(op) for op in self._left}

    def cheapest_without(self, op: Operation) -> MoreCosts | None:
        """
        The costs beyond the limits of an attempt that makes fewer copies for the op: the attempt
        that exceeds them least. `None` if there is no such attempt.
        """
        function = self._functions.get(op)
        if function is None:
            return None
        found = [
            attempt.more[function]
            for attempt in self._attempts
            if function in attempt.more
            and attempt.copies.get(op, 0) < self._left.get(op, 0)
        ]
        return min(
            found,
            key=lambda m: (m.copies, m.bytes_copied, m.moves, m.peak),
            default=None,
        )

    def edits_about(self, ops: Iterable[Operation]) -> str:
        """The effects of the edits of the ops, for the user; empty if there are none."""
        about = (edit for op in ops for edit in self._edits_by_op.get(op, ()))
        return "; ".join(dict.fromkeys(edit.kind.does for edit in about))

    @cached_property
    def _edits_by_op(self) -> Mapping[Operation, Sequence[Edit]]:
        """By op that they are about."""
        found: dict[Operation, list[Edit]] = {}
        for edits in self._edits:
            for edit in edits.made:
                origin = edits.origin(edit.op) or edit
                for op in {edit.op, origin.op}:
                    found.setdefault(op, []).append(edit)
        return found

    def insertions(self, op: Operation) -> Insertions | None:
        """The fate of insertions in place of the op, if there were any."""
        if op in self._replaced:
            return Insertions.KEPT
        if any(op in attempt.undone for attempt in self._attempts):
            return Insertions.PUT_BACK
        return None


def _replaced(edits: AbstractSet[Edit]) -> AbstractSet[Operation]:
    """The ops that edits replace by insertions."""
    return {edit.op for edit in edits if edit.kind is EditKind.INSERT}


def _copies_by_op(program: AnalysedModule, *edits: Edits) -> Mapping[Operation, int]:
    found: Counter[Operation] = Counter()
    for op, _ in copied_operands(program):
        origin = next(filter(None, (e.origin(op) for e in edits)), None)
        found[op if origin is None else origin.op] += 1
    for op in walk([program.module]):
        if InsertionsOpInterface.of(op) is not None:
            found[op] += sum(map(is_tensor, op.operands))
    return found


def _more(function: func.FuncOp, cost: Cost, limits: Limits) -> MoreCosts:
    limit = limits.of(function)
    peak = max(
        (size - limit.peaks.get(space, 0) for space, size in cost.peaks.items()),
        default=0,
    )
    return MoreCosts(
        max(0, peak),
        limits.percent_for(function, cost),
        max(0, cost.copies.number - limit.copies.number),
        max(0, cost.copies.size - limit.copies.size),
        max(0, cost.traffic[0] - limit.traffic[0]),
        cost.depends_on_sizes or bool(cost.copies.bytes.maxima),
    )
