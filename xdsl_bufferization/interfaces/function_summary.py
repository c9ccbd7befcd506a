"""The effects of a function, as its callers know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class FunctionSummary(NamedTuple):
    """
    The effects of a function on the buffers of its tensor arguments.

    Arguments and results are named by their index among all of the function's.
    """

    reads: Sequence[bool]
    """For each argument, whether the function reads its buffer."""
    writes: Sequence[bool]
    """For each argument, whether the function writes its buffer."""
    returns: Sequence[Sequence[int]]
    """For each argument, the results that may share its buffer."""
    equivalent: Sequence[int | None]
    """For each result, the argument whose buffer it is; `None` if it may be another."""
    writable: Sequence[bool]
    """For each result, whether the caller may write its buffer."""
    shared: Sequence[Sequence[int]] = ()
    """Groups of results that may share memory with each other."""
    identical: Sequence[Sequence[int]] = ()
    """Those of the groups whose results are always one buffer."""
    donated: Mapping[int, int] = MappingProxyType({})
    """
    By result, the argument that is donated for it: unlike other results that are equivalent
    to an argument, callers are never given a copy, to be freed by them.
    """
