"""Calling a bufferized network with NumPy, by its C interface."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.peer.numpy_types import Array

ALIGNMENT = 64


def descriptor(array: Array) -> ctypes.Array[ctypes.c_int64]:
    """What C calls `memref_...`: all of its fields have 64 bits."""
    strides = (stride // array.itemsize for stride in array.strides)
    address = array.ctypes.data
    fields = (address, address, 0, *array.shape, *strides)
    return (ctypes.c_int64 * len(fields))(*fields)


def arena(bytes: int) -> Array:
    """Memory with the alignment of an arena."""
    memory = np.empty(bytes + ALIGNMENT, np.int8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + bytes]


def arena_bytes(header: Path) -> int:
    """The size of the arena of the only function of a header."""
    found = re.search(r"_ARENA_BYTES (\d+)$", header.read_text(), re.M)
    return int(found[1]) if found else 0


class Function:
    """A function of a shared library, with the arrays that it reads and writes."""

    def __init__(self, library: Path, name: str, arrays: Sequence[Array]):
        self._function = getattr(ctypes.CDLL(str(library)), f"_mlir_ciface_{name}")
        self._arrays = arrays
        self._arguments = [ctypes.byref(descriptor(array)) for array in arrays]

    def __call__(self) -> None:
        self._function(*self._arguments)
