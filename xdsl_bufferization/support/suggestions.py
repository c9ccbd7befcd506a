"""Names that a misspelt one may stand for."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl_bufferization.support.names import escaped


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The question whether the most similar of the names was meant; empty if none is similar."""
    similar = similar_to(name, names)
    return f"did you mean '{escaped(similar)}'?" if similar else ""


def similar_to(name: str, names: Iterable[str]) -> str:
    """The most similar of the names; empty if none is similar."""
    # Only wrong input needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(names), 1)), "")


def no_such_pass(name: str, passes: Iterable[str]) -> str:
    """The message about a pass that does not exist."""
    suggestion = did_you_mean(name, passes)
    return f"there is no pass '{escaped(name)}'" + (
        f"; {suggestion}" if suggestion else ""
    )
