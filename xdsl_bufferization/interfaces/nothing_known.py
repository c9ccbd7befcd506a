"""What a model is told about a program that is not analysed."""

from __future__ import annotations

from typing import Final

from xdsl_bufferization.interfaces.bufferizable import AnalysisState


class _NothingKnown(AnalysisState):
    """Gives the answers that are given without an analysis."""


NOTHING_KNOWN: Final = _NothingKnown()
"""The state of a program of which nothing is known."""
