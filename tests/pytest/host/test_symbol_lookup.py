"""Symbols are found as xDSL finds them."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.traits import SymbolTable

from xdsl_bufferization.host import repairs


def named(name: str, *ops: ModuleOp) -> ModuleOp:
    return ModuleOp([*ops], sym_name=StringAttr(name))


def test_symbols_are_found():
    repairs.apply()
    inner = named("x")
    first, second = named("a", inner), named("b")
    table = ModuleOp([first, second])

    assert SymbolTable.lookup_symbol(table, "b") is second
    assert SymbolTable.lookup_symbol(table, StringAttr("a")) is first
    assert SymbolTable.lookup_symbol(table, SymbolRefAttr("a", ["x"])) is inner
    assert SymbolTable.lookup_symbol(table, "x") is None
    assert SymbolTable.lookup_symbol(inner, "x") is None


def test_what_has_changed_since_is_seen():
    repairs.apply()
    first, second = named("a"), named("b")
    table = ModuleOp([first, second])
    assert SymbolTable.lookup_symbol(table, "a") is first

    first.detach()
    assert SymbolTable.lookup_symbol(table, "a") is None
    second.properties["sym_name"] = StringAttr("a")
    assert SymbolTable.lookup_symbol(table, "a") is second
    assert SymbolTable.lookup_symbol(table, "b") is None
    table.body.block.add_op(first)
    assert SymbolTable.lookup_symbol(table, "a") is second
