"""Which `memref.global`s never change."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.dialects import memref
from xdsl.ir import Operation

from xdsl_bufferization.support.walk import walk_all


def constant_globals(module: Operation) -> AbstractSet[str]:
    """The names of globals that are constant, in all modules within this one."""
    constants: set[str] = set()
    variables: set[str] = set()
    for op in walk_all([module]):
        if isinstance(op, memref.GlobalOp):
            names = variables if op.constant is None else constants
            names.add(op.sym_name.data)
    return constants - variables
