"""
The attributes that the bufferization dialect has for ops and arguments of other dialects.

MLIR verifies them when it parses a program; here they are verified by the passes that read
them.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.buffer_effects import (
    TOUCHES_ONLY,
    BufferEffect,
    effect_on,
    has_buffers,
    has_known_effects,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memory_effects import memory_effects
from xdsl_bufferization.support.names import identifier
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_memref_type
from xdsl_bufferization.support.walk import walk

MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
"""
Attribute of ops that allocate or free memory, and that passes leave to the program.
"""

BUFFER_LAYOUT = "bufferization.buffer_layout"
"""Attribute of an argument: the layout of its buffer."""

_PREFIX = "bufferization."
_OF_OPS = MANUAL_DEALLOCATION, TOUCHES_ONLY
_ACCESSES = "none", "read", "write", "read-write"
_OF_ARGUMENTS = (
    "bufferization.access",
    BUFFER_LAYOUT,
    "bufferization.writable",
)


def verify_attributes(module: Operation) -> None:
    """
    Raises `BufferizationError` if an op in the module, or an argument of a function, has an
    attribute that the dialect lacks.
    """
    for op in walk([module]):
        if op.attributes:
            verify_op_attributes(op)
        if isinstance(op, FuncOp):
            verify_argument_attributes(op)


def verify_op_attributes(op: Operation) -> None:
    """Raises `BufferizationError` if the op has an attribute that the dialect lacks."""
    for name in op.attributes:
        if name.startswith(_PREFIX) and name not in _OF_OPS:
            raise BufferizationError(
                op,
                f"has an attribute {identifier(name)}, which ops do not have",
                hint=f"ops may have {_listed(_OF_OPS)}, and arguments of functions "
                f"{_listed(_OF_ARGUMENTS)}",
            )
    if (
        MANUAL_DEALLOCATION in op.attributes
        and (has_known_effects(op) or not has_buffers(op))
        and not _allocates_or_frees(op)
    ):
        raise BufferizationError(
            op,
            f"has the attribute {MANUAL_DEALLOCATION}, but neither allocates nor frees "
            "memory",
            hint="give it to the ops that do",
        )


def _allocates_or_frees(op: Operation) -> bool:
    if not has_buffers(op) and has_tensor_semantics(op):
        return False  # The attribute would be lost with the op.
    return (
        bool(allocated_by(op))
        or any(
            effect.kind in (MemoryEffectKind.ALLOC, MemoryEffectKind.FREE)
            for effect in memory_effects(op) or ()
        )
        or any(
            BufferEffect.FREE in (effect_on(op, index) or BufferEffect.NONE)
            for index, operand in enumerate(op.operands)
            if is_memref_type(operand.type)
        )
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
                    f"has the attribute {identifier(name)} = {value} for argument #{index}",
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
