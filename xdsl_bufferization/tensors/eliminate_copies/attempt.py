"""
One attempt to eliminate copies: all rewrites of the functions in a scope, in their order.

An attempt analyses the program twice, whatever its length: before the rewrites, and within
`eliminate-empty-tensors`, which searches the facts about the rewritten program before anything is
decided about it. It leaves the program to be analysed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from xdsl.dialects import func

from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.edits import Edits
from xdsl_bufferization.tensors.eliminate_copies.destinations import (
    copied_to,
    put_together_in_arguments,
)
from xdsl_bufferization.tensors.eliminate_copies.distribution import distribute
from xdsl_bufferization.tensors.eliminate_copies.inits import (
    MemoryOfInputs,
    ReusedInput,
    computed_in_destinations,
    in_memory_of_arguments,
    reuse_inputs,
)
from xdsl_bufferization.tensors.eliminate_copies.insertion_order import (
    order_insertions,
)
from xdsl_bufferization.tensors.eliminate_copies.insertions import (
    Insertions,
    insert_instead,
    ops_to_replace,
)
from xdsl_bufferization.tensors.eliminate_copies.order import sink_writers
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import (
    rematerialize,
    remove_unused,
    separate,
    sink,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import (
    eliminate_empty_tensors_of,
)

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_copies.straight_copies import StraightCopy


class Attempt:
    """
    Rewrites what causes copies in the functions of a scope, as far as `edits` admits. Where loops
    have been unrolled, an iteration reads and overwrites slices of what the one before has put
    together: they are read where they come from, and what is overwritten is not put together.

    Raises `BufferizationError` if the program cannot be bufferized then.
    """

    def __init__(
        self,
        program: AnalysedModule,
        scope: Sequence[func.FuncOp],
        choose_layouts: Callable[[], object],
        edits: Edits,
        *,
        is_unrolled: bool = False,
    ):
        self._program = program
        self._is_unrolled = is_unrolled
        self._choose_layouts = choose_layouts
        self._changes = program.changes
        self._ordered = scope
        self._scope: AbstractSet[func.FuncOp] = frozenset(scope)
        self._edits = edits
        self._reused: list[ReusedInput] = []
        self._straight: list[StraightCopy] = []
        self._insertions: Sequence[Insertions] = ()

    def run(self) -> None:
        """Rewrite, and undo what turns out to be copied all the same."""
        self._rewrite()
        self._program.has_changed()
        eliminate_empty_tensors_of(self._program, self._edits)
        useless = [
            c.undo_if_useless(self._changes, self._edits) for c in self._straight
        ]
        if any(useless):
            self._program.has_changed()
        if self._undo_what_is_copied():
            self._program.has_changed()
        for input in self._reused:
            remove_unused(input.empty, self._changes)

    def _rewrite(self) -> None:
        scope, changes, edits = self._scope, self._changes, self._edits
        # Undoing changes puts back these ops, not those that insertions make.
        replaceable = ops_to_replace(self._ordered)
        decisions = self._program.decisions
        for analysis in decisions.analyses:
            memory = MemoryOfInputs(analysis)
            self._scan_in_place(analysis)
            rematerialized = rematerialize(analysis, scope, changes, edits)
            copied = copied_to(analysis, decisions.forwarded_copies_in(analysis))
            self._reused += reuse_inputs(
                analysis, scope, memory, copied, changes, edits
            )
            rematerialized |= separate(analysis, scope, changes, edits)
            self._copy_straight(analysis)
            distribute(analysis, scope, self._reused, changes, edits)
            sink_writers(analysis, scope, rematerialized, changes, edits)
            sink(analysis, scope, changes, edits)
        if self._is_unrolled:
            self._drop_overwritten()
        self._choose_layouts()
        self._insertions = insert_instead(replaceable, changes, edits)
        orders = order_insertions(self._ordered, changes, edits)
        for insertions in self._insertions:
            insertions.follow(orders)

    def _scan_in_place(self, analysis: BufferizationAnalysis) -> None:
        if any(op_name(info.op) == "scf.for" for info in analysis.program.ops):
            # Most short programs have no loops.
            from xdsl_bufferization.tensors.eliminate_copies.scans import (
                scan_in_place,
            )

            scan_in_place(analysis, self._scope, self._changes, self._edits)

    def _drop_overwritten(self) -> None:
        # Few programs have loops in which two buffers take turns.
        from xdsl_bufferization.tensors.eliminate_copies.overwritten import (
            drop_overwritten,
        )

        drop_overwritten(self._ordered, self._changes)

    def _copy_straight(self, analysis: BufferizationAnalysis) -> None:
        interfaces = SubsetInsertionOpInterface, InsertionsOpInterface
        if any(i.of(info.op) for info in analysis.program.ops for i in interfaces):
            # Most short programs insert nothing.
            from xdsl_bufferization.tensors.eliminate_copies.straight_copies import (
                copy_straight,
            )

            self._straight += copy_straight(
                analysis, self._scope, self._changes, self._edits
            )

    def _undo_what_is_copied(self) -> bool:
        """
        Undo reuses of inputs and insertions that are copied, and compute contents again where
        that avoids a copy now; returns whether there are any.
        """
        changes, edits = self._changes, self._edits
        before = len(self._reused) + len(self._insertions)
        has_changed = False
        decisions = self._program.decisions
        for analysis in decisions.analyses:
            arguments = in_memory_of_arguments(analysis)
            arguments -= computed_in_destinations(analysis, edits)
            self._reused = [
                i
                for i in self._reused
                if not i.undo_if_copied(analysis, arguments, changes, edits)
            ]
            # The last first, since its operands may be those before.
            self._insertions = [
                i
                for i in reversed(self._insertions)
                if not i.undo_if_copied(analysis, edits)
            ][::-1]
            has_changed |= bool(rematerialize(analysis, self._scope, changes, edits))
            has_changed |= bool(separate(analysis, self._scope, changes, edits))
            copied = copied_to(analysis, decisions.forwarded_copies_in(analysis))
            has_changed |= put_together_in_arguments(
                analysis, self._scope, copied, changes, edits
            )
        return has_changed or len(self._reused) + len(self._insertions) < before
