"""
Visits moves, and lets ops read elements where these take them from.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.move import MoveOpInterface, move_of
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.tensors.effects import is_pure
from xdsl_bufferization.tensors.eliminate_moves.constants import splat_of
from xdsl_bufferization.tensors.eliminate_moves.memory import SharedMemory
from xdsl_bufferization.tensors.eliminate_moves.readers import Reader, readers_of
from xdsl_bufferization.tensors.eliminate_moves.safety import (
    can_be_read_from_source,
    can_be_view,
)
from xdsl_bufferization.tensors.eliminate_moves.views import build_view, is_view


class Elimination:
    """Changes a module, whose groups of tensors are kept up to date."""

    def __init__(self, module: Operation):
        self._module = module
        self._generics: dict[Operation, Operation] = {}
        """By move that has become a `linalg.generic`: that."""
        self._pending: list[Operation] = []
        """Moves to be visited next."""

    @cached_property
    def _memory(self) -> SharedMemory:
        # Programs with constants alone do not wait for it. They change no use of other tensors.
        return SharedMemory(self._module)

    def run(self, moves: Iterable[Operation]) -> bool:
        """Visit the moves, in the order of the program; whether anything has changed."""
        has_changed = False
        for visited in moves:
            self._pending.append(self._generics.get(visited, visited))
            while self._pending:
                op = self._pending.pop()
                if op.results[0].first_use is not None:
                    has_changed |= self._visit(op)
                    _erase_unused(op)
        return has_changed

    def _visit(self, op: Operation) -> bool:
        if isinstance(op, arith.ConstantOp):
            return _take_constant(op)
        move = move_of(op)
        assert move is not None
        if move.map is None:
            return _take(op.results[0], move.source, if_all_can=True)
        return self._become_view(op, move.source, move.map) or self._read_through(
            op, move.source, move.map
        )

    def _become_view(self, op: Operation, source: SSAValue, map: AffineMap) -> bool:
        """Replace the move by a view, if it can be one; whether it has been."""
        (result,) = op.results
        type = cast(TensorType[Attribute], result.type)
        if not is_view(
            cast(TensorType[Attribute], source.type), map, type
        ) or not can_be_view(self._memory, op, source):
            return False
        builder = builder_for(op, InsertPoint.before(op))
        view = build_view(source, type, builder)
        if view is not source:
            view.name_hint = result.name_hint
        self._memory.merge(source, result)
        self._memory.merge(source, view)
        result.replace_all_uses_with(view)
        return True

    def _read_through(self, op: Operation, source: SSAValue, map: AffineMap) -> bool:
        """
        Let all ops that read the result of the move read its source, if all of them can; whether
        they do.
        """
        readers = readers_of(op.results[0])
        able = [
            r for r in readers.values() if r is not None and r.can_read_through(map)
        ]
        if (
            len(able) < len(readers)
            # One move in place of one.
            or (len(able) > 1 and any(r.remains_a_move for r in able))
            or not can_be_read_from_source(self._memory, op, source)
        ):
            return False
        for reader in able:
            self._replace(reader, source, map)
        return True

    def _replace(self, reader: Reader, source: SSAValue, map: AffineMap) -> None:
        new = reader.read_through(source, map)
        if new is not reader.op:
            self._generics[reader.op] = new
            self._memory.replace(reader.op, new)
            _erase_unused(reader.op)
        if reader.remains_a_move:
            self._memory.merge(source, new.operands[0])
            self._pending.append(new)
        self._memory.add_read(source, new)


def _take_constant(op: arith.ConstantOp) -> bool:
    if not any(r is not None and r.can_take() for r in readers_of(op.result).values()):
        return False
    number = splat_of(op)
    assert number is not None
    builder = builder_for(op, InsertPoint.before(op))
    element = builder.insert(arith.ConstantOp(number)).result
    # A constant takes no time, whether it is used or not.
    return _take(op.result, element, if_all_can=False)


def _take(result: SSAValue, element: SSAValue, *, if_all_can: bool) -> bool:
    """
    Let the ops that can take the element, which all elements of the result are, do so; with
    `if_all_can` only if nothing else uses the result. Returns whether any does.
    """
    readers = readers_of(result)
    able = [r for r in readers.values() if r is not None and r.can_take()]
    if if_all_can and len(able) < len(readers):
        return False
    for reader in able:
        reader.take(element)
    return bool(able)


def _erase_unused(op: Operation) -> None:
    """Erase the op, and those that only it used, if nothing uses its results."""
    pending = [op]
    while pending:
        op = pending.pop()
        if (
            op.parent is None
            or any(result.first_use is not None for result in op.results)
            or not (MoveOpInterface.of(op) is not None or is_pure(op))
        ):
            continue
        owners = {o.owner: None for o in op.operands}
        op.detach()
        op.erase()
        pending.extend(owner for owner in owners if isinstance(owner, Operation))
