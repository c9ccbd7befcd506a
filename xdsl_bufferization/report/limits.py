"""How much a program may copy, for jobs that fail when it copies more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl_bufferization.report.baseline import Baseline, CopyIn, copies_in
from xdsl_bufferization.report.model import BufferCopy, Copy, Report

_NAMED = 3
"""The most copies that an error names."""


def too_much(
    report: Report,
    *,
    avoidable: bool,
    max_bytes_copied: int | None,
    baseline: Baseline | None = None,
) -> Iterator[str]:
    """
    What is too much, a line for each limit: any avoidable copy, if `avoidable`; and more
    bytes than that, if a number is given. A copy of unknown size counts as one byte. With a
    baseline, only copies count that are not in it.
    """
    copies = copies_in(report)
    new = "" if baseline is None else "new "
    if baseline is not None:
        copies = baseline.new(copies)
    found = [c for c in copies if _is_avoidable(c.copy)]
    if avoidable and found:
        are = f"1 {new}copy is" if len(found) == 1 else f"{len(found)} {new}copies are"
        yield (
            f"fail-on=avoidable-copies: {are} avoidable, {_bytes(found)}"
            + ("" if baseline is None else f": {_places(found)}")
        )
    copied = sum(_copied(c.copy) for c in copies)
    if max_bytes_copied is not None and copied > max_bytes_copied:
        yield f"max-bytes-copied={max_bytes_copied}: {copied} {new}bytes are copied" + (
            "" if baseline is None else f": {_places(copies)}"
        )


def _is_avoidable(copy: Copy | BufferCopy) -> bool:
    return isinstance(copy, Copy) and copy.verdict == "avoidable"


def _times(copy: Copy | BufferCopy) -> int:
    return copy.times if isinstance(copy, Copy) else 1


def _bytes(copies: Sequence[CopyIn]) -> str:
    """How large the copies are, in all iterations of the loops around them."""
    known = [_times(c.copy) * c.copy.size for c in copies if c.copy.size is not None]
    unknown = len(copies) - len(known)
    sizes = [f"of {sum(known):,} bytes"] if known else []
    if unknown:
        sizes.append(f"{unknown} of unknown size" if known else "of unknown size")
    return " and ".join(sizes)


def _places(copies: Sequence[CopyIn]) -> str:
    """The first of the copies."""
    named = [
        f"{c.copy.op}{f' in line {c.copy.place.line}' if c.copy.place else ''}"
        for c in copies[:_NAMED]
    ]
    more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
    return ", ".join(named) + more


def _copied(copy: Copy | BufferCopy) -> int:
    """The bytes of the copy, in all iterations of the loops around it, if they are known."""
    return _times(copy) * (1 if copy.size is None else copy.size)
