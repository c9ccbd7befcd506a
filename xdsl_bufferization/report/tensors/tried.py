"""
What `eliminate-copies` has tried about a copy that is left, in words.

    %p = tensor.pad %r ...   // copies %r: avoidable, at + 1,152 bytes of peak

An attempt has computed `%r` in `%p`, and was given up since the peak was 1,152 bytes higher. If no
attempt avoids the copy, the report says how far they went. Constant time for each copy.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.tensors.costs.buffer_bytes import ASSUMED_EXTENT
from xdsl_bufferization.tensors.eliminate_copies.trace import Insertions, MoreCosts


class Tried(NamedTuple):
    """The outcome of the attempts to avoid a copy; see `Copy`."""

    peak_increase: int | None = None
    allowed_by: int | None = None
    """The `max-peak-increase` with which the copy is avoided."""
    words: str = ""


def tried_about(trial: Trial, op: Operation) -> Tried:
    """The attempts to avoid the copies that are made for an op of the program."""
    cloned = trial.clone_of(op)
    if cloned is None or not trial.eliminates_copies:
        return Tried()
    more = trial.trace.cheapest_without(cloned)
    return (
        Tried(words=_without_effect(trial, op, cloned))
        if more is None
        else _given_up(more)
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


def _given_up(more: MoreCosts) -> Tried:
    if more.is_assumed:
        assumed = f", where sizes that are not known are {ASSUMED_EXTENT}"
    else:
        assumed = ""
    costs = [
        text
        for text in (
            _plural(more.copies, "copy", "copies"),
            f"{more.bytes_copied:,} bytes" if more.bytes_copied else "",
        )
        if text
    ]
    if costs:
        return Tried(
            words=f"eliminate-copies avoided it, and undid that, since the function then "
            f"copied more: + {', '.join(costs)}{assumed}"
        )
    if more.moves:
        return Tried(
            words="eliminate-copies avoided it, and undid that, since the function then moved "
            f"more elements, in + {_plural(more.moves, 'op', 'ops')}"
        )
    if not more.peak and assumed:
        return Tried(
            words="eliminate-copies avoided it, and undid that, since the peak was then not "
            "known to be as low for all sizes"
        )
    if not more.peak:
        return Tried(
            words="eliminate-copies avoided it, and undid that with other changes"
        )
    return Tried(
        more.peak,
        more.percent,
        "eliminate-copies avoided it, and undid that, since the peak was then "
        f"{more.peak:,} bytes higher{assumed}",
    )


def _plural(number: int, one: str, many: str) -> str:
    return "" if not number else f"{number} {one if number == 1 else many}"
