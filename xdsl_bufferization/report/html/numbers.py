"""Numbers of bytes as text."""

from __future__ import annotations


def exact(size: int | None) -> str:
    """All digits: `1,234,567 bytes`."""
    if size is None:
        return "unknown"
    return "1 byte" if size == 1 else f"{size:,} bytes"
