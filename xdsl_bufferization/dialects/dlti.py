"""
xDSL's `dlti` dialect, which also reads entries with their own name.

Source: https://mlir.llvm.org/docs/Dialects/DLTIDialect/
"""

from __future__ import annotations

from xdsl.dialects.dlti import DLTI

from xdsl_bufferization import repairs

repairs.apply("dlti")

__all__ = ["DLTI"]
