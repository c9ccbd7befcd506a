"""
Where empty tensors come in that end up, updated in place, as the source of some op.

Source: https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from xdsl.dialects import tensor

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.program import TensorOperand

_MANY = 8
"""After so many failures with an empty tensor it is not found any more."""


class EmptyTensorSearch:
    """
    Walks back from operands, through those in the same buffer, to empty tensors.

    What one walk has seen is short for the next: chains of ops with a single source are
    skipped at once, and values behind which no empty tensor is left are not entered.
    """

    def __init__(self, analysis: BufferizationAnalysis):
        self._analysis = analysis
        self._ends: dict[TensorOperand, TensorOperand] = {}
        """Where the chain of single sources that an operand starts has its end."""
        self._exhausted: set[TensorOperand] = set()
        self._failures: Counter[TensorOperand] = Counter()

    def empty_operands(self, source: TensorOperand) -> Iterator[TensorOperand]:
        """
        The operands that are empty tensors and whose buffer is that of `source`, or would
        be if all were in place; those excluded are left out, also if that happens on the
        way.
        """
        entered: list[TensorOperand] = []
        seen: set[TensorOperand] = set()
        pending = [source]
        while pending:
            operand = self._end(pending.pop())
            if operand in seen or operand in self._exhausted:
                continue
            seen.add(operand)
            if _is_empty(operand):
                yield operand
            else:
                entered.append(operand)
                pending.extend(self._sources(operand))
        for operand in reversed(entered):
            ends = map(self._end, self._sources(operand))
            if all(end in self._exhausted for end in ends):
                self._exhausted.add(operand)

    def sole_empty_operands(self, source: TensorOperand) -> Sequence[TensorOperand]:
        """
        As `empty_operands`, but only those whose buffer nothing else than the ops on the
        way has access to, and only one of these at a time.
        """
        found: list[TensorOperand] = []
        pending = [source]
        while pending:
            operand = pending.pop()
            if _is_empty(operand):
                found.append(operand)
            elif operand.value.value.has_one_use():
                sources = [
                    source
                    for source in self._sources(operand)
                    if _is_empty(source) or source.value.value.has_one_use()
                ]
                owner = operand.value.owner
                are_exclusive = (
                    owner is not None
                    and owner.model is not None
                    and owner.model.has_exclusive_regions(owner.op)
                )
                # Of tensors that exist at the same time, one can have the buffer.
                pending.extend(sources if are_exclusive else sources[:1])
        return found

    def exclude(self, operand: TensorOperand) -> None:
        """Do not find the operand again."""
        self._exhausted.add(operand)

    def count_failure(self, operand: TensorOperand) -> None:
        """Do not find the operand again after too many calls of this."""
        self._failures[operand] += 1
        if self._failures[operand] == _MANY:
            self.exclude(operand)

    def _end(self, operand: TensorOperand) -> TensorOperand:
        path: dict[TensorOperand, None] = {}
        while operand not in self._ends:
            sources = () if _is_empty(operand) else self._sources(operand)
            # Unstructured loops may hand a tensor around.
            if len(sources) != 1 or operand in path:
                break
            path[operand] = None
            (operand,) = sources
        end = self._ends.get(operand, operand)
        for step in path:
            self._ends[step] = end
        return end

    def _sources(self, operand: TensorOperand) -> Sequence[TensorOperand]:
        """
        The operands in the very buffer of which the operand's tensor is, or would be if
        they were in place.
        """
        value = operand.value
        sources = self._analysis.program.sources_given(
            value, self._analysis.is_equivalent
        )
        return [
            source
            for source, alias in sources
            if alias.relation is BufferRelation.EQUIVALENT
            and (
                source.value.value.type == value.value.type
                or isinstance(source.owner.op, tensor.CastOp)
            )
        ]


def _is_empty(operand: TensorOperand) -> bool:
    return isinstance(operand.value.value.owner, tensor.EmptyOp)
