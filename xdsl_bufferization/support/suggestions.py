"""Names that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl_bufferization.support.names import escaped


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The question whether the most similar of the names was meant; empty if none is similar."""
    # Only wrong input needs it.
    from difflib import get_close_matches

    similar = get_close_matches(name, list(names), 1)
    return f"did you mean '{escaped(similar[0])}'?" if similar else ""
