"""
Empty tensors that are updated in place until they are the source of some op.

Source: https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from xdsl.dialects import tensor

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand

_MANY = 8
"""After so many failures an empty tensor is not found any more."""


class EmptyTensorSearch:
    """
    Walks back from operands, through operands in the same buffer, to empty tensors.

    Later walks are short where earlier ones have been: a chain of ops with a single source
    is skipped at once, and an operand is not entered if no empty tensor is left behind it.
    """

    def __init__(self, analysis: BufferizationAnalysis):
        self._analysis = analysis
        self._ends: dict[TensorOperand, TensorOperand] = {}
        """By operand: the end of the chain of single sources that starts with it."""
        self._exhausted: set[TensorOperand] = set()
        """Operands behind which there is no empty tensor to be found, or not any more."""
        self._failures: Counter[TensorOperand] = Counter()

    def empty_operands(self, source: TensorOperand) -> Iterator[TensorOperand]:
        """
        The operands that are empty tensors in the buffer of `source`, or would be if all
        operands were in place; without those that are excluded, before or between yields.
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
        As `empty_operands`, but only empty tensors whose buffer no other op than those on
        the path to `source` has access to, and only one at a time: several if they are
        those of exclusive branches.
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
                # Of tensors that are live at the same time, only one can have the buffer.
                pending.extend(sources if are_exclusive else sources[:1])
        return found

    def exclude(self, operand: TensorOperand) -> None:
        """Do not find the operand again."""
        self._exhausted.add(operand)

    def count_failure(self, operand: TensorOperand) -> None:
        """Do not find the operand again if this has been called too often for it."""
        self._failures[operand] += 1
        if self._failures[operand] == _MANY:
            self.exclude(operand)

    def _end(self, operand: TensorOperand) -> TensorOperand:
        """See `_ends`."""
        path: dict[TensorOperand, None] = {}
        while operand not in self._ends:
            sources = () if _is_empty(operand) else self._sources(operand)
            # A loop of blocks may forward a tensor to itself.
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
        The operands whose buffer is that of the operand's tensor, or would be if they were
        in place.
        """
        value = operand.value
        return [
            source
            for source, alias in self._analysis.sources_given.of(value)
            if alias.relation is BufferRelation.EQUIVALENT
            and (
                source.value.value.type == value.value.type
                or isinstance(source.owner.op, tensor.CastOp)
            )
        ]


def _is_empty(operand: TensorOperand) -> bool:
    return isinstance(operand.value.value.owner, tensor.EmptyOp)
