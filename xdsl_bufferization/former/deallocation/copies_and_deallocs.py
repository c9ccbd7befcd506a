"""
The copies and the deallocs that `buffer-deallocation` inserts into a function.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet

from xdsl.builder import Builder
from xdsl.dialects import cf, memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.deallocation.contradictory_frees import check_frees, definition
from xdsl_bufferization.deallocation.left_memory import handed_over
from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.former.copies.block_points import START
from xdsl_bufferization.former.deallocation.critical_aliases import (
    CriticalAliases,
    Slot,
)
from xdsl_bufferization.former.deallocation.dealloc_placement import DeallocPlacement
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    allocated_by,
    insert_dealloc,
)
from xdsl_bufferization.interfaces.region_branch import BranchOpInterface
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import is_cast_guaranteed
from xdsl_bufferization.support.names import is_named
from xdsl_bufferization.support.regions import block_of, region_of, terminator_of
from xdsl_bufferization.support.shaped_types import ranked_memref


def place_deallocs(
    function: Operation,
    touches_only: Container[str],
    calls: CallEffects,
    donated: AbstractSet[SSAValue] = frozenset(),
) -> DeallocPlacement:
    """
    The copies to make and the places to free; `calls` says what calls free and store, and
    `donated` are results of calls that are operands. Raises `BufferizationError` as the pass does.
    """
    flow = BufferFlow(function, lambda op: is_named(op, touches_only), calls=calls)
    check_frees(flow)
    tree = DominatorTree(function.regions)
    _check_loops(flow, tree)
    _check_ops(flow)
    aliases = CriticalAliases(flow, tree, donated)
    _check_memrefs(flow, aliases.graph)
    for slot, forwarded in aliases.copied.items():
        _check_copy(slot.op, forwarded.value)
    return DeallocPlacement(aliases)


def insert_copies_and_deallocs(
    placement: DeallocPlacement,
    touches_only: Container[str],
    calls: CallEffects,
    donated: AbstractSet[SSAValue] = frozenset(),
) -> None:
    """Rewrite the function of the placement."""
    if _split_branches(placement.aliases):
        function = placement.aliases.flow.function
        placement = place_deallocs(function, touches_only, calls, donated)
    placement.aliases.left_memory.print_remarks()
    _copy(placement.aliases.copied)
    _free(placement)
    placement.aliases.left_memory.erase_replaced()


def _check_loops(flow: BufferFlow, tree: DominatorTree) -> None:
    for block in flow.ops:
        if tree.loop(block) is not None:
            raise BufferizationError(
                block.last_op,
                "is part of a loop of blocks: this pass knows loops with regions only",
                hint="use ownership-based-buffer-deallocation, or a loop such as scf.while",
            )


def _check_ops(flow: BufferFlow) -> None:
    for op, _ in flow.frees:
        if allocated_by(op):
            raise BufferizationError(
                op,
                "frees memory and allocates other memory for it, so that it is not known "
                "what is left to be freed",
                hint="run expand-realloc with emit-deallocs=false first",
            )


def _check_memrefs(flow: BufferFlow, graph: MemrefFlowGraph) -> None:
    for value, op, why in handed_over(flow, graph):
        raise BufferizationError(
            op,
            f"hands over a memref, and its uses cannot be followed: {why}",
            related=[("it is defined", definition(value))],
            hint="hand it over in another way, or use ownership-based-buffer-deallocation, "
            "which leaves its memory to the program",
        )


def _check_copy(op: Operation, value: SSAValue) -> None:
    type = _buffer_type(value.type)
    if type is None:
        raise BufferizationError(
            op,
            f"hands over a {value.type} that has to be copied, whose rank is not known",
            hint="cast it to a ranked memref first",
        )
    if not is_cast_guaranteed(type, value.type):
        raise BufferizationError(
            op,
            f"hands over a {value.type} that has to be copied; {type}, which would be "
            "allocated, cannot be cast to that",
            hint="cast it to a layout with unknown strides and offset first",
        )


def _buffer_type(type: Attribute) -> MemRefType[Attribute] | None:
    """The type of the allocation for a copy: a memref without a layout."""
    if not isinstance(type, MemRefType):
        return None
    return MemRefType(type.element_type, type.shape, NoneAttr(), type.memory_space)


def _split_branches(aliases: CriticalAliases) -> bool:
    """
    Split the edges on which a copy is needed, if the branch has other successors. Returns
    whether there are any.
    """
    edges = {
        (slot.op, successor): None
        for slot in aliases.copied
        if (successor := slot.successor) is not None and len(slot.op.successors) > 1
    }
    for op, successor in edges:
        _block_between(op, successor)
    return bool(edges)


def _block_between(op: Operation, successor: int) -> Block:
    """A new block on the edge to a successor, which forwards what the op has forwarded."""
    model, block = BranchOpInterface.expect(op), block_of(op)
    operands = [op.operands[i] for i in model.forwarded(op, successor)]
    between = Block([cf.BranchOp(op.successors[successor], *operands)])
    region_of(block).insert_block_after(between, block)
    model.forward(op, successor, between, ())
    return between


def _copy(slots: Iterable[Slot]) -> None:
    for slot in slots:
        builder = builder_for(slot.op, InsertPoint.before(slot.op))
        slot.op.operands[slot.operand] = _build_copy(
            builder, slot.op.operands[slot.operand]
        )


def _build_copy(builder: Builder, source: SSAValue) -> SSAValue:
    """A memref of the same type, new memory with the same contents."""
    type = _buffer_type(source.type)
    assert type is not None
    sizes = sizes_of(source, builder)
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    buffer = builder.insert(AllocOp(dynamic, (), type)).memref
    builder.insert(CopyOp(source, buffer))
    if buffer.type == source.type:
        return buffer
    return builder.insert(memref.CastOp.get(buffer, ranked_memref(source.type))).dest


def _free(placement: DeallocPlacement) -> None:
    flow = placement.aliases.flow
    allocated = placement.aliases.allocated
    latest: dict[Operation | Block, Operation] = {}
    """The last dealloc after each op, and at the start of each block."""
    for owner, block, at in placement.in_blocks:
        if at == START:
            anchor, point = block, InsertPoint.at_start(block)
        else:
            anchor = flow.ops[block][at // 2]
            if at % 2 == 0:
                _build_dealloc(owner, allocated, InsertPoint.before(anchor))
                continue
            point = InsertPoint.after(anchor)
        if anchor in latest:
            point = InsertPoint.after(latest[anchor])
        if (built := _build_dealloc(owner, allocated, point)) is not None:
            latest[anchor] = built
    between: dict[tuple[Operation, int], Block] = {}
    for owner, branch, successor in placement.on_edges:
        edge = branch, successor
        if edge not in between:
            between[edge] = _block_between(branch, successor)
        last = terminator_of(between[edge])
        _build_dealloc(owner, allocated, InsertPoint.before(last))


def _build_dealloc(
    owner: SSAValue, allocated: Mapping[SSAValue, Operation], point: InsertPoint
) -> Operation | None:
    """Insert the op that frees the owner, the one that fits the allocation."""
    op = allocated.get(owner)
    builder = Builder(point) if op is None else builder_for(op, point)
    if (
        op is not None
        and AllocationOpInterface.of(op) is not None
        and isinstance(owner, OpResult)
    ):
        return insert_dealloc(op, builder, owner)
    return builder.insert(memref.DeallocOp.get(owner))
