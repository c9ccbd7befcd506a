"""
What a program does with memory, from its text: for programs that allocate, copy and free
outside of loops and branches, with known sizes, whose runs are all alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, allocated_by
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_memref_type


class NotStraightLineError(ValueError):
    """A program whose use of memory depends on how it runs."""


class MemoryUse(NamedTuple):
    """What one call of each function does with memory, the calls one after the other."""

    allocations: int = 0
    """On the heap."""
    allocated_bytes: int = 0
    stack_bytes: int = 0
    """What is allocated on the stack, in the function that needs most."""
    copies: int = 0
    copied_bytes: int = 0
    peak_bytes: int = 0
    """The most that is alive on the heap at one time, arguments not included."""
    written_bytes: int = 0
    """
    What ops write of memrefs of known size, copies included; of those in loops once, and
    without single elements.
    """


def memory_use(module: ModuleOp) -> MemoryUse:
    """
    What the module's functions do with memory.

    A clone is an allocation and a copy. Raises `NotStraightLineError` if an op that
    allocates, copies or frees is in a loop or a branch, or its sizes are not known, or if
    functions are called.
    """
    total = MemoryUse()
    for op in module.ops:
        if isinstance(op, func.FuncOp) and not op.is_declaration:
            use = _of_function(op)
            total = MemoryUse(
                total.allocations + use.allocations,
                total.allocated_bytes + use.allocated_bytes,
                max(total.stack_bytes, use.stack_bytes),
                total.copies + use.copies,
                total.copied_bytes + use.copied_bytes,
                max(total.peak_bytes, use.peak_bytes),
                total.written_bytes + use.written_bytes,
            )
    return total


def _of_function(function: func.FuncOp) -> MemoryUse:
    use = MemoryUse()
    alive: dict[SSAValue, int] = {}
    live_bytes = 0
    for op in walk([function]):
        if isinstance(op, func.CallOp):
            raise NotStraightLineError(
                f"{printed_symbol(function.sym_name.data)} calls a function"
            )
        allocated = [*allocated_by(op)]
        stack = [*_on_stack(op)]
        freed = [*_freed(op)]
        copy = CopyOpInterface.of(op)
        use = use._replace(written_bytes=use.written_bytes + _written(op))
        if not (allocated or stack or freed or copy):
            continue
        if op.parent is not function.body.blocks.first or len(function.body.blocks) > 1:
            raise NotStraightLineError(
                f"{printed_symbol(function.sym_name.data)} has a {op_name(op)} in a loop "
                "or a branch"
            )
        for value in freed:
            if value not in alive:
                raise NotStraightLineError(
                    f"{printed_symbol(function.sym_name.data)} frees what it may not have allocated"
                )
            live_bytes -= alive.pop(value)
        alive |= {value: size_in_bytes(value) for value in allocated}
        live_bytes += sum(alive[value] for value in allocated)
        use = use._replace(
            allocations=use.allocations + len(allocated),
            allocated_bytes=use.allocated_bytes + sum(alive[v] for v in allocated),
            stack_bytes=use.stack_bytes + sum(map(size_in_bytes, stack)),
            peak_bytes=max(use.peak_bytes, live_bytes),
        )
        if copy is not None:
            size = size_in_bytes(copy.source(op))
            use = use._replace(
                copies=use.copies + 1,
                copied_bytes=use.copied_bytes + size,
                written_bytes=use.written_bytes + (size if allocated else 0),
            )
    return use


def _on_stack(op: Operation) -> Iterator[SSAValue]:
    """What the op allocates that nobody has to free."""
    model = AllocationOpInterface.of(op)
    if model is not None and not model.is_freed(op):
        yield from model.allocated(op)


def _freed(op: Operation) -> Iterator[SSAValue]:
    """The memory that the op frees, as it was allocated."""
    for i, operand in enumerate(op.operands):
        if is_memref_type(operand.type) and effect_on(op, i) is BufferEffect.FREE:
            yield without_casts(operand)


def _written(op: Operation) -> int:
    """The bytes of the memrefs that the op writes."""
    if op_name(op) == "memref.store":
        return 0
    return sum(
        bytes_of_contents(operand) or 0
        for i, operand in enumerate(op.operands)
        if is_memref_type(operand.type)
        and (effect := effect_on(op, i)) is not None
        and BufferEffect.WRITE in effect
    )


def size_in_bytes(value: SSAValue) -> int:
    """
    The bytes of a memref's elements. Raises `NotStraightLineError` if they are not known.
    """
    if (size := bytes_of_contents(value)) is not None:
        return size
    raise NotStraightLineError("it has a memref of unknown size")
