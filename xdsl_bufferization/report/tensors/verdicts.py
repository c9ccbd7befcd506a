"""
Which copies are forced, which can be avoided, and what `eliminate-copies` has tried about a copy.

    %s = tensor.insert %x into %t[%i] : tensor<?xf32>   // copies %t: avoidable, since the
    %o = tensor.extract %t[%j] : tensor<?xf32>          // extraction may come first

A copy is *forced* if the bound of its function proves it, also where its size is unknown. It is
*avoidable* if a way to avoid it is known: the bound says how, or there is advice for the author.
Otherwise its verdict is *unknown*. The verdict agrees with the reason for the copy: only if the
advice says which ops to move does it say that they may run in another order.

Two bounds are computed at most, each in near-linear time; the second one only if there are copies
of unknown size. If an attempt to avoid a copy was given up since the peak was higher, the report
says by how many bytes; if no attempt avoids the copy, how far they went.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.report.model import Verdict
from xdsl_bufferization.report.tensors.reasons import Advice
from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.tensors.eliminate_copies.trace import Insertions
from xdsl_bufferization.verification.copy_bound.bound import CopyBound, copy_bounds
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy
from xdsl_bufferization.verification.copy_bound.links import Operand
from xdsl_bufferization.verification.copy_bound.sizes import UNKNOWN_IS_LARGE


class CopyVerdict(NamedTuple):
    """The verdict on one copy, and its reason; see `Copy`."""

    name: Verdict
    reason: str = ""


class Bounds:
    """The bounds of the functions of a program, each computed when it is first asked for."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self.of_bytes: Mapping[Operation, CopyBound] = copy_bounds(module)

    @cached_property
    def of_unknown_sizes(self) -> Mapping[Operation, CopyBound]:
        """The bounds in which tensors of unknown size count."""
        return copy_bounds(self._module, UNKNOWN_IS_LARGE)


class Verdicts:
    """
    The verdicts on the copies that a bufferization of the program makes, by the bounds of
    its functions.
    """

    def __init__(self, bounds: Bounds):
        self._bounds = bounds
        self.forced: Mapping[Operation, int] = {
            function: bound.size
            for function, bound in bounds.of_bytes.items()
            if bound.copies
        }
        """By function: the bytes that are forced; functions without are left out."""
        self._left = _by_operand([b.copies for b in bounds.of_bytes.values()])
        self._unsized: _ByOperand | None = None

    def of(
        self,
        function: Operation,
        op: Operation,
        index: int | None,
        is_sized: bool,
        advice: Advice,
    ) -> CopyVerdict:
        """The verdict on a copy for an operand of the op; `is_sized` if its bytes are known."""
        bound = self._bounds.of_bytes.get(function)
        why = ""
        if bound is not None and index is not None:
            operand = Operand(op, index)
            if (copy := self._forced(operand, is_sized)) is not None:
                return CopyVerdict("forced", copy.reason)
            if not advice.is_agreed:
                why = bound.why_avoidable(operand, may_reorder=advice.move is not None)
            why = why or bound.why_worthless(operand)
        if why or advice.ways:
            return CopyVerdict("avoidable", why)
        return CopyVerdict("unknown", advice.needed)

    def _forced(self, operand: Operand, is_sized: bool) -> ForcedCopy | None:
        """The forced copy that a copy made for the operand is, unless another one was it."""
        left = self._left
        if not is_sized:
            if self._unsized is None:
                bounds = self._bounds.of_unknown_sizes.values()
                self._unsized = _by_operand([b.copies_of_unknown_size for b in bounds])
            left = self._unsized
        copy = next(iter(left.get(operand, {}).values()), None)
        for other in () if copy is None else copy.operands:
            left[other].pop(id(copy), None)
        return copy


_ByOperand = dict[Operand, dict[int, ForcedCopy]]
"""By operand and identity: the forced copies that none made so far is one of."""


def _by_operand(copies: Sequence[Sequence[ForcedCopy]]) -> _ByOperand:
    found: _ByOperand = {}
    for of_function in copies:
        for copy in of_function:
            for operand in copy.operands:
                found.setdefault(operand, {})[id(copy)] = copy
    return found


class Tried(NamedTuple):
    """The outcome of the attempts to avoid a copy; see `Copy`."""

    words: str = ""
    percent: int | None = None
    """The `max-peak-increase` with which the copy may be avoided."""


def tried_about(trial: Trial, op: Operation) -> Tried:
    """The attempts to avoid the copies that are made for an op of the program."""
    cloned = trial.clone_of(op)
    if cloned is None or not trial.eliminates_copies:
        return Tried()
    more = trial.trace.cheapest_without(cloned)
    if more is None:
        return Tried(_without_effect(trial, op, cloned))
    is_only_higher = not (more.copies or more.bytes_copied or more.moves)
    if not is_only_higher:
        why = ", since the function then copied or moved more"
    elif more.peak:
        why = ", since the peak was then higher"
    elif more.is_assumed:
        why = ", since the peak was then not known to be as low for all sizes"
    else:
        why = " with other changes"
    return Tried(
        f"eliminate-copies avoided it, and undid that{why}",
        more.percent if is_only_higher and more.peak else None,
    )


def _without_effect(trial: Trial, op: Operation, cloned: Operation) -> str:
    """Attempts that have not avoided the copies, in words; empty if there were none."""
    name = op_name(op)
    match trial.trace.insertions(cloned):
        case Insertions.KEPT:
            return (
                f"eliminate-copies replaced {name} by insertions; this one still copies, since "
                "what it inserts cannot be computed there"
            )
        case Insertions.PUT_BACK:
            return (
                f"eliminate-copies replaced {name} by insertions, and put it back, since they "
                "copied the same contents"
            )
        case None:
            return ""
