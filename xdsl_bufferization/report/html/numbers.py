"""Numbers of bytes as text."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB", "TB")


def exact(size: int | None) -> str:
    """All digits: `1,234,567 bytes`."""
    if size is None:
        return "unknown"
    return "1 byte" if size == 1 else f"{size:,} bytes"


def rounded(size: int, digits: int = 3) -> str:
    """
    The number with a unit, as `1.23 MB`: with `digits` digits, at least those before the
    point, and without trailing zeros.
    """
    unit = 0
    while size >= 1000 ** (unit + 1) and unit + 1 < len(_UNITS):
        unit += 1
    value = size / 1000**unit
    after_point = max(digits - len(f"{value:.0f}"), 0) if unit else 0
    text = f"{value:.{after_point}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text} {_UNITS[unit]}"
