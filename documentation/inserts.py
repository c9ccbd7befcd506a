"""
Lists in hand-written pages that are made from the code: of stages, options and pipelines.

    python -m documentation.inserts

writes them into the pages, between two comments, of which the first names the list:

    <!-- from the code: options of eliminate-copies -->

    | option | takes | default | meaning |
    ...

    <!-- end -->

`tests/pytest/docs/test_inserts.py` fails where a page has another list than the code gives.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path

from documentation.options import options_table
from documentation.pages import table
from documentation.peaks import peaks_table
from xdsl_bufferization.report.codes import Code
from xdsl_bufferization.support.pass_options import options
from xdsl_bufferization.tensors.edits import REWRITES
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.bufferize_stages import PIPELINE, STAGES
from xdsl_bufferization.universe import UNIVERSE

PROJECT = Path(__file__).parents[1]

_INSERT = re.compile(
    r"^<!-- from the code: ([^\n]*) -->\n(?:.*?\n)??<!-- end -->$", re.M | re.S
)


def pages() -> Iterator[Path]:
    """The pages that are written by hand."""
    yield PROJECT / "README.md"
    yield from sorted((PROJECT / "docs").glob("*.md"))


def names(text: str) -> list[str]:
    """The names of the lists in a page."""
    return [match[1] for match in _INSERT.finditer(text)]


def updated(text: str, leave: Container[str] = ()) -> str:
    """
    The page with the lists as the code has them, except for those named in `leave`.

    Raises `LookupError` for a list that there is not.
    """
    return _INSERT.sub(
        lambda match: (
            match[0]
            if match[1] in leave
            else f"<!-- from the code: {match[1]} -->\n\n{_list(match[1])}\n\n<!-- end -->"
        ),
        text,
    )


def _list(name: str) -> str:
    what, _, of = name.partition(" of ")
    if what == "options":
        return options_table((UNIVERSE.all_passes | UNIVERSE.all_targets)[of]())
    if name not in _LISTS:
        raise LookupError(f"there is no list '{name}' in documentation/inserts.py")
    return _LISTS[name]()


def stages_table() -> str:
    """The stages of `bufferize`, with what each does."""
    return table(
        ("stage", "left out by", "what it does", "copies", "peak"),
        (
            (
                f"`{stage.call}`",
                f"`{stage.option}=false`" if stage.option else "",
                stage.does,
                stage.copies,
                stage.peak,
            )
            for stage in STAGES
        ),
    )


def _rewrites() -> str:
    """The rewrites by the names that `without` takes."""
    rows = ((f"`{name}`", does) for name, does in REWRITES.items())
    return table(("rewrite", "what it does"), rows)


def _commands() -> str:
    """A command with the stages as single passes."""
    return f"    xdsl-opt program.mlir -p '{PIPELINE}' --print-between-passes --time-passes"


def _options_of_the_report() -> str:
    """The options of the report that `bufferize` does not have."""
    target = UNIVERSE.all_targets["bufferization-report"]()
    return options_table(target, {option.name for option in options(BufferizePass)})


def _reasons() -> str:
    """The reasons for copies and moves by their codes."""
    return table(
        ("code", "reason", "what helps"),
        ((f"`{code.label}`", code.about, code.helps) for code in Code),
    )


_LISTS: Mapping[str, Callable[[], str]] = {
    "stages of bufferize": stages_table,
    "rewrites of eliminate-copies": _rewrites,
    "bufferize as single passes": _commands,
    "own options of the report": _options_of_the_report,
    "reasons for copies and moves": _reasons,
    "peaks after each stage": peaks_table,
}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("usage: python -m documentation.inserts")
    for path in pages():
        path.write_text(updated(path.read_text()))
