"""How much a program may copy, for jobs that fail when it copies more."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl_bufferization.report.model import Report, TensorFunction


def too_much(
    report: Report, *, avoidable: bool, max_bytes_copied: int | None
) -> Iterator[str]:
    """
    What is too much, a line for each limit: any avoidable copy, if `avoidable`; and more
    bytes than that, if a number is given. A copy of unknown size counts as one byte.
    """
    sizes = [
        copy.times * (copy.size or 0)
        for function in report.functions
        if isinstance(function, TensorFunction)
        for copy in function.copies
        if copy.verdict == "avoidable"
    ]
    if avoidable and sizes:
        copies = "1 copy is" if len(sizes) == 1 else f"{len(sizes)} copies are"
        yield f"fail-on=avoidable-copies: {copies} avoidable, of {sum(sizes)} bytes"
    copied = sum(_copied(report))
    if max_bytes_copied is not None and copied > max_bytes_copied:
        yield f"max-bytes-copied={max_bytes_copied}: {copied} bytes are copied"


def _copied(report: Report) -> Iterator[int]:
    """The bytes of each copy, in all iterations of the loops around it, if they are known."""
    for function in report.functions:
        if isinstance(function, TensorFunction):
            for copy in function.copies:
                yield copy.times * (1 if copy.size is None else copy.size)
        else:
            for copy in function.copies:
                yield 1 if copy.size is None else copy.size
