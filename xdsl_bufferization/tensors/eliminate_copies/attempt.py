"""
One attempt to eliminate copies: all rewrites of the functions in a scope, in their order.

An attempt analyses the program twice, whatever its length: before the rewrites, and within
`eliminate-empty-tensors`, which searches the facts about the rewritten program before anything is
decided about it. It leaves the program to be analysed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import func

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
    drop_overwritten,
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
)
from xdsl_bufferization.tensors.eliminate_copies.saved_contents import save_contents
from xdsl_bufferization.tensors.eliminate_copies.scans import scan_in_place
from xdsl_bufferization.tensors.eliminate_copies.straight_copies import (
    StraightCopy,
    copy_straight,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import (
    eliminate_empty_tensors_of,
)


def attempt(
    program: AnalysedModule,
    functions: Sequence[func.FuncOp],
    edits: Edits,
    choose_layouts: Callable[[], object] | None = None,
) -> None:
    """
    Rewrite what causes copies in the functions, as far as `edits` admits, and undo what turns out
    to be copied all the same. Without `choose_layouts`, loops have been unrolled: an iteration
    reads and overwrites slices of what the one before has put together, so these are read where
    they come from, and what is overwritten is not put together.

    Raises `BufferizationError` if the program cannot be bufferized then.
    """
    changes = program.changes
    # Undoing changes puts back these ops, not those that insertions make.
    replaceable = ops_to_replace(functions)
    reused: list[ReusedInput] = []
    straight: list[StraightCopy] = []
    for rewriting in _rewritings(program, functions, edits):
        memory = MemoryOfInputs(rewriting.analysis)
        scan_in_place(rewriting)
        rematerialized = rematerialize(rewriting)
        reused += reuse_inputs(rewriting, memory, copied_to(program, rewriting))
        rematerialized |= separate(rewriting)
        straight += copy_straight(rewriting)
        distribute(rewriting, reused)
        sink_writers(rewriting, rematerialized)
        save_contents(rewriting)
        sink(rewriting)
    if choose_layouts is None:
        drop_overwritten(functions, changes)
    else:
        choose_layouts()
    insertions = insert_instead(replaceable, changes, edits)
    orders = order_insertions(functions, changes, edits)
    for inserted in insertions:
        inserted.follow(orders)
    program.has_changed()
    eliminate_empty_tensors_of(program, edits)
    if any([copy.undo_if_useless(changes, edits) for copy in straight]):
        program.has_changed()
    _undo_what_is_copied(program, functions, edits, reused, insertions)
    for input in reused:
        remove_unused(input.empty, changes)


def _undo_what_is_copied(
    program: AnalysedModule,
    functions: Sequence[func.FuncOp],
    edits: Edits,
    reused: list[ReusedInput],
    insertions: Sequence[Insertions],
) -> None:
    """
    Undo reuses of inputs and insertions that are copied, and compute contents again where that
    avoids a copy now.
    """
    position = program.changes.position
    for rewriting in _rewritings(program, functions, edits):
        arguments = in_memory_of_arguments(rewriting.analysis)
        kept = arguments - computed_in_destinations(rewriting)
        reused[:] = [i for i in reused if not i.undo_if_copied(rewriting, kept)]
        # The last first, since its operands may be those before.
        insertions = [
            i for i in reversed(insertions) if not i.undo_if_copied(rewriting)
        ][::-1]
        rematerialize(rewriting)
        separate(rewriting)
        assemble_in_arguments(rewriting, copied_to(program, rewriting))
    if program.changes.position > position:
        program.has_changed()


def _rewritings(
    program: AnalysedModule, functions: Sequence[func.FuncOp], edits: Edits
) -> Iterator[Rewriting]:
    scope = frozenset(functions)
    for analysis in program.analyses:
        yield Rewriting(analysis, scope, program.changes, edits)
