"""
Frees memory at points that are known at compile time, by copying where they are not.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }
    // a copy of %argument is yielded, and %r is freed after its last use

It is ownership-based deallocation without `i1`s: a memref that may or may not own its memory gets a
copy wherever it would not own it. Each round of copies is followed by another analysis, which finds
what is known then.

Source: the pass `buffer-deallocation` that MLIR had until LLVM 18,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12, "Buffer Deallocation - Internal
Functionality"
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.buffer_flow import (
    BufferFlow,
    Edge,
    EdgeKind,
    ForwardedMemref,
)
from xdsl_bufferization.memrefs.buffers.call_effects import CallEffects
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    with_donated_arguments,
)
from xdsl_bufferization.memrefs.deallocation.lowering import (
    lower,
)
from xdsl_bufferization.memrefs.deallocation.owners import Owned, Owners
from xdsl_bufferization.memrefs.deallocation.ownership import (
    Ownership,
    classes_of_targets,
    hides_parts,
)
from xdsl_bufferization.memrefs.deallocation.ownership_deallocs import (
    block_on,
    functions_with_buffers,
    insert_deallocs,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.options import DeallocationOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import DominatorTree, block_of, walk
from xdsl_bufferization.support.snapshots import all_or_nothing


@dataclass(frozen=True)
class BufferDeallocationPass(BufferizationPass, DeallocationOptions):
    """
    Insert `memref.dealloc` for all memory that is allocated, and copies so that it is known
    at compile time where to free it: what is forwarded to a block argument or a result that would
    own some of its buffers only is copied, unless it is owned.

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
    allocates or frees, if memory would have to be copied to a layout that nothing can be allocated
    with, or if a function does not return an argument that is donated for a result.
    """
    names = frozenset(touches_only)
    with explained("free_with_copies", checked("free_with_copies", module, Operation)):
        all_or_nothing(
            module,
            lambda _: with_donated_arguments(
                module, partial(_free_with_copies, module, names)
            ),
        )


def _free_with_copies(
    module: Operation,
    names: Container[str],
    flows: MemrefFlows,
    donated: AbstractSet[SSAValue],
) -> None:
    verify_attributes(module)
    parts = cache(partial(hides_parts, module))
    former = {op for op in walk([module]) if isinstance(op, CloneOp | DeallocOp)}
    found = [
        _copy_until_decided(function, names, flows.effects, donated)
        for function in functions_with_buffers(flows.calls)
    ]
    for ownership in found:
        insert_deallocs(ownership, parts, returns_flags=False)
    lower([op for op in walk([module]) if op not in former])


def _copy_until_decided(
    function: Operation,
    names: Container[str],
    calls: CallEffects,
    donated: AbstractSet[SSAValue],
) -> Ownership:
    """
    Copy what is forwarded to memrefs that do not always own their memory, unless they may borrow
    it; returns who owns memory then. Each call returns different memory for each result.
    """
    tree = DominatorTree(function.regions)
    borrowed: set[SSAValue] = set()
    while True:
        flow = BufferFlow(function, calls, complete=True, touches_only=names)
        distinct = frozenset(filter(is_call, flow.position))
        owners = Owners(flow, distinct=distinct, donated=donated, borrowed=borrowed)
        _check_reallocs(flow)
        ownership = Ownership(owners)
        copied = _to_copy(ownership)
        if borrowable := {*_borrowable(ownership, copied, tree)}:
            borrowed |= borrowable
        elif copied:
            _replace_by_sources(copied, flow, tree)
            tree = DominatorTree(function.regions)
        else:
            return ownership


def _check_reallocs(flow: BufferFlow) -> None:
    for op, _ in flow.frees:
        if allocated_by(op):
            raise BufferizationError(
                op,
                "frees memory and allocates other memory for it, so that it is not known "
                "what is left to be freed",
                hint="run expand-realloc with emit-deallocs=false first",
            )


def _to_copy(ownership: Ownership) -> Mapping[Edge, Sequence[int]]:
    """
    By edge: the indices of the forwarded memrefs to copy, so that more is known of who owns their
    memory.
    """
    for choose in (_not_owned, _undecided):
        copied = {
            edge: indices
            for edge in ownership.flow.all_edges()
            if (indices := sorted({*choose(ownership, edge)}))
        }
        if copied:
            return copied
    return {}


def _undecided(ownership: Ownership, edge: Edge) -> Iterator[int]:
    """Memrefs that may be memory that dies on the edge, or are returned as it twice."""
    for transfer in ownership.transfers(edge):
        first = 0 if transfer.owner.has_own_dealloc else 1
        yield from transfer.receivers[first:]
        yield from transfer.candidates


def _not_owned(ownership: Ownership, edge: Edge) -> Iterator[int]:
    """Memrefs without ownership, forwarded to what owns its memory on other edges."""
    for index, memref in enumerate(edge.memrefs):
        if ownership.forwarded(edge, index) is Owned.NEVER and any(
            ownership.owned(target) is Owned.AT_RUN_TIME for target in memref.targets
        ):
            yield index


def _borrowable(
    ownership: Ownership, copied: Mapping[Edge, Sequence[int]], tree: DominatorTree
) -> Iterator[SSAValue]:
    """
    The targets of copies that may do without: all that own the memory that is forwarded to them
    dominate them, and can be freed after their last use.

        %m = memref.alloc()
        cf.cond_br %c, ^bb1(%m), ^bb1(%argument)
        ^bb1(%x): ...    // %m is freed after the last use of %x
    """
    classes = classes_of_targets(ownership.flow)
    doubtful = {
        classes[target]
        for edge, indices in copied.items()
        for index in indices
        for target in edge.memrefs[index].targets
    }
    for edge in ownership.flow.all_edges() if doubtful else ():
        for index, memref in enumerate(edge.memrefs):
            for owner in ownership.given(edge, index):
                for target in memref.targets:
                    block = block_of(target)
                    # An argument may be memory of the execution of its block before.
                    is_carried = target.owner is owner.block
                    if is_carried or not tree.dominates(owner.block, block):
                        doubtful.discard(classes[target])
    return (target for target, of_class in classes.items() if of_class in doubtful)


def _replace_by_sources(
    forwarded: Mapping[Edge, Sequence[int]], flow: BufferFlow, tree: DominatorTree
) -> None:
    """
    Forward copies instead; or the memref itself, where control flow hands on no other:

        %r = scf.if %c { scf.yield %m } else { scf.yield %m }
        return %r    // return %m
    """
    sources: dict[SSAValue, set[SSAValue]] = {}
    for edge in flow.all_edges():
        for memref in edge.memrefs:
            for target in memref.targets:
                sources.setdefault(target, set()).add(memref.value)
    copied: dict[Edge, list[ForwardedMemref]] = {}
    for edge, indices in forwarded.items():
        for memref in (edge.memrefs[index] for index in indices):
            source = memref.value
            while len(only := sources.get(source, ())) == 1:
                (source,) = only
            if source is not memref.value and tree.dominates(
                block_of(source), edge.block
            ):
                edge.source.operands[memref.operand] = source
            else:
                copied.setdefault(edge, []).append(memref)
    # An edge that gets a block of its own changes the operands of its branch.
    for edge, memrefs in copied.items():
        _copy(edge, memrefs)


def _copy(edge: Edge, memrefs: Sequence[ForwardedMemref]) -> None:
    source, operands = edge.source, [memref.operand for memref in memrefs]
    if edge.kind is EdgeKind.BRANCH and len(source.successors) > 1:
        source = block_on(edge)
        arguments = (memref.targets[0] for memref in memrefs)
        operands = [a.index for a in arguments if isinstance(a, BlockArgument)]
    builder = builder_for(edge.source, InsertPoint.before(source))
    for operand in operands:
        clone = builder.insert(CloneOp(source.operands[operand]))
        source.operands[operand] = clone.output
