"""
What is read and written through memrefs that are given out of tensors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.verification.memory_locations import MemoryLocation
from xdsl_bufferization.verification.memory_map import MemoryMap
from xdsl_bufferization.verification.sources import Sources


class MemrefGroup(NamedTuple):
    """Memrefs of which an op may access any, when it accesses one."""

    tensors: Mapping[SSAValue, SSAValue]
    """By memref: the tensor that it is given out of."""
    written: Collection[MemoryLocation]
    """Where a write through one of the memrefs may be."""


class MemrefGroups:
    """The groups of memrefs, each described when it is asked for, and once."""

    def __init__(self, sources: Sources, memory: MemoryMap):
        self._sources = sources
        self._memory = memory
        self._groups: dict[int, MemrefGroup] = {}

    def __getitem__(self, number: int) -> MemrefGroup:
        if number not in self._groups:
            memrefs = self._sources.memrefs.groups[number]
            written = {
                self._memory.location(memref): None
                for memref, _ in memrefs
                if not self._sources.of[memref][0].keeps_contents
            }
            tensors: dict[SSAValue, SSAValue] = {
                memref: memref.op.operands[operand] for memref, operand in memrefs
            }
            self._groups[number] = MemrefGroup(tensors, written)
        return self._groups[number]
