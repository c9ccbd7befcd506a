"""Walking nested ops without a Python frame for each level of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation


def walk(scope: Iterable[Operation]) -> Iterator[Operation]:
    """The ops and those nested in them, in program order, parents first."""
    stack = [iter(scope)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        stack.extend(
            iter(block.ops)
            for region in reversed(op.regions)
            for block in reversed(region.blocks)
        )
