"""
The attributes that the bufferization dialect has for ops and arguments of other dialects.

MLIR verifies them when it parses a program; here they are verified by the passes that read
them.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.diagnostics import BufferizationError

BUFFER_LAYOUT = "bufferization.buffer_layout"
"""Attribute of an argument: the layout of its buffer."""

_PREFIX = "bufferization."
_OF_OPS = "bufferization.manual_deallocation", "bufferization.touches_only"
_ACCESSES = "none", "read", "write", "read-write"
_OF_ARGUMENTS = (
    "bufferization.access",
    BUFFER_LAYOUT,
    "bufferization.writable",
)


def verify_op_attributes(op: Operation) -> None:
    """Raises `BufferizationError` if the op has an attribute that the dialect lacks."""
    for name in op.attributes:
        if name.startswith(_PREFIX) and name not in _OF_OPS:
            raise BufferizationError(
                op,
                f"has an attribute {name}, which ops do not have",
                hint=f"ops may have {_listed(_OF_OPS)}, and arguments of functions "
                f"{_listed(_OF_ARGUMENTS)}",
            )


def verify_argument_attributes(function: FuncOp) -> None:
    """
    Raises `BufferizationError` if an argument has an attribute, or a value of one, that the
    dialect lacks.
    """
    if function.arg_attrs is None:
        return
    for index, attributes in enumerate(function.arg_attrs):
        for name, value in attributes.data.items():
            if name.startswith(_PREFIX) and (wanted := _wanted(name, value)):
                raise BufferizationError(
                    function,
                    f"has the attribute {name} = {value} for argument #{index}",
                    hint=wanted,
                )


def _wanted(name: str, value: Attribute) -> str:
    """What to give instead of the attribute of an argument; empty if it is right."""
    match name.removeprefix(_PREFIX):
        case "writable":
            is_right = value in (BoolAttr.from_bool(False), BoolAttr.from_bool(True))
            return "" if is_right else f"give {name} the value true or false"
        case "access":
            is_right = isinstance(value, StringAttr) and value.data in _ACCESSES
            return (
                "" if is_right else f"the values of {name} are {', '.join(_ACCESSES)}"
            )
        case "buffer_layout":
            # Models verify it together with the argument's type.
            return ""
        case _:
            return f"arguments may have {_listed(_OF_ARGUMENTS)}"


def _listed(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"
