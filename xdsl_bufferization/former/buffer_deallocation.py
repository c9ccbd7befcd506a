"""
Frees memory at points that are known at compile time, by copying where they are not.

Source: the pass `buffer-deallocation` that MLIR had until LLVM 18,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12, "Buffer Deallocation - Internal
Functionality"
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.calling_conventions.donated_arguments import (
    with_donated_arguments,
)
from xdsl_bufferization.former.deallocation.copies_and_deallocs import (
    insert_copies_and_deallocs,
    place_deallocs,
)
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.options import DeallocationOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.walk import walk


@dataclass(frozen=True)
class BufferDeallocationPass(BufferizationPass, DeallocationOptions):
    """
    Insert `memref.dealloc` for all memory that is allocated, and copies so that it is known
    at compile time where to free it: a block argument or a result that may be one of several
    buffers gets a copy instead, unless the allocations of all of them dominate it.

    A function owns what it allocates and what its calls return, and returns memory of its
    own: what it returns is copied unless it is such memory, or an argument that is donated
    for that result (`bufferize.aliasing_result`). It does not free its arguments, nor what
    an op of the program frees.

    After a copy, a write to one of the two memrefs is not seen through the other one: the
    program must not rely on aliasing there, and programs that come from tensors do not.
    `ownership-based-buffer-deallocation` copies nothing within a function; `copy-removal`, run
    after this pass, removes copies.
    """

    name = "buffer-deallocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        free_with_copies(op, touches_only=self.touches_only)


def free_with_copies(module: Operation, *, touches_only: Iterable[str] = ()) -> None:
    """
    Free what the functions of a module allocate.

    Raises `BufferizationError`, and leaves the module as it is, if it is unknown what an op
    allocates or frees, if blocks form a loop, if memory would have to be copied to a layout
    that nothing can be allocated with, or if a function does not return an argument that is
    donated for a result.
    """
    names = frozenset(touches_only)
    with explained("free_with_copies", checked("free_with_copies", module, Operation)):
        with_donated_arguments(
            module, lambda _, donated: _free_with_copies(module, names, donated)
        )


def _free_with_copies(
    module: Operation, names: Container[str], donated: AbstractSet[SSAValue]
) -> None:
    verify_attributes(module)
    functions = [op for op in functions_in(module) if _has_buffers_within(op)]
    calls = call_effects(module)
    placements = [
        place_deallocs(function, names, calls, donated) for function in functions
    ]
    for placement in placements:
        insert_copies_and_deallocs(placement, names, calls, donated)


def _has_buffers_within(function: Operation) -> bool:
    return any(has_buffers(op) for op in walk([function]) if op is not function)
