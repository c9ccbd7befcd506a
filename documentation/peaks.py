"""
Peaks of memory after each of the stages of `bufferize` that lower them, as a Markdown table.

    python -m documentation.peaks [PROGRAM.mlir ...]

Without arguments, the programs are those in `tests/jax`, which say what XLA needs. All is computed
from decisions; nothing is rewritten or run.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from documentation.pages import table
from xdsl_bufferization.support.reading import context_of_all_dialects, read_module
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.transforms.bufferize import BufferizePass

PROGRAMS = sorted((Path(__file__).parents[1] / "tests" / "jax").glob("*.mlir"))
COLUMNS = {
    "`one-shot-bufferize`": BufferizePass(eliminate_copies=False),
    "`eliminate-copies`": BufferizePass(
        eliminate_moves=False, reorder=False, fuse=False
    ),
    "`eliminate-moves`": BufferizePass(reorder=False, fuse=False),
    "`reorder-for-memory`": BufferizePass(fuse=False),
    "`fuse-for-memory`": BufferizePass(),
}
"""Each with all stages to the left of it."""
_XLA = re.compile(r"^// XLA: .* peak ([\d,]+) bytes$", re.MULTILINE)


def peaks_table(programs: Iterable[Path] = ()) -> str:
    """The peaks of the programs, in bytes."""
    return table(("program", *COLUMNS, "XLA"), map(_row, [*programs] or PROGRAMS))


def _row(path: Path) -> Sequence[str]:
    module = read_module(context_of_all_dialects(), path)
    found = _XLA.search(path.read_text())
    return (path.stem, *_peaks(module), "" if found is None else found[1])


def _peaks(module: ModuleOp) -> Iterator[str]:
    for options in COLUMNS.values():
        costs = options.run_before(module.clone()).remember(Costs)
        yield f"{max(map(costs.peak, costs)):,}"


if __name__ == "__main__":
    print(peaks_table(map(Path, sys.argv[1:])))
