"""The options of passes and targets as a table."""

from __future__ import annotations

from collections.abc import Container

from documentation.pages import table
from xdsl_bufferization.support.pass_options import options


def options_table(kind: type, without: Container[str] = ()) -> str:
    """
    The options of a pass or target as a table, `without` those of some names; empty if there are
    none.
    """
    rows = [
        (
            f"`{option.name}`",
            option.takes,
            option.default if option.default == "none" else f"`{option.default}`",
            option.meaning.rstrip("."),
        )
        for option in options(kind)
        if option.name not in without
    ]
    return table(("option", "takes", "default", "meaning"), rows)
