"""
Rows of a table of buffers.

    %v = memref.view %arena[%c0][] ...   // holds one buffer in lines 4 to 9, another in 20 to 25

A view of an arena that holds several buffers, one after the other, is one row with several ranges
of use. All other buffers have a row each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl_bufferization.report.formulas import Formula, amount, formula_text
from xdsl_bufferization.report.model import Buffer


def rows_of(buffers: Iterable[Buffer]) -> Sequence[Sequence[Buffer]]:
    """The buffers, in order; buffers of one view are together."""
    rows: dict[object, list[Buffer]] = {}
    for number, buffer in enumerate(buffers):
        offset = offset_text(buffer)
        key = (buffer.name, offset) if offset else number
        rows.setdefault(key, []).append(buffer)
    return [*rows.values()]


def offset_text(buffer: Buffer) -> str:
    """The offset of a part of an arena, also if it is known at run time only; empty for others."""
    if buffer.offset_formula is not None:
        return formula_text(buffer.offset_formula)
    return "" if buffer.offset is None else f"{buffer.offset:,}"


def sizes_at_once(buffers: Iterable[Buffer]) -> Sequence[Formula | None]:
    """
    The size of each buffer that the function itself allocates, once for each that is live at once;
    of a loop that leaves one more in each run, one counts.
    """
    return [
        amount(buffer)
        for buffer in buffers
        if not buffer.is_callee
        for _ in range(1 + buffer.more_at_once)
    ]
