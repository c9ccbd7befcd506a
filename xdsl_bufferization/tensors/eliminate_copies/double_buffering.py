"""
Double buffering: two buffers take the place of one that is copied to the other in each iteration.

Which loops copy, and how they are rewritten, is in `copying_loops.py`. That is tried after
everything else (`search.py`): with the edits that were left out before, and in a second candidate
without the same edits in clones of ops. A function keeps it if it copies fewer bytes when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

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
from xdsl_bufferization.tensors.search import Candidates, Limits, Score, Search


def double_buffer(
    program: AnalysedModule,
    limits: Limits,
    left_out: Mapping[func.FuncOp, Omitted],
) -> None:
    """Rewrite loops that copy in these functions, given the edits that are left out."""
    loops: dict[func.FuncOp, list[CopyingLoop]] = {}
    for loop in copying_loops(program):
        function = outermost_function(loop.op)
        if function is not None and function in left_out:
            loops.setdefault(function, []).append(loop)
    if not loops:
        return

    def candidates(function: func.FuncOp) -> Candidates[bool]:
        """First, clones may have edits that were left out where they come from; then not."""
        _, _, is_better = yield False
        # An edit that interferes in one iteration may be needed in the next one.
        if not is_better and left_out[function].edits:
            yield True

    def apply(proposed: Mapping[func.FuncOp, bool]) -> None:
        omitted: dict[func.FuncOp, Omitted] = {}
        for function, also_in_clones in proposed.items():
            clones = [
                pair
                for loop in loops[function]
                for pair in loop.rewrite(program.changes)
            ]
            edits, kinds = left_out[function]
            of_clones = _of_clones(edits, clones) if also_in_clones else ()
            omitted[function] = Omitted(edits | {*of_clones}, kinds)
        program.has_changed()
        edits = edits_without(omitted, program.without)
        Attempt(program, [*proposed], lambda: None, edits, is_unrolled=True).run()

    costs = program.remember(Costs)
    search = Search(
        program, {f: candidates(f) for f in loops}, limits, _executed, apply
    )
    search.run({f: _executed(f, costs) for f in loops}, Log(()))


def _executed(function: func.FuncOp, costs: Costs) -> Score:
    return (costs.of(function).executed,)


def _of_clones(
    edits: AbstractSet[Edit], clones: Sequence[tuple[Operation, Operation]]
) -> Iterator[Edit]:
    """The same edits in clones, given each op that was cloned with its clone."""
    by_op: dict[Operation, list[Edit]] = {}
    for edit in edits:
        by_op.setdefault(edit.op, []).append(edit)
    for pair in clones:
        for op, clone in zip(*(walk([root]) for root in pair), strict=True):
            for edit in by_op.get(op, ()):
                yield edit._replace(op=clone)
