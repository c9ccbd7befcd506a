"""
xDSL's `dlti` dialect, which also reads entries with their own name.

Source: https://mlir.llvm.org/docs/Dialects/DLTIDialect/
"""

from __future__ import annotations

from xdsl_bufferization.host.extensions import Extension

EXTENSION = Extension(repair="dlti_entries")
"""No ops: what is wrong is in the base of xDSL's attribute classes."""
