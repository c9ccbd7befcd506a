"""
The op that a refusal is about, in the program as it came: passes may have made it, or cloned the
program, before they refused it.

    %r = tensor.insert %x into %t[%i] : tensor<4xf32>   // in the caller's module: this op
    memref.store %x, %m[%i] : memref<4xf32>             // refused: made for that one

Passes give an op the location of the op whose work it does, so the location tells. Programs that
are made in Python may have none; then the name tells, if one op in the function has it. The
cost is linear in the ops of the program, once for a program that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.walk import ancestors, walk_all

_SYMBOL = "sym_name"


def op_before(
    op: Operation, before: Operation, built: Mapping[Operation, Operation]
) -> Operation:
    """
    The op in `before`, a program as it came, that `op` is or was made for: an op of the program
    that passes have changed. Failing that, the function, or the module, around it.

    `built` maps ops of the changed program to the same ops in `before`.
    """
    if op in built:
        return built[op]
    if (same := _of_location(op, before)) is not None:
        return same
    around = next(_around(op, before, built), before)
    alike = [
        other
        for other in walk_all([around])
        if other is not around and op_name(other) == op_name(op)
    ]
    return alike[0] if len(alike) == 1 else around


def _of_location(op: Operation, before: Operation) -> Operation | None:
    """An op with the location, one of the same name rather than others."""
    if isinstance(op.location, UnknownLoc):
        return None
    there = [other for other in walk_all([before]) if other.location == op.location]
    named_alike = (other for other in there if op_name(other) == op_name(op))
    return next(named_alike, there[0] if there else None)


def _around(
    op: Operation, before: Operation, built: Mapping[Operation, Operation]
) -> Iterator[Operation]:
    """The ops of `before` that are around `op`, innermost first; of clones, those with symbols."""
    symbols: dict[tuple[Attribute, ...], Operation] = {}
    for other in walk_all([before]):
        if other.get_attr_or_prop(_SYMBOL) is not None:
            symbols.setdefault(_symbols(other), other)
    for ancestor in [*ancestors(op)][1:]:
        if ancestor in built:
            yield built[ancestor]
        elif (named := symbols.get(_symbols(ancestor))) is not None:
            yield named


def _symbols(op: Operation) -> tuple[Attribute, ...]:
    """The symbol of the op, and those around it, as modules may use a name again."""
    symbols = (around.get_attr_or_prop(_SYMBOL) for around in ancestors(op))
    return (*filter(None, symbols),)
