"""
The attributes that the bufferization dialect has for ops and arguments of other dialects.

MLIR verifies them when it parses a program. Here a command that calls this package does, and so
do the passes that read them, for programs that were not parsed by such a command.

Source: `BufferizationDialect::verifyOperationAttribute` and `verifyRegionArgAttribute`,
https://mlir.llvm.org/docs/DefiningDialects/#discardable-attributes
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BoolAttr,
    MemRefLayoutAttr,
    StringAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.buffer_effects import (
    TOUCHES_ONLY,
    BufferEffect,
    effect_on,
    has_buffers,
    has_known_effects,
)
from xdsl_bufferization.interfaces.bufferizable import ACCESS
from xdsl_bufferization.support.attributes import argument_attributes
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import identifier
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_memref_type

MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
"""
Attribute of ops that allocate or free memory, and that passes leave to the program.
"""

BUFFER_LAYOUT = "bufferization.buffer_layout"
"""Attribute of an argument: the layout of its buffer."""

_PREFIX = "bufferization."
_OF_OPS = MANUAL_DEALLOCATION, TOUCHES_ONLY
_ACCESSES = "none", "read", "write", "read-write"
_WRITABLE = "bufferization.writable"
_OF_ARGUMENTS = ACCESS, BUFFER_LAYOUT, _WRITABLE
_OURS = "bufferize."
_OURS_OF_ARGUMENTS = (
    "bufferize.aliasing_result",
    "bufferize.arena",
    "bufferize.arena_size",
    "bufferize.result",
)
"""Attributes of arguments that only this package has; their values are verified where read."""


def is_of_dialect(name: str) -> bool:
    """Whether an attribute of the name is one of the bufferization dialect."""
    return name.startswith(_PREFIX)


def verify_attributes(module: Operation) -> None:
    """
    Raises `BufferizationError` if an op in the module, or an argument of a function, has an
    attribute that the dialect lacks.
    """
    for op in walk([module]):
        if op.attributes:
            verify_op_attributes(op)
        if is_function(op):
            verify_argument_attributes(op)


def verify_op_attributes(op: Operation) -> None:
    """Raises `BufferizationError` if the op has an attribute that the dialect lacks."""
    for name in op.attributes:
        if is_of_dialect(name) and name not in _OF_OPS:
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


def verify_argument_attributes(function: Operation) -> None:
    """
    Raises `BufferizationError` if an argument of the function, of whatever dialect, has an
    attribute, or a value of one, that the dialect lacks.
    """
    for index, attributes in enumerate(argument_attributes(function)):
        for name, value in attributes.items():
            if name.startswith((_PREFIX, _OURS)) and (
                wanted := _wanted(function, name, value)
            ):
                raise BufferizationError(
                    function,
                    f"has the attribute {identifier(name)} = {value} for argument #{index}",
                    hint=wanted,
                )


def _wanted(function: Operation, name: str, value: Attribute) -> str:
    """The values that an attribute of an argument may have; empty if it has one of them."""
    if name == _WRITABLE:
        if value not in (BoolAttr.from_bool(False), BoolAttr.from_bool(True)):
            return f"give {name} the value true or false"
        if not any(region.blocks for region in function.regions):
            return f"the function has no body: {ACCESS} says what it does to the buffer"
    elif name == ACCESS:
        if not isinstance(value, StringAttr) or value.data not in _ACCESSES:
            return f"the values of {name} are {', '.join(_ACCESSES)}"
    elif name == BUFFER_LAYOUT:
        # Models verify the layout together with the argument's type.
        if not isinstance(value, MemRefLayoutAttr):
            return f"give {name} an affine map or strides"
    elif name not in _OURS_OF_ARGUMENTS:
        return f"arguments may have {_listed(_OF_ARGUMENTS + _OURS_OF_ARGUMENTS)}"
    return ""


def _listed(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"
