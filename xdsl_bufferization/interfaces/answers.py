"""Mistakes in what models answer, told by the names of the model and of its method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from xdsl.ir import Operation

from xdsl_bufferization.support.failures import MEANT, mistake, raised, verify_op_itself

T = TypeVar("T")


class Expected(NamedTuple, Generic[T]):
    """The value that a method has to return."""

    words: str
    holds: Callable[[object], bool]

    def or_none(self) -> Expected[T | None]:
        """The same, or `None`."""

        def holds(value: object) -> bool:
            return value is None or self.holds(value)

        return Expected(f"{self.words} or None", holds)


def instance_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected[T]:
    """An instance of the class that `is_right` is true of."""

    def holds(value: object) -> bool:
        return isinstance(value, kind) and is_right(value)

    return Expected(words, holds)


def sequence_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected[Sequence[T]]:
    """A sequence of instances of the class that `is_right` is true of."""
    each = instance_of(kind, words, is_right)

    def holds(value: object) -> bool:
        return isinstance(value, Sequence) and all(map(each.holds, value))

    return Expected(f"a sequence of {words}", holds)


BOOL = instance_of(bool, "True or False")


def operand_index(op: Operation) -> Expected[int]:
    """The index of an operand of the op."""
    return instance_of(
        int,
        f"the index of an operand, {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def operand_indices(op: Operation) -> Expected[Sequence[int]]:
    """Indices of operands of the op."""
    return sequence_of(
        int,
        f"indices of operands, each {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def ask(
    model: object, method: str, expected: Expected[T], op: Operation, *arguments: object
) -> T:
    """
    The answer of the model's method about the op.

    Raises `BufferizationError` if the method raises anything else than an error of a pass, or
    the answer cannot be right.
    """
    try:
        answer = getattr(model, method)(op, *arguments)
    except MEANT:
        raise
    except Exception as error:
        # Of an invalid op, no model can say what it does.
        verify_op_itself(op)
        raise raised(model, method, op, error) from error
    if not expected.holds(answer):
        raise mistake(
            op,
            f"{type(model).__name__}.{method} returns {answer!r}, but is to return "
            + expected.words,
        )
    return answer


def _indices(op: Operation) -> str:
    last = len(op.operands) - 1
    return f"from 0 to {last}" if last >= 0 else "but there are none"
