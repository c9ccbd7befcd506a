"""Names of ops, whether a dialect defines them or not."""

from __future__ import annotations

from collections.abc import Container

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation


def op_name(op: Operation) -> str:
    """The op's full name, also where no dialect defines the op."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def is_named(op: Operation, names: Container[str]) -> bool:
    """Whether the op's name is one of these, or `dialect.*` for its dialect is."""
    name = op_name(op)
    return name in names or f"{name.split('.')[0]}.*" in names
