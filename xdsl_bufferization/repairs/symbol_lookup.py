"""Looking up a symbol without a scan of the symbol table each time."""

from __future__ import annotations

from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.traits import SymbolOpInterface, SymbolTable

_plain_lookup = SymbolTable.lookup_symbol
_known: WeakKeyDictionary[Operation, WeakValueDictionary[str, Operation]] = (
    WeakKeyDictionary()
)
"""By symbol table the symbols that were found in it, by name; some may be gone."""


def _lookup_symbol(
    op: Operation, name: str | StringAttr | SymbolRefAttr
) -> Operation | None:
    """See xDSL's `SymbolTable.lookup_symbol`."""
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    if table is None:
        return _plain_lookup(op, name)  # which says what is wrong
    nested: tuple[StringAttr, ...] = ()
    if isinstance(name, SymbolRefAttr):
        name, nested = name.root_reference, name.nested_references.data
    wanted = name if isinstance(name, str) else name.data
    known = _known.get(table)
    symbol = None if known is None else known.get(wanted)
    if (
        symbol is None
        or symbol.parent is not table.regions[0].block
        or _name(symbol) != wanted
    ):
        _known[table] = symbols = _symbols(table)
        symbol = symbols.get(wanted)
    if symbol is None or not nested:
        return symbol
    return _lookup_symbol(symbol, SymbolRefAttr(nested[0], nested[1:]))


def _symbols(table: Operation) -> WeakValueDictionary[str, Operation]:
    """The symbols by name; of several with one name the first, as a lookup finds it."""
    symbols: WeakValueDictionary[str, Operation] = WeakValueDictionary()
    for op in table.regions[0].block.ops:
        if (name := _name(op)) is not None:
            symbols.setdefault(name, op)
    return symbols


def _name(op: Operation) -> str | None:
    interface = op.get_trait(SymbolOpInterface)
    name = None if interface is None else interface.get_sym_attr_name(op)
    return None if name is None else name.data


class _CountingInterface(SymbolOpInterface):
    asked = 0

    def get_sym_attr_name(self, op: Operation) -> StringAttr | None:
        type(self).asked += 1
        return super().get_sym_attr_name(op)


@irdl_op_definition
class _CountingOp(IRDLOperation):
    """A symbol that counts how often lookups ask for its name."""

    name = "bufferization_probe.symbol"
    sym_name = prop_def(StringAttr)
    traits = traits_def(_CountingInterface())


def is_broken() -> bool:
    table = ModuleOp(
        [_CountingOp(properties={"sym_name": StringAttr(n)}) for n in "ab"]
    )
    SymbolTable.lookup_symbol(table, "b")
    _CountingInterface.asked = 0
    SymbolTable.lookup_symbol(table, "b")
    return _CountingInterface.asked > 1


def mend() -> None:
    SymbolTable.lookup_symbol = staticmethod(_lookup_symbol)
