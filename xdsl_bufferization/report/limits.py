"""How much a program may copy, for jobs that fail when it copies more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl_bufferization.report.model import Copy, Report, TensorFunction


def too_much(
    report: Report, *, avoidable: bool, max_bytes_copied: int | None
) -> Iterator[str]:
    """
    What is too much, a line for each limit: any avoidable copy, if `avoidable`; and more
    bytes than that, if a number is given. A copy of unknown size counts as one byte.
    """
    found = [
        copy
        for function in report.functions
        if isinstance(function, TensorFunction)
        for copy in function.copies
        if copy.verdict == "avoidable"
    ]
    if avoidable and found:
        copies = "1 copy is" if len(found) == 1 else f"{len(found)} copies are"
        yield f"fail-on=avoidable-copies: {copies} avoidable, {_bytes(found)}"
    copied = sum(_copied(report))
    if max_bytes_copied is not None and copied > max_bytes_copied:
        yield f"max-bytes-copied={max_bytes_copied}: {copied} bytes are copied"


def _bytes(copies: Sequence[Copy]) -> str:
    """How large the copies are, in all iterations of the loops around them."""
    known = [copy.times * copy.size for copy in copies if copy.size is not None]
    unknown = len(copies) - len(known)
    sizes = [f"of {sum(known):,} bytes"] if known else []
    if unknown:
        sizes.append(f"{unknown} of unknown size" if known else "of unknown size")
    return " and ".join(sizes)


def _copied(report: Report) -> Iterator[int]:
    """The bytes of each copy, in all iterations of the loops around it, if they are known."""
    for function in report.functions:
        if isinstance(function, TensorFunction):
            for copy in function.copies:
                yield copy.times * (1 if copy.size is None else copy.size)
        else:
            for copy in function.copies:
                yield 1 if copy.size is None else copy.size
