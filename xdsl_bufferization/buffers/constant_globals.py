"""Which `memref.global`s never change."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.dialects import memref
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import symbol_table_around
from xdsl_bufferization.support.walk import walk_all


def constant_globals(module: Operation) -> AbstractSet[Operation]:
    """The `memref.get_global`s of globals that are constant, in all modules within this one."""
    constants: set[tuple[Operation | None, str]] = set()
    uses: list[memref.GetGlobalOp] = []
    for op in walk_all([module]):
        if isinstance(op, memref.GetGlobalOp):
            uses.append(op)
        elif isinstance(op, memref.GlobalOp) and op.constant is not None:
            constants.add((symbol_table_around(op), op.sym_name.data))
    return {
        op
        for op in uses
        if (symbol_table_around(op), op.name_.string_value()) in constants
    }
