"""
Empty tensors that are updated in place until they are the source of some op.

Source: https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.limits import MAX_FAILED_SEARCHES, MAX_RESHAPES_OF_EMPTY
from xdsl_bufferization.tensors.reshaped_destinations import (
    Reshapes,
    as_reshape,
)


class Found(NamedTuple):
    """An operand that is an empty tensor, and the reshapes on the way to it."""

    operand: TensorOperand
    reshapes: Reshapes = ()


class EmptyTensorSearch:
    """
    Walks back from operands, through operands in the same buffer, to empty tensors.

    Later walks are short where earlier ones have been: a chain of ops with a single source
    is skipped at once, and an operand is not entered if it leads to no empty tensor any more.
    """

    def __init__(self, analysis: BufferizationAnalysis):
        self.analysis = analysis
        self._ends: dict[TensorOperand, Found] = {}
        """
        By operand: the end of the chain of single sources that starts with it, and the reshapes
        on the way, at most `MAX_RESHAPES_OF_EMPTY`.
        """
        self._exhausted: set[TensorOperand] = set()
        """Operands that lead to no empty tensor, or not any more."""
        self._failures: Counter[TensorOperand] = Counter()

    def empty_operands(self, source: TensorOperand) -> Iterator[Found]:
        """
        The operands that are empty tensors in the buffer of `source`, or would be if all
        operands were in place; without those that are excluded, before or between yields.
        """
        entered: list[TensorOperand] = []
        seen: set[TensorOperand] = set()
        pending = [Found(source)]
        while pending:
            start, before = pending.pop()
            operand, after = self._end(start)
            reshapes = before + after
            if (
                operand in seen
                or operand in self._exhausted
                or MAX_RESHAPES_OF_EMPTY.exceeded_by(len(reshapes))
            ):
                continue
            seen.add(operand)
            if _is_empty(operand):
                yield Found(operand, reshapes)
            else:
                entered.append(operand)
                pending.extend(
                    Found(source, reshapes + reshape)
                    for source, reshape in self._sources(operand)
                )
        for operand in reversed(entered):
            ends = (self._end(source).operand for source, _ in self._sources(operand))
            if all(end in self._exhausted for end in ends):
                self._exhausted.add(operand)

    def sole_empty_operands(self, source: TensorOperand) -> Sequence[Found]:
        """
        As `empty_operands`, but only empty tensors whose buffer no other op than those on
        the path to `source` has access to, and only one at a time: several if they are
        those of exclusive branches.
        """
        found: list[Found] = []
        pending = [Found(source)]
        while pending:
            operand, reshapes = pending.pop()
            if _is_empty(operand):
                found.append(Found(operand, reshapes))
            elif _has_one_user(
                operand.value.value
            ) and not MAX_RESHAPES_OF_EMPTY.exceeded_by(len(reshapes)):
                sources = [
                    Found(source, reshapes + reshape)
                    for source, reshape in self._sources(operand)
                    if _is_empty(source) or _has_one_user(source.value.value)
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
        if MAX_FAILED_SEARCHES.exceeded_by(self._failures[operand] + 1):
            self.exclude(operand)

    def _end(self, operand: TensorOperand) -> Found:
        """See `_ends`."""
        path: dict[TensorOperand, Reshapes] = {}
        while operand not in self._ends:
            sources = () if _is_empty(operand) else self._sources(operand)
            # A loop of blocks may forward a tensor to itself.
            if len(sources) != 1 or operand in path:
                break
            ((source, path[operand]),) = sources
            operand = source
        end = self._ends.get(operand, Found(operand))
        for step, reshape in reversed(path.items()):
            reshapes = reshape + end.reshapes
            end = Found(end.operand, reshapes[: MAX_RESHAPES_OF_EMPTY + 1])
            self._ends[step] = end
        return end

    def _sources(
        self, operand: TensorOperand
    ) -> Sequence[tuple[TensorOperand, Reshapes]]:
        """
        The operands whose buffer is that of the operand's tensor, or would be if they were
        in place, each with the reshape in between if its op is one.
        """
        value = operand.value
        return [
            (source, reshape)
            for source, alias in self.analysis.sources_given.of(value)
            if alias.relation is BufferRelation.EQUIVALENT
            and (
                (reshape := as_reshape(source.owner.op))
                or source.value.value.type == value.value.type
                or isinstance(source.owner.op, tensor.CastOp)
            )
        ]


def _has_one_user(value: SSAValue) -> bool:
    """Whether one op uses the tensor: it may overwrite a tensor that it reads."""
    users = (use.operation for use in value.uses)
    first = next(users, None)
    return first is not None and all(user is first for user in users)


def _is_empty(operand: TensorOperand) -> bool:
    return isinstance(operand.value.value.owner, tensor.EmptyOp)
