"""
Edits: the changes of a tensor program that can be left out one by one.

    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%x) outs(%e)      // COALESCE_INIT at this op's operand 1: outs(%x)

An edit is its kind and the op, and operand, that it is about. When changes are undone, the same
ops are put back (`changes.py`), so that the next attempt makes the same edits, or leaves out
those that have done harm. Edits about ops that an edit has made are not found again; they are
left out with that edit.

Each edit takes constant time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, Self

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import outermost_function


class EditKind(StrEnum):
    """Kinds of edits, which are the rewrites of `eliminate-copies`, by name."""

    does: str
    """A line for the user."""

    def __new__(cls, name: str, does: str) -> Self:
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.does = does
        return kind

    SCAN_IN_PLACE = (
        "scan-in-place",
        "a loop that reads a tensor slice by slice writes its results there",
    )
    REMATERIALIZE = (
        "rematerialize",
        "cheap contents are computed again instead of copied",
    )
    COALESCE_INIT = (
        "coalesce-inits",
        "an op overwrites an input that dies there instead of an empty tensor",
    )
    ASSEMBLE_IN_ARGUMENT = (
        "assemble-in-arguments",
        "contents are assembled in the argument that they would be copied to",
    )
    FORWARD_COPY = (
        "forward-copies",
        "an operand is copied, or overwritten, in its final destination",
    )
    DISTRIBUTE = (
        "distribute",
        "an elementwise op of a concatenation is computed piece by piece",
    )
    SINK_WRITER = (
        "sink-writers",
        "an op runs after those that read what it overwrites",
    )
    SAVE_CONTENTS = (
        "save-contents",
        "old contents of a donated argument are saved before it is updated",
    )
    SINK = ("sink", "an operand is computed right before the op that needs it")
    INSERT = ("insert", "pads, concatenations and adjacent slices become insertions")
    ORDER_INSERTIONS = (
        "order-insertions",
        "parts are inserted in the order in which they are computed",
    )
    COMPUTE_IN_DESTINATION = (
        "compute-in-destination",
        "a tensor that is inserted is computed in its destination",
    )
    DOUBLE_BUFFER = (
        "double-buffer",
        "loops use two buffers in turn instead of copying one to the other",
    )


LAYOUTS = "layouts"
SHARE_MEMORY = "share-memory"

REWRITES: Mapping[str, str] = {
    **{kind.value: kind.does for kind in EditKind},
    LAYOUTS: "arguments get the layout that their users ask for",
    SHARE_MEMORY: "empty tensors share memory one after the other",
}
"""The rewrites of `eliminate-copies` by name, each with a line for the user."""


class Edit(NamedTuple):
    """One change; see the module's docstring."""

    kind: EditKind
    op: Operation
    operand: int = 0
    """The index of the operand; 0 if the edit is about the op as a whole."""


class Omitted(NamedTuple):
    """Edits that are left out in one function."""

    edits: AbstractSet[Edit] = frozenset()
    kinds: AbstractSet[EditKind] = frozenset()
    """The kinds of edits that are left out as a whole."""


class Edits:
    """
    The edits that are made, in order, and those that must not be: those that are `omitted` in a
    function, and all of the kinds in `without`.
    """

    def __init__(
        self,
        omitted: Mapping[func.FuncOp, Omitted] = MappingProxyType({}),
        without: AbstractSet[str] = frozenset(),
    ):
        self._left_out = frozenset[Edit]().union(*(o.edits for o in omitted.values()))
        self._kinds = {f: o.kinds for f, o in omitted.items() if o.kinds}
        self._without = without
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
        if edit.kind in self._without or edit in self._left_out:
            return False
        function = outermost_function(edit.op) if self._kinds else None
        return function is None or edit.kind not in self._kinds.get(function, ())

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
        """The ops that an edit has made, if it has been made."""
        return self._made.get(edit, ())

    def function(self, edit: Edit) -> func.FuncOp | None:
        """The function that an edit has changed; `None` if it has changed none."""
        return self._functions[edit]

    def origin(self, op: Operation) -> Edit | None:
        """The edit that has made the op."""
        return self._origins.get(op)
