"""Edits: which function an edit has changed, and which ops it has made."""

from __future__ import annotations

from xdsl.dialects import func, test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits


def _function(*ops: Operation) -> func.FuncOp:
    function = func.FuncOp("f", ((), ()))
    function.body.block.add_ops([*ops, func.ReturnOp()])
    return function


def test_an_edit_that_replaces_its_op_has_changed_the_function_of_the_new_ops():
    former, new = test.TestOp(), test.TestOp()
    function = _function(new)
    edits, edit = Edits(), Edit(EditKind.INSERT, former)
    edits.add(edit, [new])
    assert edits.function(edit) is function
    assert edits.origin(new) == edit


def test_an_edit_has_changed_a_function_though_its_op_is_removed_later():
    op = test.TestOp()
    function = _function(op)
    edits, edit = Edits(), Edit(EditKind.COALESCE_INIT, op, 1)
    edits.add(edit)
    op.detach()
    assert edits.function(edit) is function


def test_an_edit_outside_of_functions_has_changed_none():
    op = test.TestOp()
    module = ModuleOp([op])
    edits, edit = Edits(), Edit(EditKind.SINK_WRITER, op)
    edits.add(edit)
    assert edits.function(edit) is None
    assert module.body.block.first_op is op
