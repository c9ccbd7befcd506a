"""The page of the targets: what `xdsl-opt -t` prints instead of the program."""

from __future__ import annotations

from documentation.options import options_table, without_options
from documentation.pages import Page, docstring, page
from xdsl_bufferization.universe import UNIVERSE


def targets_page() -> Page:
    """The targets, with what their classes say of them, and their options."""
    passes = {name: load() for name, load in UNIVERSE.all_passes.items()}
    sections: list[str] = []
    for name, load in sorted(UNIVERSE.all_targets.items()):
        target = load()
        sections += [
            f"## {name}",
            without_options(docstring(target)),
            "### Options",
            options_table(target, passes),
        ]
    return page(
        "targets.md",
        "# Targets",
        "With `-t TARGET` `xdsl-opt` prints something else than the program. Of this "
        "package it knows",
        *(sections or ["none."]),
    )
