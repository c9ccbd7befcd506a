"""
Frees what a bufferized program allocates.

Source: the pass `ownership-based-buffer-deallocation` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes, and
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    with_donated_arguments,
)
from xdsl_bufferization.memrefs.deallocation.ownership import hides_parts
from xdsl_bufferization.memrefs.deallocation.ownership_deallocs import free_owned_memory
from xdsl_bufferization.support.call_graph import is_private
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(BufferizationPass, OwnershipOptions):
    """
    Insert `bufferization.dealloc` for what is allocated, and `bufferization.clone` where
    a function returns memory that its caller could not free. Arguments that are donated for
    results (`bufferize.aliasing_result`) are returned as they are.

    Memory that tensors are made from is freed after the last op that uses one of these, or a
    tensor computed in their memory. If one is yielded, returned, or passed to a block, the memory
    is left to the program, and a remark says so. The same holds for memory whose memref or
    pointer is stored in memory; a memref that is loaded from memory is not owned.
    """

    name = "ownership-based-buffer-deallocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        free_memory(op, self, lowered=False)


def insert_deallocs(
    module: Operation,
    *,
    private_function_dynamic_ownership: bool = False,
    touches_only: Iterable[str] = (),
) -> None:
    """
    Free what the functions of a module allocate; the options are those of the pass.

    Raises `BufferizationError`, and leaves the module as it is, if it is unknown what an op
    allocates or frees, the program contradicts itself, or a function does not return an
    argument that is donated for a result.
    """
    options = OwnershipOptions(
        touches_only=tuple(touches_only),
        private_function_dynamic_ownership=private_function_dynamic_ownership,
    )
    with explained("insert_deallocs", checked("insert_deallocs", module, Operation)):
        free_memory(module, options, lowered=False)


def free_memory(module: Operation, options: OwnershipOptions, *, lowered: bool) -> None:
    """
    Do what `insert_deallocs` does. If `lowered`, memory that is owned always is freed as it is
    after `bufferization-lower-deallocations`.
    """

    def change(flows: MemrefFlows, donated: AbstractSet[SSAValue]) -> None:
        # These return an `i1` for each memref.
        dynamic = {
            function
            for function in flows.calls.functions
            if options.private_function_dynamic_ownership
            and is_private(function)
            and flows.calls.may_change(function)
        }
        verify_attributes(module)
        parts = cache(partial(hides_parts, module)) if lowered else None
        free_owned_memory(flows, options.touches_only, donated, dynamic, parts)

    with_donated_arguments(module, change)
