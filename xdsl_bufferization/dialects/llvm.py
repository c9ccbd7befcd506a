"""
xDSL's `llvm` dialect, with attributes that it lacks: memory spaces of memrefs, and what later
passes of MLIR say about loops and aliasing.

Source: https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.text_attributes import text_attributes
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(attributes=text_attributes("llvm"))
