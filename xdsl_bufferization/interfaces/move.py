"""Ops on tensors that only move elements, such as `linalg.transpose` and `linalg.broadcast`."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.registry import OpInterface


class Move(NamedTuple):
    """Where the elements of a result come from."""

    source: SSAValue
    """A ranked tensor, or the element that all elements of the result are."""
    map: AffineMap | None
    """From the indices of an element to its indices in the source; `None` for an element."""


class MoveOpInterface(OpInterface):
    """An op with one result, a ranked tensor, that may only move elements."""

    @abstractmethod
    def move(self, op: Operation) -> Move | None:
        """
        Where the elements of the result come from; `None` if the op computes them, or if there
        is no affine map.
        """


def move_of(op: Operation) -> Move | None:
    """Where the elements of the op's result come from, if it only moves elements."""
    model = MoveOpInterface.of(op)
    return None if model is None else model.move(op)
