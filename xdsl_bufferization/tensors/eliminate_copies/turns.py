"""
Loops in which two buffers take turns, instead of one that is copied to the other in each iteration.

Which loops these are, and how they are rewritten, is in `copying_loops.py`. That is tried after
everything else: in one more attempt, and in another one without the edits of clones that were left
out where they come from. A function keeps it if no cost exceeds its limit (`baseline.py`), and if
fewer bytes are copied when it runs.

A copy counts by the trip counts of the loops around it, where their bounds and steps are
constants; any other loop counts as `_UNKNOWN_TRIP_COUNT` iterations. So a copy after a loop is
cheaper than one within it.

Takes time linear in the operands of the program, and for each copy in proportion to the loops
around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_bytes import bytes_in
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import Edit, Edits
from xdsl_bufferization.tensors.eliminate_copies.baseline import Baseline
from xdsl_bufferization.tensors.eliminate_copies.copying_loops import (
    CopyingLoop,
    copying_loops,
)
from xdsl_bufferization.tensors.eliminate_copies.culprits import copied_operands


class Turns:
    """
    Rewrites loops in the functions of a scope, if that saves copies.

    `attempt` changes functions of the program, as far as edits admit.
    """

    def __init__(
        self,
        program: AnalysedModule,
        functions: Sequence[func.FuncOp],
        baseline: Baseline,
        attempt: Callable[[Sequence[func.FuncOp], Edits], None],
    ):
        self._program = program
        self._all = functions
        self._baseline = baseline
        self._attempt = attempt

    def take(
        self, scope: AbstractSet[func.FuncOp], left_out: AbstractSet[Edit]
    ) -> None:
        """Rewrite loops, and undo that in functions that do not copy less then."""
        loops: dict[func.FuncOp, list[CopyingLoop]] = {}
        for loop in copying_loops(self._program):
            function = outermost_function(loop.op)
            if function is not None and function in scope:
                loops.setdefault(function, []).append(loop)
        # What does harm in one iteration may be what the other one needs.
        for in_clones in (False, True) if left_out else (False,):
            if loops:
                for function in self._rewrite(loops, left_out, in_clones):
                    del loops[function]

    def _rewrite(
        self,
        loops: Mapping[func.FuncOp, Sequence[CopyingLoop]],
        left_out: AbstractSet[Edit],
        in_clones: bool,
    ) -> Sequence[func.FuncOp]:
        """
        Rewrite the loops of these functions; returns the functions in which that is not undone.
        `in_clones` says that the same edits are left out in clones.
        """
        program, changes = self._program, self._program.changes
        before = _executed_bytes(program, loops.keys())
        start = changes.position
        clones = [
            pair
            for each in loops.values()
            for loop in each
            for pair in loop.rewrite(changes)
        ]
        if in_clones:
            left_out = left_out | _of_clones(left_out, clones)
        program.has_changed()
        try:
            self._attempt([*loops], Edits(left_out))
            exceeded = self._exceeded()
            after = _executed_bytes(program, loops.keys())
        except BufferizationError:
            exceeded, after = {*self._all}, before
        useless = {f for f in loops if f in exceeded or after[f] >= before[f]}
        if useless:
            changes.undo(start, useless)
            program.has_changed()
        # What a function does with memory depends on those that it calls.
        if len(useless) < len(loops) and (
            exceeded - useless or (useless and self._is_worse())
        ):
            changes.undo(start)
            program.has_changed()
            return ()
        return [f for f in loops if f not in useless]

    def _is_worse(self) -> bool:
        try:
            return bool(self._exceeded())
        except BufferizationError:
            return True

    def _exceeded(self) -> AbstractSet[func.FuncOp]:
        """
        The functions that cost more than they may. Raises `BufferizationError` if the program
        cannot be bufferized.
        """
        costs = Costs(self._program)
        self._program.check_rewrite()
        return {f for f in self._all if self._baseline.is_exceeded(f, costs)}


def _of_clones(
    edits: AbstractSet[Edit], clones: Sequence[tuple[Operation, Operation]]
) -> AbstractSet[Edit]:
    """The same edits of clones of the ops."""
    by_op: dict[Operation, list[Edit]] = {}
    for edit in edits:
        by_op.setdefault(edit.op, []).append(edit)
    if not by_op:
        return frozenset()
    return {
        edit._replace(op=clone)
        for pair in clones
        for op, clone in zip(walk([pair[0]]), walk([pair[1]]), strict=True)
        for edit in by_op.get(op, ())
    }


_UNKNOWN_TRIP_COUNT = 16
"""The iterations that are assumed of a loop whose bounds are no constants."""


def _executed_bytes(
    program: AnalysedModule, functions: AbstractSet[func.FuncOp]
) -> Mapping[func.FuncOp, int]:
    """The bytes that each of the functions copies, as decided, as far as known or assumed."""
    found: Counter[func.FuncOp] = Counter(dict.fromkeys(functions, 0))
    sizes = {function: bytes_in(function) for function in functions}
    for op, index in copied_operands(program):
        function = outermost_function(op)
        if function is not None and function in functions:
            size = sizes[function].of(op.operands[index])
            if size is not None:
                found[function] += size.number * _executions(op)
    return found


def _executions(op: Operation) -> int:
    """How often the op runs each time its function does."""
    number, nested = 1, op
    while (parent := nested.parent_op()) is not None:
        number *= _trip_count(parent, nested)
        nested = parent
    return number


def _trip_count(op: Operation, nested: Operation) -> int:
    """How often the region of the op with the nested op runs each time the op does."""
    if (known := trip_count(op)) is not None:
        return known
    model, region = RegionBranchOpInterface.of(op), nested.parent_region()
    if (
        model is None
        or region is None
        or not model.is_repetitive(op, op.get_region_index(region))
    ):
        return 1
    return _UNKNOWN_TRIP_COUNT
