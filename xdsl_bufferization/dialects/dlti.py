"""
xDSL's `dlti` dialect, which also reads entries with their own name.

Source: https://mlir.llvm.org/docs/Dialects/DLTIDialect/
"""

from __future__ import annotations

from xdsl.ir import Dialect

from xdsl_bufferization import repairs
from xdsl_bufferization.support.extensions import Extension


class _Repaired(Extension):
    """No ops: what is wrong is in the base of xDSL's attribute classes."""

    def redefining(self, dialect: Dialect) -> Dialect:
        repairs.make("dlti_entries")
        return dialect


EXTENSION = _Repaired()
