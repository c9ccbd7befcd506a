"""The page of the targets: what `xdsl-opt -t` prints instead of the program."""

from __future__ import annotations

from documentation.options import options_table
from documentation.pages import Page, docstring, page
from xdsl_bufferization.universe import UNIVERSE


def targets_page() -> Page:
    """The targets, with what their classes say of them, and their options."""
    sections: list[str] = []
    for name, load in sorted(UNIVERSE.all_targets.items()):
        target = load()
        sections += [
            f"## {name}",
            docstring(target),
            "### Options",
            options_table(target) or "None.",
        ]
    return page(
        "targets.md",
        "# Targets",
        "With `-t TARGET` `xdsl-opt` prints something else than the program. Of this "
        "package it knows",
        *(sections or ["none."]),
    )
