"""
Changes of a tensor program, kept in a log: they can be undone, made again, and told to an
analysis.

    %a = tensor.empty() : tensor<4xf32>       // removed: it keeps its results, not its operands
    %b = linalg.exp ins(%x) outs(%y)          // operands changed: from (%x, %a) to (%x, %y)

Invariant: undone from the last to the first, each change finds the program as it left it, and
what it puts back are the same ops, blocks and values. So records by op or value are valid
again. A change takes constant time, and so does to undo it; removing an op takes time in
proportion to the ops in its regions.

Ops that are removed stay in the log. Nothing in the program refers to them, and they refer to
nothing in the program.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.one_shot.facts.numbering import ChangedOps
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import walk


class _Operands(NamedTuple):
    """The operands of an op have become others."""

    op: Operation
    before: Sequence[SSAValue]
    after: Sequence[SSAValue]

    def undo(self) -> None:
        self.op.operands = self.before

    def redo(self) -> None:
        self.op.operands = self.after


class _Position(NamedTuple):
    """Where an op is: in a block, before another op or at the end."""

    block: Block
    next_op: Operation | None

    @classmethod
    def of(cls, op: Operation) -> _Position | None:
        return None if op.parent is None else cls(op.parent, op.next_op)


_OperandsOf: TypeAlias = Sequence[tuple[Operation, Sequence[SSAValue]]]
"""The operands of an op and of those in its regions."""


class Placement(NamedTuple):
    """An op has been inserted, moved or removed; `None` is outside of the program."""

    op: Operation
    before: _Position | None
    after: _Position | None
    operands: _OperandsOf = ()
    """The operands while the op is in the program, unless it has been moved within it."""

    def undo(self) -> None:
        self._move(self.before)

    def redo(self) -> None:
        self._move(self.after)

    def _move(self, position: _Position | None) -> None:
        _place(self.op, position)
        for op, operands in self.operands:
            op.operands = () if position is None else operands


def _place(op: Operation, position: _Position | None) -> None:
    if op.parent is not None:
        op.detach()
    if position is None:
        return
    if position.next_op is None:
        position.block.add_op(op)
    else:
        position.block.insert_op_before(op, position.next_op)


class _Property(NamedTuple):
    """A property of an op has been removed."""

    op: Operation
    name: str
    value: Attribute

    def undo(self) -> None:
        self.op.properties[self.name] = self.value

    def redo(self) -> None:
        del self.op.properties[self.name]


_Change: TypeAlias = _Operands | Placement | _Property


def _operands_of(op: Operation) -> _OperandsOf:
    return [(nested, tuple(nested.operands)) for nested in walk([op])]


Changed: TypeAlias = dict[func.FuncOp | None, ChangedOps]
"""By outermost function, or `None` for ops outside of functions."""


class Log(NamedTuple):
    """Changes that have been undone, and can be made again."""

    entries: Sequence[tuple[func.FuncOp | None, _Change]]
    """Each with the outermost function around it, in the order of the changes."""


class Changes:
    """Changes tensor programs, and remembers how."""

    def __init__(self) -> None:
        self._entries: list[tuple[func.FuncOp | None, _Change]] = []
        self._listeners: list[Changed] = []
        self._functions: dict[Block, func.FuncOp | None] = {}
        """By block: the outermost function around it."""

    def listen(self) -> Changed:
        """The ops that are changed, undone and redone from now on, by outermost function."""
        changed: Changed = {}
        self._listeners.append(changed)
        return changed

    @property
    def position(self) -> int:
        """How many changes there are, to undo those that follow."""
        return len(self._entries)

    # Changes ----------------------------------------------------------------------------

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Give the op another operand."""
        operands = list(op.operands)
        operands[index] = value
        self._set_operands(op, operands)

    def replace_uses(self, former: SSAValue, value: SSAValue) -> None:
        """Use a value in place of another one, everywhere."""
        for op in {use.operation: None for use in former.uses}:
            self._set_operands(op, [value if o is former else o for o in op.operands])

    def builder(
        self,
        op: Operation,
        place: InsertPoint | None = None,
        new: list[Operation] | None = None,
    ) -> Builder:
        """
        A builder whose ops do part of the work of the op, and get its location: before it, or at
        the place. They are added to `new`.
        """
        builder = builder_for(op, place)
        handlers = builder.operation_insertion_handler
        handlers.append(self.inserted)
        if new is not None:
            handlers.append(new.append)
        return builder

    def inserted(self, op: Operation) -> None:
        """Note that the op has been inserted."""
        self._add(op, Placement(op, None, _Position.of(op), _operands_of(op)))

    def move(self, op: Operation, block: Block, before: Operation | None) -> None:
        """Move an op of the program before another one, or to the end of the block."""
        self._make(Placement(op, _Position.of(op), _Position(block, before)))

    def remove(self, op: Operation) -> Placement:
        """Remove an op whose results are not used."""
        removal = Placement(op, _Position.of(op), None, _operands_of(op))
        self._make(removal)
        return removal

    def put_back(
        self, removal: Placement, block: Block, before: Operation | None
    ) -> None:
        """Put a removed op before another one, or at the end of the block."""
        position = _Position(block, before)
        self._make(Placement(removal.op, None, position, removal.operands))

    def remove_property(self, op: Operation, name: str) -> None:
        """Remove a property, if the op has it."""
        value = op.properties.pop(name, None)
        if value is not None:
            self._add(op, _Property(op, name, value))

    # Undo -------------------------------------------------------------------------------

    def undo(
        self, position: int, functions: Collection[func.FuncOp | None] | None = None
    ) -> Log:
        """
        Undo the changes that have been made since the position; with `functions`, those in
        these outermost functions only.
        """
        undone: list[tuple[func.FuncOp | None, _Change]] = []
        kept: list[tuple[func.FuncOp | None, _Change]] = []
        while len(self._entries) > position:
            function, change = entry = self._entries.pop()
            if functions is not None and function not in functions:
                kept.append(entry)
                continue
            undone.append(entry)
            self._tell(function, change)
            change.undo()
        self._entries.extend(reversed(kept))
        return Log(undone[::-1])

    def redo(self, log: Log, functions: Collection[func.FuncOp]) -> None:
        """
        Make changes again that were undone, those in these outermost functions, in which
        nothing else may have changed since.
        """
        for function, change in log.entries:
            if function in functions:
                change.redo()
                self._entries.append((function, change))
                self._tell(function, change)

    def _set_operands(self, op: Operation, operands: Sequence[SSAValue]) -> None:
        former = tuple(op.operands)
        if former or operands:
            self._make(_Operands(op, former, operands))

    def _make(self, change: _Operands | Placement) -> None:
        if change.op.parent is None:
            change.redo()
            self._add(change.op, change)
        else:
            # An op that is removed is in no function any more.
            self._add(change.op, change)
            change.redo()

    def _add(self, op: Operation, change: _Change) -> None:
        function = self._function_around(op)
        self._entries.append((function, change))
        self._tell(function, change)

    def _function_around(self, op: Operation) -> func.FuncOp | None:
        block = op.parent
        if block is None:
            return outermost_function(op)
        # Blocks stay in their functions.
        if block not in self._functions:
            parent = block.parent_op()
            self._functions[block] = (
                None if parent is None else outermost_function(parent)
            )
        return self._functions[block]

    def _tell(self, function: func.FuncOp | None, change: _Change) -> None:
        for listener in self._listeners:
            changed = listener.setdefault(function, ChangedOps())
            match change:
                case _Operands(op, before, after):
                    changed.changed.add(op)
                    changed.former.update(before)
                    changed.former.update(after)
                case Placement(op, operands=()):
                    changed.placed.update(walk([op]))
                case Placement(operands=operands):
                    for op, values in operands:
                        changed.placed.add(op)
                        changed.former.update(values)
                case _Property(op):
                    changed.changed.add(op)
