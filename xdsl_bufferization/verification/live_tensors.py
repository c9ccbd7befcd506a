"""
The tensors that may still be read, by the memory that they may be in.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from xdsl_bufferization.support.limits import MAX_INDEXED_ROOTS
from xdsl_bufferization.verification.memory_locations import Root, Roots
from xdsl_bufferization.verification.memory_map import MemoryMap


class LiveTensors:
    """
    The tensors that are live where the analysis is, indexed by their roots.

    Where branches join again and again, and each brings new memory, a tensor has as many
    roots as there are branches before it. Such tensors are kept apart, and found for each
    write: there are few of them at a time.
    """

    def __init__(self, memory: MemoryMap):
        self._memory = memory
        self._all: dict[SSAValue, None] = {}
        self._by_root: dict[Root, dict[SSAValue, None]] = {}
        self._with_many_roots: dict[SSAValue, None] = {}

    def add(self, value: SSAValue) -> None:
        """The tensor is live from now on."""
        self._all[value] = None
        roots = self._memory.location(value).roots
        if len(roots) > MAX_INDEXED_ROOTS:
            MAX_INDEXED_ROOTS.met()
            self._with_many_roots[value] = None
            return
        for root in roots:
            self._by_root.setdefault(root, {})[value] = None

    def remove(self, value: SSAValue) -> None:
        """The tensor is not live any more."""
        self._all.pop(value, None)
        roots = self._memory.location(value).roots
        if len(roots) > MAX_INDEXED_ROOTS:
            self._with_many_roots.pop(value, None)
            return
        for root in roots:
            self._by_root.get(root, {}).pop(value, None)

    def in_roots(self, roots: Roots) -> Iterable[SSAValue]:
        """The live tensors that may be in one of the roots, and perhaps others."""
        if len(self._all) <= len(roots):
            return [*self._all]
        found = self._with_many_roots.copy()
        for root in roots:
            found.update(self._by_root.get(root, {}))
        return found
