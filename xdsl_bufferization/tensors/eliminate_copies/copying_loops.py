"""
Loops that compute something in new memory in each iteration, and copy it to an iteration argument.

    %y = linalg.matvec ins(%a, %x) outs(%new)   // reads the iteration argument %x
    scf.yield %y                                // copies %new to the buffer of %x

Two buffers take turns if the loop is unrolled by two (`unrolling.py`), which takes no copy at all;
or if it swaps them (`swaps.py`), where it is not known how often the loop runs.

A loop that swaps two buffers already is unrolled, too, if a result is copied because it may be in
the wrong one: after two iterations each is in its place again.

Finding the loops takes time linear in the ops of the program, and in the loops around each that is
found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.models.shared.sizes import sizes_in
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.data_layout import layout_at
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.walk import ancestors
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.buffer_bytes import BufferBytes
from xdsl_bufferization.tensors.costs.profile import assumed
from xdsl_bufferization.tensors.eliminate_copies.insertions import is_copied
from xdsl_bufferization.tensors.eliminate_copies.swaps import Swap, swap, swap_of
from xdsl_bufferization.tensors.eliminate_copies.unrolling import (
    can_be_unrolled,
    unroll,
)

MIN_BYTES = 64
"""A loop that copies fewer bytes in each iteration is left as it is."""


class CopyingLoop(NamedTuple):
    """A loop in which two buffers can take turns."""

    op: Operation
    swaps: Sequence[Swap]
    """The tensors that are swapped; none if the loop is unrolled."""

    def rewrite(self, changes: Changes) -> Sequence[tuple[Operation, Operation]]:
        """Let two buffers take turns; returns ops of the body, each with a clone of it."""
        if isinstance(self.op, scf.ForOp) and not self.swaps:
            return unroll(self.op, changes)
        return swap(self.op, self.swaps, changes)


def copying_loops(program: AnalysedModule) -> Iterator[CopyingLoop]:
    """The loops that copy what they compute, without those that have others within them."""
    forwarded: dict[Operation, list[ForwardedCopy]] = {}
    for copy in program.decisions.forwarded_copies:
        forwarded.setdefault(copy.terminator, []).append(copy)
    found: dict[Operation, CopyingLoop] = {}
    for analysis in program.analyses:
        if not isinstance(analysis, OneShotAnalysis):
            continue
        for info in analysis.program.ops:
            loop = info.op.parent_op()
            copies = forwarded.get(info.op, ())
            if loop is not None:
                copying = _copying_loop(analysis, loop, info.op, copies)
                if copying is not None:
                    found[loop] = copying
            for swapping in _swapping_loops(analysis, info.op, copies):
                if swapping.body.block.last_op not in forwarded:
                    found.setdefault(swapping, CopyingLoop(swapping, ()))
    around = {outer for loop in found for outer in ancestors(loop) if outer is not loop}
    for loop, copying in found.items():
        if loop not in around:
            yield copying


def _copying_loop(
    analysis: OneShotAnalysis,
    loop: Operation,
    op: Operation,
    copies: Sequence[ForwardedCopy],
) -> CopyingLoop | None:
    """The loop around the op, if the op makes such copies, and forwards some of them."""
    new = [c for c in copies if _is_new(analysis, loop, op.operands[c.operand])]
    if isinstance(loop, scf.ForOp) and (new or _inserts_new(analysis, loop, op)):
        if can_be_unrolled(loop):
            return CopyingLoop(loop, ())
    swaps = [s for c in new if (s := swap_of(analysis, loop, c)) is not None]
    return CopyingLoop(loop, swaps) if swaps else None


def _swapping_loops(
    analysis: OneShotAnalysis, op: Operation, copies: Sequence[ForwardedCopy]
) -> Iterator[scf.ForOp]:
    """The loops whose results the op copies, as they may be in another buffer."""
    for copy in copies:
        value = op.operands[copy.operand]
        if (
            isinstance(value, OpResult)
            and isinstance(loop := value.op, scf.ForOp)
            and not analysis.is_equivalent(value, loop.iter_args[value.index])
            and _is_carried(analysis, loop, value)
            and can_be_unrolled(loop)
        ):
            yield loop


def _inserts_new(analysis: OneShotAnalysis, loop: scf.ForOp, op: Operation) -> bool:
    """Whether the op copies a new tensor into what the loop carries."""
    insertion = SubsetInsertionOpInterface.of(op)
    return (
        insertion is not None
        and is_copied(analysis, op)
        and _is_new(analysis, loop, op.operands[insertion.source_operand(op)])
        and not analysis.memory_of(insertion.container(op)).isdisjoint(
            loop.body.block.args
        )
    )


def _is_new(analysis: OneShotAnalysis, loop: Operation, value: SSAValue) -> bool:
    """
    Whether each iteration computes the tensor, which is not small and always of one size, in new
    memory.
    """
    return _is_carried(analysis, loop, value) and all(
        analysis.is_allocation(memory)
        and isinstance(memory.owner, Operation)
        and loop.is_ancestor(memory.owner)
        for memory in analysis.memory_of(value)
    )


def _is_carried(analysis: OneShotAnalysis, loop: Operation, value: SSAValue) -> bool:
    """Whether the tensor is not small, and of the same size in each iteration of the loop."""
    sizes = BufferBytes(layout_at(value), lambda: sizes_in(analysis.program))
    size = sizes.of(value)
    return (
        size is not None
        and assumed(size) >= MIN_BYTES
        and not any(loop.is_ancestor(block_of(s.value)) for s in size.symbols)
    )
