"""Element types as NumPy calls them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
)
from xdsl.ir import Attribute

Array: TypeAlias = npt.NDArray[Any]


def dtype_of(element: Attribute) -> np.dtype[Any]:
    """
    The type of arrays with such elements, which lie in memory as on the machines that
    mlir-runner compiles for. Raises `ValueError` if NumPy has none.
    """
    match element:
        case Float16Type():
            return np.dtype(np.float16)
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case IndexType():
            return np.dtype(np.int64)
        case IntegerType() if element.bitwidth == 1:
            return np.dtype(np.bool_)
        case IntegerType() if element.bitwidth in (8, 16, 32, 64):
            return np.dtype(f"i{element.bitwidth // 8}")
        case _:
            raise ValueError(f"no NumPy type for {element}")
