"""Dialects that are xDSL's, with ops of ours replacing or added to xDSL's."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation


def superset(
    base: Dialect,
    *,
    replacing: Sequence[type[Operation]] = (),
    adding: Sequence[type[Operation]] = (),
) -> Dialect:
    """
    A dialect with all of `base`, under the same name.

    An op of `replacing` takes the place of the op of `base` of the same name, if there
    is one. An op of `adding` is for a `base` that lacks it, and gives way to one that a
    later xDSL brings.
    """
    operations = {op.name: op for op in adding}
    operations.update((op.name, op) for op in base.operations)
    operations.update((op.name, op) for op in replacing)
    return Dialect(
        base.name,
        list(operations.values()),
        list(base.attributes),
        base._interfaces,  # pyright: ignore[reportPrivateUsage] # no other access
    )


class Redefinition(IRDLOperation):
    """
    First base of an op that redefines an op of xDSL's, which is its second base.

    xDSL's passes, and others', match ops by class (`isinstance(op, ToTensorOp)`), so what
    is parsed has to be of a subclass of xDSL's class. IRDL allows that if the subclass
    defines every field and `verify_` anew, and if the parser and printer that IRDL made
    for the superclass are out of sight: it takes them for written ones, which an assembly
    format excludes.
    """

    parse = vars(Operation)["parse"]
    print = Operation.print


def share_traits(op: type[Operation], base: type[Operation]) -> None:
    """
    Give xDSL's class the traits of the op that redefines it: xDSL's passes build ops of
    that class, which then have the same memory effects and canonicalization patterns as
    those that are parsed.
    """
    for trait in op.traits:
        base.traits.add_trait(trait)
