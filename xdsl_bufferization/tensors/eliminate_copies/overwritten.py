"""
Insertions that a later insertion overwrites.

    %a = tensor.insert_slice %x into %t[1] [62] [1]
    %b = tensor.insert_slice %y into %a[1] [62] [1]    // into %t, then %a is not needed

Invariant: the elements of `%b` stay the same. If anything else uses `%a`, nothing is done: `%a` and
`%b` would both be made from `%t`, and one of them in new memory.

Takes time linear in the ops of the functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, OpResult

from xdsl_bufferization.interfaces.subset import Slice, SubsetInsertionOpInterface
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import remove_unused


def drop_overwritten(functions: Iterable[Operation], changes: Changes) -> None:
    """Let insertions in the functions overwrite what was there before those that they undo."""
    for op in [*walk(functions)]:
        model = SubsetInsertionOpInterface.of(op)
        if model is None or op.parent is None:
            continue
        later, index = model.subset(op), model.destination_operand(op)
        while isinstance(later, Slice):
            inner = op.operands[index]
            if not isinstance(inner, OpResult) or not inner.has_one_use():
                break
            inserting = SubsetInsertionOpInterface.of(inner.op)
            if inserting is None or inserting.subset(inner.op) != later:
                break
            changes.set_operand(op, index, inserting.container(inner.op))
            remove_unused(inner, changes)
