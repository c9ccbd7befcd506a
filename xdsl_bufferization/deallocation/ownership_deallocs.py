"""
Frees the memory of owners on the edges on which they die, and copies what a function returns but
does not own.

    cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)    // %m dies on the edge to ^bb1
    ^bb1: bufferization.dealloc (%m : memref<4xf32>) if (%true)
    func.return %argument                            // returns a bufferization.clone of it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.builder import Builder
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.buffers.buffer_flow import Edge, EdgeKind
from xdsl_bufferization.deallocation.owners import Owned, Owner, Transfer
from xdsl_bufferization.deallocation.ownership import Ownership
from xdsl_bufferization.deallocation.parts import deallocs_of, may_hide_part
from xdsl_bufferization.deallocation.run_time_ownership import RunTimeOwnership
from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.interfaces.allocation import insert_dealloc
from xdsl_bufferization.interfaces.region_branch import BranchOpInterface
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for, copy_location
from xdsl_bufferization.support.regions import block_of, defining_op


def check_own_deallocs(ownership: Ownership) -> None:
    """
    Raises `BufferizationError` if memory is forwarded or returned that another op than
    `memref.dealloc` has to free.
    """
    for edge in ownership.flow.all_edges():
        for transfer in ownership.transfers(edge):
            owner = transfer.owner
            if owner.has_own_dealloc and (transfer.receivers or transfer.candidates):
                raise BufferizationError(
                    edge.source,
                    "hands over memory that memref.dealloc cannot free",
                    related=[("it is allocated", defining_op(owner.value))],
                    hint="copy it to memory of memref.alloc first",
                )


class DeallocInsertion:
    """
    Rewrites one function.

    `returns_flags` says that the function returns an `i1` for each memref that it returns,
    instead of a clone of what it does not own. With `parts`, which says whether the program hides
    parts of buffers, memory that is owned always is freed as after the lowering of
    `bufferization.dealloc`.
    """

    def __init__(
        self,
        ownership: Ownership,
        *,
        returns_flags: bool,
        parts: Callable[[], bool] | None,
    ):
        self._ownership = ownership
        self._parts = parts
        self._flow = ownership.flow
        self._returns_flags = returns_flags
        self._flags = RunTimeOwnership(ownership, returns_flags=returns_flags)
        self._donated = donated_arguments(self._flow.function)

    def run(self) -> None:
        """Rewrite the function."""
        self._flags.add()
        for source, edges in self._flow.edges.items():
            match edges[0].kind:
                case EdgeKind.BRANCH:
                    self._branch(source, edges)
                case EdgeKind.EXIT:
                    self._exit(source, edges[0])
                case EdgeKind.RETURN:
                    self._return(source, edges[0])
                case EdgeKind.ENTRY:
                    pass
        self._flags.finish()
        self._ownership.left.erase_replaced()

    # Terminators

    def _branch(self, op: Operation, edges: Sequence[Edge]) -> None:
        transfers = [self._ownership.transfers(edge) for edge in edges]
        if len(edges) == 1:
            builder = builder_for(op, InsertPoint.before(op))
            updated = self._free(builder, edges[0], transfers[0])
            flags = self._flags.forwarded(builder, edges[0], updated)
            self._forward(op, edges[0], flags)
            return
        on_all = self._freed_on_all(transfers)
        for owner in on_all:
            self._free_one(self._after_last_use(owner, op), owner)
        for edge, of_edge in zip(edges, transfers, strict=True):
            self._free_on_edge(op, edge, [t for t in of_edge if t.owner not in on_all])

    @staticmethod
    def _freed_on_all(transfers: Sequence[Sequence[Transfer]]) -> dict[Owner, None]:
        """The owners that are to be freed on all edges."""
        first, *others = [
            {t.owner: None for t in ts if not (t.receivers or t.candidates)}
            for ts in transfers
        ]
        for other in others:
            first = {owner: None for owner in first if owner in other}
        return first

    def _free_on_edge(
        self, op: Operation, edge: Edge, transfers: Sequence[Transfer]
    ) -> None:
        target, _ = edge.branch
        needs_code = [t for t in transfers if t.candidates or not t.receivers]
        is_split = any(t.candidates for t in transfers) or (
            needs_code and len(self._flow.into[target]) > 1
        )
        if is_split:
            self._split(op, edge, transfers)
            return
        flags = self._flags.forwarded(builder_for(op, InsertPoint.before(op)), edge, {})
        self._forward(op, edge, flags)
        builder = builder_for(op, InsertPoint.at_start(target))
        for transfer in needs_code:
            self._free_one(builder, transfer.owner)

    def _split(self, op: Operation, edge: Edge, transfers: Sequence[Transfer]) -> None:
        """Split the edge by a block in which to free."""
        target, successor = edge.branch
        model = BranchOpInterface.expect(op)
        between = Block()
        edge.region.insert_block_after(between, edge.block)
        builder = builder_for(op, InsertPoint.at_end(between))
        updated = self._free(builder, edge, transfers, on_edge=True)
        operands = [op.operands[i] for i in model.forwarded(op, successor)]
        operands.extend(self._flags.forwarded(builder, edge, updated))
        # Only programs with branches wait for the dialect.
        from xdsl.dialects import cf

        builder.insert(cf.BranchOp(target, *operands))
        model.forward(op, successor, between, ())

    @staticmethod
    def _forward(op: Operation, edge: Edge, flags: Sequence[SSAValue]) -> None:
        if flags:
            model = BranchOpInterface.expect(op)
            target, successor = edge.branch
            operands = [op.operands[i] for i in model.forwarded(op, successor)]
            model.forward(op, successor, target, (*operands, *flags))

    def _exit(self, op: Operation, edge: Edge) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        updated = self._free(builder, edge, self._ownership.transfers(edge))
        if flags := self._flags.forwarded(builder, edge, updated):
            op.operands = (*op.operands, *flags)

    def _return(self, op: Operation, edge: Edge) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        owned = [self._flags.owned(edge, index) for index in range(len(edge.memrefs))]
        operands = [*op.operands]
        if not self._returns_flags:
            for memref, kind in zip(edge.memrefs, owned, strict=True):
                if kind is Owned.NEVER and memref.operand not in self._donated:
                    operands[memref.operand] = self._clone(builder, memref.value)
        updated = self._free(builder, edge, self._ownership.transfers(edge))
        if self._returns_flags:
            operands.extend(
                self._flags.forwarded_with(builder, edge, index, updated)
                for index in range(len(edge.memrefs))
            )
        else:
            for index, (memref, kind) in enumerate(
                zip(edge.memrefs, owned, strict=True)
            ):
                if kind is Owned.AT_RUN_TIME:
                    operands[memref.operand] = self._clone_unless(
                        builder,
                        self._flags.forwarded_with(builder, edge, index, updated),
                        memref.value,
                    )
        op.operands = operands

    # What is inserted

    def _clone(self, builder: Builder, value: SSAValue) -> SSAValue:
        return builder.insert(CloneOp(self._flags.current(value))).output

    def _clone_unless(
        self, builder: Builder, owned: SSAValue, value: SSAValue
    ) -> SSAValue:
        # Few programs decide it at run time.
        from xdsl.dialects import scf

        clone = CloneOp(self._flags.current(value))
        choice = scf.IfOp(
            owned,
            (value.type,),
            [scf.YieldOp(self._flags.current(value))],
            [clone, scf.YieldOp(clone)],
        )
        builder.insert(choice)
        copy_location(choice, clone)
        return choice.results[0]

    def _free(
        self,
        builder: Builder,
        edge: Edge,
        transfers: Iterable[Transfer],
        *,
        on_edge: bool = False,
    ) -> dict[tuple[Owner, int], SSAValue]:
        """
        Free the memory of the owners that no forwarded memref owns after the edge. Where
        that is known at run time only, returns by owner and index of the memref whether the
        memref owns it.
        """
        updated: dict[tuple[Owner, int], SSAValue] = {}
        for transfer in transfers:
            if not transfer.candidates:
                if not transfer.receivers:
                    at = (
                        builder
                        if on_edge
                        else self._after_last_use(transfer.owner, edge.source)
                    )
                    self._free_one(at, transfer.owner)
                continue
            kept = (*transfer.receivers, *transfer.candidates)
            if transfer.receivers and not any(
                self._flags.owned(edge, index) is Owned.AT_RUN_TIME for index in kept
            ):
                continue  # It is forwarded, and no `i1` depends on which memref owns it.
            memrefs = [self._flags.current(edge.memrefs[index].value) for index in kept]
            flags = self._free_one(builder, transfer.owner, memrefs)
            if edge.kind is not EdgeKind.RETURN or self._returns_flags:
                flags = self._flags.not_if_before(builder, flags)
            for index, flag in zip(kept, flags, strict=True):
                updated[transfer.owner, index] = flag
        return updated

    def _after_last_use(self, owner: Owner, terminator: Operation) -> Builder:
        """The earliest place to free an owner that is not live out of the block."""
        block = block_of(terminator)
        definition = owner.value.owner
        last: Operation | None = None
        if block in owner.last_use:
            last = self._flow.ops[block][owner.last_use[block]]
        elif isinstance(definition, Operation) and owner.block is block:
            last = definition
        if (
            last is terminator
            or self._ownership.compared(owner.value)
            or self._ownership.is_pointed_to(owner.value)
        ):
            return builder_for(terminator, InsertPoint.before(terminator))
        if last is None:
            return builder_for(terminator, InsertPoint.at_start(block))
        last = self._flags.current_op(last)
        return builder_for(last, InsertPoint.after(last))

    def _free_one(
        self, builder: Builder, owner: Owner, retained: Sequence[SSAValue] = ()
    ) -> Sequence[SSAValue]:
        value = self._flags.current(owner.value)
        if owner.has_own_dealloc:
            insert_dealloc(defining_op(owner.value), builder, value)
            return ()
        if owner.owned is Owned.ALWAYS and not retained and self._is_whole(value):
            for op in deallocs_of(value, may_be_part=False):
                builder.insert(op)
            return ()
        dealloc = DeallocOp([value], [self._flags.owns(owner)], retained)
        return builder.insert(dealloc).updated_conditions

    def _is_whole(self, buffer: SSAValue) -> bool:
        """Whether it is known before the lowering how the buffer is freed then."""
        return self._parts is not None and not (may_hide_part(buffer) and self._parts())
