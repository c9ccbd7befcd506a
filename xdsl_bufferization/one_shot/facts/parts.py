"""
The parts of tensors that operands touch.

    %a = tensor.extract_slice %t[%i] [4] [1]      // %a is a part of %t
    %b = tensor.extract_slice %a[%j] [2] [1]      // within %t[%i] [4], too
    %x = tensor.extract %b[%k]                    // reads %b[%k] [1], within %a[%j] [2], %t[%i] [4]

Takes time in proportion to the slices of slices, no more than `MAX_TRACED_OPS`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.limits import MAX_TRACED_OPS


class Parts:
    """The parts of tensors that reads and writes touch."""

    def __init__(self, program: TensorProgram):
        self._program = program
        self._extracted: dict[ValueInfo, tuple[ValueInfo, Hashable] | None] = {}

    def start(self) -> None:
        """Forget what is remembered."""
        self._extracted.clear()

    def extracted(self, value: ValueInfo) -> tuple[ValueInfo, Hashable] | None:
        """The tensor that the value is extracted from, and the subset; `None` if it is not."""
        if value not in self._extracted:
            self._extracted[value] = self._extraction(value)
        return self._extracted[value]

    def _extraction(self, value: ValueInfo) -> tuple[ValueInfo, Hashable] | None:
        op = value.value.owner
        if not isinstance(op, Operation):
            return None
        extraction = SubsetExtractionOpInterface.of(op)
        if extraction is None:
            return None
        container = self._program.values.get(extraction.container(op))
        return None if container is None else (container, extraction.subset(op))

    def read(
        self, operand: TensorOperand, *, all_of_it: bool = False
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """
        Tensors that the operand is a part of, each with a slice of it that holds all that
        is read. With `all_of_it`, the first slice, if any, is all that the operand is.
        """
        return self._parts(operand, _read_part(operand), all_of_it)

    def written(
        self, operand: TensorOperand, *, all_of_it: bool = False
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """Like `read`, each slice with all that is written."""
        return self._parts(operand, _written_part(operand), all_of_it)

    def _parts(
        self, operand: TensorOperand, part: Slice | None, all_of_it: bool
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        # First the operand itself, if the part of it is known.
        value = operand.value
        if part is not None:
            yield value, part
        for _ in MAX_TRACED_OPS.steps():
            if (extracted := self.extracted(value)) is not None and isinstance(
                subset := extracted[1], Slice
            ):
                value = extracted[0]
                yield value, subset
                all_of_it = False
                continue
            if len(value.sources) != 1 or value.owner is None:
                return
            ((source, alias),) = value.sources
            if all_of_it and alias.relation is not BufferRelation.EQUIVALENT:
                return
            value = source.value


def _read_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    return None if info.model is None else info.model.read_part(info.op, operand.index)


def _written_part(operand: TensorOperand) -> Slice | None:
    info = operand.owner
    if info.model is None:
        return None
    return info.model.written_part(info.op, operand.index)
