"""
Double buffering: two buffers take the place of one that is copied to the other in each iteration.

Which loops copy, and how they are rewritten, is in `copying_loops.py`. That is tried after
everything else (`search.py`): with the edits that were left out before, and in a second candidate
without the same edits in clones of ops. A function keeps it if it copies fewer bytes when it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import Edit, Omitted, edits_without
from xdsl_bufferization.tensors.eliminate_copies.attempt import Attempt
from xdsl_bufferization.tensors.eliminate_copies.copying_loops import (
    CopyingLoop,
    copying_loops,
)
from xdsl_bufferization.tensors.search import Limits, Score, Search


def double_buffer(
    program: AnalysedModule,
    limits: Limits,
    scope: Sequence[func.FuncOp],
    left_out: Mapping[func.FuncOp, Omitted],
) -> None:
    """Rewrite loops of the scope's functions that copy, given the edits that are left out."""
    loops: dict[func.FuncOp, list[CopyingLoop]] = {}
    for loop in copying_loops(program):
        function = outermost_function(loop.op)
        if function is not None and function in scope:
            loops.setdefault(function, []).append(loop)
    if not loops:
        return
    candidates = {f: _Candidates(left_out[f]) for f in loops}

    def apply(functions: Sequence[func.FuncOp]) -> None:
        omitted: dict[func.FuncOp, Omitted] = {}
        for function in functions:
            clones = [
                pair
                for loop in loops[function]
                for pair in loop.rewrite(program.changes)
            ]
            omitted[function] = candidates[function].without(clones)
        program.has_changed()
        edits = edits_without(omitted, program.without)
        Attempt(program, functions, lambda: None, edits, is_unrolled=True).run()

    costs = program.remember(Costs)
    search = Search(program, candidates, limits, _executed, apply)
    search.run({f: _executed(f, costs) for f in loops}, Log(()))


def _executed(function: func.FuncOp, costs: Costs) -> Score:
    return (costs.of(function).executed,)


class _Candidates:
    """First, clones may have edits that were left out where they come from; then not."""

    def __init__(self, left_out: Omitted):
        self._left_out = left_out
        self._rounds = 0
        self._is_better = False

    def propose(self) -> bool:
        # An edit that interferes in one iteration may be needed in the next one.
        self._rounds += 1
        return not self._is_better and self._rounds <= (
            2 if self._left_out.edits else 1
        )

    def tell(self, costs: Costs | None, *, is_within: bool, is_better: bool) -> None:
        self._is_better |= is_better

    def without(self, clones: Sequence[tuple[Operation, Operation]]) -> Omitted:
        """The edits that are left out, given each op that was cloned with its clone."""
        edits, kinds = self._left_out
        if self._rounds == 1:
            return self._left_out
        by_op: dict[Operation, list[Edit]] = {}
        for edit in edits:
            by_op.setdefault(edit.op, []).append(edit)
        of_clones = {
            edit._replace(op=clone)
            for pair in clones
            for op, clone in zip(walk([pair[0]]), walk([pair[1]]), strict=True)
            for edit in by_op.get(op, ())
        }
        return Omitted(edits | of_clones, kinds)
