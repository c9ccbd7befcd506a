"""
Loops in which two buffers take turns, instead of one that is copied to the other in each iteration.

    %y = linalg.matvec ins(%a, %x) outs(%new)   // reads the iteration argument %x
    scf.yield %y                                // copies %new to the buffer of %x

Unrolled by two (`unrolling.py`), every second result is computed in the buffer of `%x`. That is
tried once, after everything else, for all loops that copy what they compute anew: one more attempt,
whatever the program. A function keeps it if no cost exceeds its limit (`baseline.py`), and if fewer
bytes are copied when it runs (`executed_copies.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects import func, scf
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import Edit, Edits
from xdsl_bufferization.tensors.eliminate_copies.baseline import Baseline
from xdsl_bufferization.tensors.eliminate_copies.executed_copies import executed_bytes
from xdsl_bufferization.tensors.eliminate_copies.unrolling import (
    can_be_unrolled,
    unroll,
)

MIN_BYTES = 64
"""A loop that copies fewer bytes in each iteration is left as it is."""


class Turns:
    """
    Unrolls loops in the functions of a scope, if that saves copies.

    `attempt` changes functions of the program, as far as edits admit. Edits that are `left_out`
    are left out in clones, too.
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
        """Unroll loops, and undo that in functions that do not copy less then."""
        loops = [*self._loops(scope)]
        if not loops:
            return
        program, changes = self._program, self._program.changes
        functions = [f for f in self._all if any(f.is_ancestor(loop) for loop in loops)]
        before = executed_bytes(program, {*functions})
        start = changes.position
        clones = [pair for loop in loops for pair in unroll(loop, changes)]
        program.has_changed()
        try:
            self._attempt(functions, Edits(left_out | _of_clones(left_out, clones)))
            exceeded = self._exceeded()
            after = executed_bytes(program, {*functions})
        except BufferizationError:
            exceeded, after = {*self._all}, before
        useless = {f for f in functions if f in exceeded or after[f] >= before[f]}
        if useless:
            changes.undo(start, useless)
            program.has_changed()
        # What a function does with memory depends on those that it calls.
        if len(useless) < len(functions) and (
            exceeded - useless or (useless and self._is_worse())
        ):
            changes.undo(start)
            program.has_changed()

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

    def _loops(self, scope: AbstractSet[func.FuncOp]) -> Iterator[scf.ForOp]:
        """The loops to unroll, without those that have others within them."""
        found = {
            loop: None
            for analysis in self._program.analyses
            for copy in self._program.decisions.forwarded_copies
            if (loop := _copying_loop(analysis, copy)) is not None
            and outermost_function(loop) in scope
        }
        around = {outer for loop in found for outer in _around(loop)}
        for loop in found:
            if loop not in around and can_be_unrolled(loop):
                yield loop


def _copying_loop(
    analysis: BufferizationAnalysis, copy: ForwardedCopy
) -> scf.ForOp | None:
    """The loop that makes the copy, if that is of what it has computed in new memory."""
    loop = copy.terminator.parent_op()
    value = copy.terminator.operands[copy.operand]
    if (
        not isinstance(loop, scf.ForOp)
        or copy.destination not in loop.body.block.args
        or (bytes_of_contents(value) or 0) < MIN_BYTES
        or value not in analysis.program.values
    ):
        return None
    is_new = all(
        analysis.is_allocation(memory)
        and isinstance(memory.owner, Operation)
        and loop.is_ancestor(memory.owner)
        for memory in analysis.memory_of(value)
    )
    return loop if is_new else None


def _around(op: Operation) -> Iterator[Operation]:
    """The ops around the op."""
    while (parent := op.parent_op()) is not None:
        yield parent
        op = parent


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
