"""The table of docs/models.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tests.environments import PROJECT

PAGE = PROJECT / "docs" / "models.md"
_TABLE = re.compile(r"^\| network \| bytes.*?^Made on [^\n]*$", re.M | re.S)


class Row(NamedTuple):
    """A network in the table; bytes are those besides inputs, results and weights."""

    arena: int
    mlir_opt: int
    """The most bytes that are alive at one time; buffers are freed at the end."""
    mlir_opt_early: int
    """The same with `optimize-allocation-liveness`."""
    iree: int | None
    seconds: Mapping[str, float]
    """The least of several runs, by what ran."""
    difference: float
    """The largest to a result of ONNX Runtime, divided by the largest number of it, or by 1."""


def table(rows: Mapping[str, Row]) -> Iterator[str]:
    """Lines of Markdown."""
    yield (
        "| network | bytes: arena | mlir-opt | mlir-opt, freed early | IREE "
        "| ms: arena | mlir-opt | ONNX Runtime | difference |"
    )
    yield "|---|" + "--:|" * 8
    for name, row in rows.items():
        seconds = (f"{1000 * s:.3g}" for s in row.seconds.values())
        iree = "none" if row.iree is None else f"{row.iree:,}"
        yield (
            f"| `{name}` | {row.arena:,} | {row.mlir_opt:,} | {row.mlir_opt_early:,} "
            f"| {iree} | {' | '.join(seconds)} | {row.difference:.0e} |"
        )


def with_table(page: str, made: str) -> str:
    """The page with another table, and another line about its making."""
    return _TABLE.sub(lambda _: made, page, count=1)
