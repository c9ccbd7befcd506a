"""
Which tensors may live in memory that must not be written, and which live in memory that is
written.

Memory flows from operands that are in place to what aliases them. So a write destroys
memory that must not be written if there is a way from a tensor in that memory to the one
that is written; that both flow into one tensor, as a constant and a new buffer do at an
`scf.if`, does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl_bufferization.one_shot.facts.program import (
    TensorOperand,
    TensorProgram,
    ValueInfo,
)


class Writability:
    """
    Both, for the tensors of a program, given the operands that are in place so far.

    A tensor is reached once from what is not writable, and once from a write, so that the
    time for all decisions together is linear in the number of operands.
    """

    def __init__(
        self, program: TensorProgram, is_writable: Callable[[ValueInfo], bool]
    ):
        self._program = program
        self._targets: dict[ValueInfo, list[ValueInfo]] = {}
        self._sources: dict[ValueInfo, list[ValueInfo]] = {}
        self._read_only: dict[ValueInfo, ValueInfo] = {}
        self._written: set[ValueInfo] = set()
        for value in program.values.values():
            if not is_writable(value):
                self._read_only[value] = value
        for info in program.ops:
            for group in program.aliasing_results(info):
                for a, b in zip(group.values, group.values[1:], strict=False):
                    self._connect(a, b)
                    self._connect(b, a)

    def read_only(self, value: ValueInfo) -> ValueInfo | None:
        """A tensor whose memory must not be written and may be that of the value."""
        return self._read_only.get(value)

    def obstacle(self, operand: TensorOperand) -> ValueInfo | None:
        """A tensor that would be written, but must not be, if the operand is in place."""
        origin = self._read_only.get(operand.value)
        if operand.owner.model is None:
            # Nothing is known of what the op writes: it may be where its results are.
            origins = (self._read_only.get(target) for target in self._aliases(operand))
            return origin or next(filter(None, origins), None)
        is_written = operand.writes or any(
            target in self._written for target in self._aliases(operand)
        )
        return origin if is_written else None

    def add(self, operand: TensorOperand) -> None:
        """The operand is in place."""
        for target in self._aliases(operand):
            self._connect(operand.value, target)
        if operand.writes:
            self._mark_written(operand.value)

    def _aliases(self, operand: TensorOperand) -> Iterable[ValueInfo]:
        return (self._program.values[alias.value] for alias in operand.aliases)

    def _connect(self, source: ValueInfo, target: ValueInfo) -> None:
        self._targets.setdefault(source, []).append(target)
        self._sources.setdefault(target, []).append(source)
        if (origin := self._read_only.get(source)) is not None:
            self._mark_read_only(target, origin)
        if target in self._written:
            self._mark_written(source)

    def _mark_read_only(self, value: ValueInfo, origin: ValueInfo) -> None:
        pending = [value]
        while pending:
            value = pending.pop()
            if value not in self._read_only:
                self._read_only[value] = origin
                pending += self._targets.get(value, ())

    def _mark_written(self, value: ValueInfo) -> None:
        pending = [value]
        while pending:
            value = pending.pop()
            if value not in self._written:
                self._written.add(value)
                pending += self._sources.get(value, ())
