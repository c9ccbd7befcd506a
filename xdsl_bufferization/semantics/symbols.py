"""What the names in a program stand for."""

from __future__ import annotations

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.semantics.errors import MissingSemanticsError


def symbol(op: Operation, name: Attribute | None, kind: str) -> Operation:
    """
    What the op calls by the name, in the closest symbol table around it. Raises
    `MissingSemanticsError` if there is none; `kind` says what it should be.
    """
    table = op.parent_op()
    # To xDSL any op that nobody registered is a symbol table.
    while table and not table.has_trait(SymbolTable, value_if_unregistered=False):
        table = table.parent_op()
    if table is not None and isinstance(name, SymbolRefAttr):
        found = SymbolTable.lookup_symbol(table, name)
        if found is not None:
            return found
    raise MissingSemanticsError(f"there is no {kind} {name}")
