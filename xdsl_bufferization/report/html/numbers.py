"""Numbers of bytes as text."""

from __future__ import annotations

from xdsl_bufferization.report.formulas import Formula, formula_text


def exact(size: int | Formula | None) -> str:
    """All digits: `1,234,567 bytes`."""
    if size is None:
        return "unknown"
    if isinstance(size, int):
        return "1 byte" if size == 1 else f"{size:,} bytes"
    return f"{formula_text(size)} bytes" if size.number is None else exact(size.number)
