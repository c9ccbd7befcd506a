"""Mistakes in what models answer, told by the names of the model and of its method."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar, cast

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import BufferizationError

T = TypeVar("T")


class Expected(NamedTuple):
    """What a method has to return."""

    words: str
    holds: Callable[[object], bool]

    def or_none(self) -> Expected:
        """The same, or `None`."""

        def holds(value: object) -> bool:
            return value is None or self.holds(value)

        return Expected(f"{self.words} or None", holds)


def instance_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected:
    """An instance of the class that `is_right` is true of."""

    def holds(value: object) -> bool:
        return isinstance(value, kind) and is_right(value)

    return Expected(words, holds)


def sequence_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected:
    """A sequence of instances of the class that `is_right` is true of."""
    each = instance_of(kind, words, is_right)

    def holds(value: object) -> bool:
        return isinstance(value, Sequence) and all(
            map(each.holds, cast(Sequence[object], value))
        )

    return Expected(f"a sequence of {words}", holds)


_MISTAKES = AssertionError, AttributeError, LookupError, TypeError, ValueError
"""What is raised where an op is not as a method expects; the rest is raised on purpose."""

BOOL = instance_of(bool, "True or False")


def operand_index(op: Operation) -> Expected:
    """The index of an operand of the op."""
    return instance_of(
        int,
        f"the index of an operand, {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def operand_indices(op: Operation) -> Expected:
    """Indices of operands of the op."""
    return sequence_of(
        int,
        f"indices of operands, each {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def ask(
    model: object, method: str, expected: Expected, op: Operation, *arguments: object
) -> None:
    """Raise `BufferizationError` if the answer of the method cannot be right."""
    name = f"{type(model).__name__}.{method}"
    try:
        answer = getattr(model, method)(op, *arguments)
    except _MISTAKES as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        raise mistake(
            op,
            f"{name} raises {type(error).__name__}: {error}, at "
            f"{frame.filename}:{frame.lineno}",
        ) from error
    if not expected.holds(answer):
        raise mistake(
            op, f"{name} returns {answer!r}, but is to return {expected.words}"
        )


def mistake(op: Operation, text: str) -> BufferizationError:
    """An error about the model of the op."""
    return BufferizationError(op, f"has a model with a mistake: {text}")


def _indices(op: Operation) -> str:
    last = len(op.operands) - 1
    return f"from 0 to {last}" if last >= 0 else "of which there are none"
