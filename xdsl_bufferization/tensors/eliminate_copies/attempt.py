"""
One attempt to eliminate copies: all rewrites of the functions in a scope, in their order.

An attempt analyses the program twice, whatever its length: before the rewrites, and within
`eliminate-empty-tensors`, which searches the facts about the rewritten program before anything is
decided about it. It leaves the program to be analysed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.ir import BlockArgument, SSAValue

from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.edits import Edits
from xdsl_bufferization.tensors.eliminate_copies.destinations import (
    assemble_in_arguments,
    copied_to,
)
from xdsl_bufferization.tensors.eliminate_copies.distribution import distribute
from xdsl_bufferization.tensors.eliminate_copies.inits import (
    MemoryOfInputs,
    ReusedInput,
    computed_in_destinations,
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
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    in_memory_of_arguments,
    inserted_operands,
)
from xdsl_bufferization.tensors.eliminate_copies.saved_contents import save_contents
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
        changes, edits = self._changes, self._edits
        # Undoing changes puts back these ops, not those that insertions make.
        replaceable = ops_to_replace(self._ordered)
        for rewriting in self._rewritings():
            memory = MemoryOfInputs(rewriting.analysis)
            self._scan_in_place(rewriting)
            rematerialized = rematerialize(rewriting)
            self._reused += reuse_inputs(rewriting, memory, self._copied_to(rewriting))
            rematerialized |= separate(rewriting)
            self._copy_straight(rewriting)
            distribute(rewriting, self._reused)
            sink_writers(rewriting, rematerialized)
            save_contents(rewriting)
            sink(rewriting)
        if self._is_unrolled:
            self._drop_overwritten()
        self._choose_layouts()
        self._insertions = insert_instead(replaceable, changes, edits)
        orders = order_insertions(self._ordered, changes, edits)
        for insertions in self._insertions:
            insertions.follow(orders)

    def _rewritings(self) -> Iterator[Rewriting]:
        for analysis in self._program.analyses:
            yield Rewriting(analysis, self._scope, self._changes, self._edits)

    def _scan_in_place(self, rewriting: Rewriting) -> None:
        ops = rewriting.analysis.program.ops
        if any(op_name(info.op) == "scf.for" for info in ops):
            # Most short programs have no loops.
            from xdsl_bufferization.tensors.eliminate_copies.scans import (
                scan_in_place,
            )

            scan_in_place(rewriting)

    def _drop_overwritten(self) -> None:
        # Few programs have loops in which two buffers take turns.
        from xdsl_bufferization.tensors.eliminate_copies.insertions import (
            drop_overwritten,
        )

        drop_overwritten(self._ordered, self._changes)

    def _copy_straight(self, rewriting: Rewriting) -> None:
        if any(map(inserted_operands, rewriting.analysis.program.ops)):
            # Most short programs insert nothing.
            from xdsl_bufferization.tensors.eliminate_copies.straight_copies import (
                copy_straight,
            )

            self._straight += copy_straight(rewriting)

    def _undo_what_is_copied(self) -> bool:
        """
        Undo reuses of inputs and insertions that are copied, and compute contents again where
        that avoids a copy now; returns whether there are any.
        """
        before = len(self._reused) + len(self._insertions)
        has_changed = False
        for rewriting in self._rewritings():
            arguments = in_memory_of_arguments(rewriting.analysis)
            arguments -= computed_in_destinations(rewriting)
            self._reused = [
                i for i in self._reused if not i.undo_if_copied(rewriting, arguments)
            ]
            # The last first, since its operands may be those before.
            self._insertions = [
                i for i in reversed(self._insertions) if not i.undo_if_copied(rewriting)
            ][::-1]
            has_changed |= bool(rematerialize(rewriting))
            has_changed |= bool(separate(rewriting))
            copied = self._copied_to(rewriting)
            has_changed |= assemble_in_arguments(rewriting, copied)
        return has_changed or len(self._reused) + len(self._insertions) < before

    def _copied_to(self, rewriting: Rewriting) -> Mapping[SSAValue, BlockArgument]:
        analysis = rewriting.analysis
        return copied_to(
            analysis, self._program.decisions.forwarded_copies_in(analysis)
        )
