"""
Edits: the changes of a tensor program that can be left out one by one.

    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%x) outs(%e)      // REUSED_INPUT at this op's operand 1: outs(%x)

An edit is its kind and the op, and operand, that it is about. When changes are undone, the same
ops are put back (`changes.py`), so that the next attempt makes the same edits, or leaves out
those that have done harm. Edits about ops that an edit has made are not found again; they are
left out with that edit.

Each edit takes constant time.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import outermost_function


class EditKind(Enum):
    """Kinds of edits."""

    COMPUTED_AGAIN = auto()
    """The operand gets contents of its own instead of a copy."""
    COMPUTED_LATER = auto()
    """The operand is computed right before the op."""
    REUSED_INPUT = auto()
    """The operand, an init, is an input instead of an empty tensor."""
    IN_ARGUMENT = auto()
    """The op, an empty tensor, is replaced by the argument that its contents are copied to."""
    DISTRIBUTED = auto()
    """The op is distributed over the pieces of its inputs."""
    COPIED_STRAIGHT = auto()
    """The operand is copied to where the result of the op is inserted."""
    SCANNED_INIT = auto()
    """The operand, an init of a loop, is the tensor that the loop reads slice by slice."""
    MOVED_WRITER = auto()
    """The op moves after those that read what it overwrites."""
    INSERTIONS = auto()
    """The op is replaced by insertions."""
    IN_DESTINATION = auto()
    """The operand, which the op inserts into a destination, is computed there."""


class Edit(NamedTuple):
    """One change; see the module's docstring."""

    kind: EditKind
    op: Operation
    operand: int = 0
    """The index of the operand; 0 if the edit is about the op as a whole."""


class Edits:
    """The edits that are made, in order, and those that must not be."""

    def __init__(self, left_out: AbstractSet[Edit] = frozenset()):
        self._left_out = left_out
        self._made: dict[Edit, Sequence[Operation]] = {}
        """By edit that has been made: the ops that it has made."""
        self._origins: dict[Operation, Edit] = {}
        """By op that an edit has made: the edit."""
        self._functions: dict[Edit, func.FuncOp | None] = {}
        """By edit that has been made: the function that it has changed."""
        self.undone: set[Edit] = set()
        """The edits that have been made and undone."""

    def admits(self, edit: Edit) -> bool:
        """Whether the edit may be made."""
        return edit not in self._left_out

    def add(self, edit: Edit, new: Sequence[Operation] = ()) -> None:
        """
        Note that the edit has just been made, and the ops that it has made: in place of its op
        if that is not in the program any more.
        """
        self._made[edit] = new
        places = (outermost_function(op) for op in (edit.op, *new))
        self._functions[edit] = next(filter(None, places), None)
        self._origins.update(dict.fromkeys(new, edit))

    def drop(self, edit: Edit) -> None:
        """Note that the edit has been undone."""
        self._made.pop(edit, None)
        self.undone.add(edit)

    @property
    def made(self) -> AbstractSet[Edit]:
        """The edits that have been made and not undone, in order."""
        return self._made.keys()

    def new(self, edit: Edit) -> Sequence[Operation]:
        """The ops that an edit has made."""
        return self._made[edit]

    def function(self, edit: Edit) -> func.FuncOp | None:
        """The function that an edit has changed; `None` if it has changed none."""
        return self._functions[edit]

    def origin(self, op: Operation) -> Edit | None:
        """The edit that has made the op."""
        return self._origins.get(op)
