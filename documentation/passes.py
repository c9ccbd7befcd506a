"""The pages of the passes: what their classes say of them, and their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from xdsl.passes import ModulePass

from documentation.inserts import stages_table
from documentation.options import options_table
from documentation.pages import (
    Page,
    docstring,
    first_paragraph,
    navigation,
    page,
    table,
)
from xdsl_bufferization.universe import UNIVERSE

DOCS = Path(__file__).parents[1] / "docs"


@dataclass(frozen=True)
class Group:
    """Passes for one purpose."""

    title: str
    guide: str
    """The page in `docs` that says when to use them."""
    passes: tuple[str, ...]

    @property
    def link(self) -> str:
        """A link to the guide, from the folder of the pages of passes."""
        title, _, _ = (DOCS / self.guide).read_text().partition("\n")
        return f"[{title.removeprefix('# ')}](../../{self.guide})"


GROUPS = (
    Group("All in one", "ten-minutes.md", ("bufferize",)),
    Group("Bufferizing", "one-shot-bufferize.md", ("one-shot-bufferize",)),
    Group(
        "On tensors",
        "tensor-passes.md",
        (
            "convert-elementwise-to-linalg",
            "drop-iteration-arguments",
            "eliminate-copies",
            "eliminate-empty-tensors",
            "eliminate-moves",
            "fuse-for-memory",
            "linalg-fuse-elementwise-ops",
            "reorder-for-memory",
            "split-at-peak",
            "tensor-copy-insertion",
            "test-tensor-copy-insertion",
        ),
    ),
    Group(
        "Freeing",
        "deallocation.md",
        (
            "buffer-deallocation-pipeline",
            "expand-realloc",
            "ownership-based-buffer-deallocation",
            "buffer-deallocation-simplification",
            "bufferization-lower-deallocations",
            "convert-bufferization-to-memref",
            "optimize-allocation-liveness",
        ),
    ),
    Group("Freeing with copies", "buffer-deallocation.md", ("buffer-deallocation",)),
    Group(
        "Placing",
        "placement.md",
        (
            "buffer-hoisting",
            "buffer-loop-hoisting",
            "promote-buffers-to-stack",
            "plan-static-memory",
            "buffer-results-to-out-params",
            "drop-equivalent-buffer-results",
        ),
    ),
    Group("Removing copies", "copy-removal.md", ("copy-removal",)),
    Group("Verifying", "verification.md", ("verify-bufferization-decisions",)),
    Group(
        "One dialect at a time",
        "dialect-conversion.md",
        (
            "arith-bufferize",
            "tensor-constant-bufferize",
            "bufferization-bufferize",
            "func-bufferize",
            "linalg-bufferize",
            "scf-bufferize",
            "tensor-bufferize",
            "std-bufferize",
            "finalizing-bufferize",
        ),
    ),
)


def pages() -> Iterator[Page]:
    """
    A page for each pass that `xdsl-opt` finds, one that lists them, and the navigation.

    Raises `LookupError` if a pass belongs to no group.
    """
    passes = {name: load() for name, load in UNIVERSE.all_passes.items()}
    grouped = [name for group in GROUPS for name in group.passes]
    if set(grouped) != set(passes):
        raise LookupError(
            "these are passes, or in a group of documentation/passes.py, but not both: "
            + ", ".join(sorted(set(grouped) ^ set(passes)))
        )
    yield page(
        "passes/index.md",
        "# Passes",
        "`xdsl-opt` knows them where this package is installed. "
        "What is said here is what the classes of the passes say.",
        *(_listed(group, passes) for group in GROUPS),
    )
    for group in GROUPS:
        for name in group.passes:
            yield _page(name, group, passes)
    yield navigation(
        "passes",
        [("All passes", "index.md"), *((name, f"{name}.md") for name in grouped)],
    )


def _listed(group: Group, passes: Mapping[str, type[ModulePass]]) -> str:
    rows = [
        (f"[`{name}`]({name}.md)", first_paragraph(docstring(passes[name])))
        for name in group.passes
    ]
    return f"## {group.title}\n\nWhen to use them: {group.link}.\n\n" + table(
        ("pass", "what it does"), rows
    )


def _page(name: str, group: Group, passes: Mapping[str, type[ModulePass]]) -> Page:
    pass_ = passes[name]
    return page(
        f"passes/{name}.md",
        f"# {name}",
        docstring(pass_),
        f"## Stages\n\n{stages_table()}" if name == "bufferize" else "",
        "## Options",
        options_table(pass_) or "None.",
        "## See also",
        f"- When to use it: {group.link}\n"
        f"- In Python: `{pass_.__module__}.{pass_.__name__}`",
    )
