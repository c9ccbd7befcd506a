"""
Frees the memory of owners on the edges on which they die, and copies what a function returns but
does not own.

    cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)    // %m dies on the edge to ^bb1
    ^bb1: bufferization.dealloc (%m : memref<4xf32>) if (%true)
    func.return %argument                            // returns a bufferization.clone of it

The `i1`s that say at run time whether a memref owns its memory: they are results of calls,
arguments of blocks and results of ops with regions.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }

becomes

    %r, %o = scf.if %c -> (memref<4xf32>, i1) {
      scf.yield %new, %true
    } else {
      scf.yield %argument, %false
    }

Ownership of memory, in all functions of a module.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }
    // %r is freed after its last use if it is %new, as an i1 that scf.if returns with it says

All functions are analysed before one is changed, callees first, since a call tells from its
callee whether two of its results may be one buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import BoolAttr, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.interfaces.allocation import insert_dealloc
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    with_added_results,
)
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow, Edge, EdgeKind
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    add_results,
    rebuild_call,
)
from xdsl_bufferization.memrefs.deallocation.left_memory import (
    owned_results,
)
from xdsl_bufferization.memrefs.deallocation.owners import (
    Owned,
    Owner,
    Owners,
    Transfer,
)
from xdsl_bufferization.memrefs.deallocation.ownership import (
    Ownership,
    deallocs_of,
    may_hide_part,
)
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for, copy_location
from xdsl_bufferization.support.regions import (
    block_of,
    defining_op,
    erase_unreachable_blocks,
    parent_of,
    region_of,
    walk,
)
from xdsl_bufferization.support.shaped_types import is_memref_type


def block_on(edge: Edge) -> Operation:
    """Give the edge of a branch a block of its own; returns the branch at its end."""
    # Only programs with branches wait for the dialect.
    from xdsl.dialects import cf

    op, (target, successor) = edge.source, edge.branch
    model = BranchOpInterface.expect(op)
    operands = [op.operands[i] for i in model.forwarded(op, successor)]
    between = Block([branch := cf.BranchOp(target, *operands)])
    edge.region.insert_block_after(between, edge.block)
    model.forward(op, successor, between, ())
    return branch


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
        self._owners = ownership.owners
        self._parts = parts
        self._flow = ownership.flow
        self._returns_flags = returns_flags
        self._flags: dict[SSAValue, SSAValue] = {}
        """By owner, if ownership is known at run time only."""
        self._updated: dict[tuple[Edge, Owner, int], SSAValue] = {}
        """
        Whether a forwarded memref, by its index, owns the memory of the owner after the edge, if
        that is not what the owner's own `i1` says.
        """
        self._rebuilt: dict[SSAValue, SSAValue] = {}
        """Replacement results, by the results of the ops that they replace."""
        self._replaced: dict[Operation, Operation] = {}
        self._constants: dict[bool, SSAValue] = {}
        self._after: dict[Operation, Builder] = {}
        """By call, what inserts comparisons of its results."""
        self._pointers: dict[SSAValue, SSAValue] = {}
        """By result of a call, its address."""
        self._donated = donated_arguments(self._flow.function)

    def run(self) -> None:
        """Rewrite the function."""
        self._add_flags()
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
        self._finish()
        self._owners.left.erase_replaced()

    # Terminators

    def _branch(self, op: Operation, edges: Sequence[Edge]) -> None:
        transfers = [self._ownership.transfers(edge) for edge in edges]
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
        freed = [t.owner for t in transfers if not (t.receivers or t.candidates)]
        at_run_time = [t for t in transfers if t.candidates]
        if len(op.successors) > 1 and (
            at_run_time or (freed and len(self._flow.into[target]) > 1)
        ):
            self._split(op, edge, transfers)
            return
        builder = builder_for(op)
        self._free(builder, edge, at_run_time)
        self._forward(op, edge, self._forwarded_flags(builder, edge))
        builder = builder_for(op, InsertPoint.at_start(target))
        for owner in freed:
            self._free_one(builder, owner)

    def _split(self, op: Operation, edge: Edge, transfers: Sequence[Transfer]) -> None:
        """Free in a block of its own on the edge."""
        branch = block_on(edge)
        builder = builder_for(op, InsertPoint.before(branch))
        self._free(builder, edge, transfers, on_edge=True)
        branch.operands = (*branch.operands, *self._forwarded_flags(builder, edge))

    @staticmethod
    def _forward(op: Operation, edge: Edge, flags: Sequence[SSAValue]) -> None:
        if flags:
            model = BranchOpInterface.expect(op)
            target, successor = edge.branch
            operands = [op.operands[i] for i in model.forwarded(op, successor)]
            model.forward(op, successor, target, (*operands, *flags))

    def _exit(self, op: Operation, edge: Edge) -> None:
        builder = builder_for(op)
        self._free(builder, edge, self._ownership.transfers(edge))
        if flags := self._forwarded_flags(builder, edge):
            op.operands = (*op.operands, *flags)

    def _return(self, op: Operation, edge: Edge) -> None:
        builder = builder_for(op)
        owned = [self._owned(edge, index) for index in range(len(edge.memrefs))]
        operands = [*op.operands]
        if not self._returns_flags:
            for memref, kind in zip(edge.memrefs, owned, strict=True):
                if kind is Owned.NEVER and memref.operand not in self._donated:
                    operands[memref.operand] = self._clone(builder, memref.value)
        self._free(builder, edge, self._ownership.transfers(edge))
        if self._returns_flags:
            operands += (self._flag(builder, edge, i) for i in range(len(owned)))
        else:
            for index, (memref, kind) in enumerate(
                zip(edge.memrefs, owned, strict=True)
            ):
                if kind is Owned.AT_RUN_TIME:
                    flag = self._flag(builder, edge, index)
                    operands[memref.operand] = self._clone_unless(
                        builder, flag, memref.value
                    )
        op.operands = operands

    # What is inserted

    def _clone(self, builder: Builder, value: SSAValue) -> SSAValue:
        return builder.insert(CloneOp(self._current(value))).output

    def _clone_unless(
        self, builder: Builder, owned: SSAValue, value: SSAValue
    ) -> SSAValue:
        # Few programs decide it at run time.
        from xdsl.dialects import scf

        clone = CloneOp(self._current(value))
        choice = scf.IfOp(
            owned,
            (value.type,),
            [scf.YieldOp(self._current(value))],
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
    ) -> None:
        """Free the memory of the owners that no forwarded memref owns after the edge."""
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
                self._owned(edge, index) is Owned.AT_RUN_TIME for index in kept
            ):
                continue  # It is forwarded, and no `i1` depends on which memref owns it.
            memrefs = [self._current(edge.memrefs[index].value) for index in kept]
            flags = self._free_one(builder, transfer.owner, memrefs)
            if edge.kind is not EdgeKind.RETURN or self._returns_flags:
                flags = self._not_if_before(builder, flags)
            for index, flag in zip(kept, flags, strict=True):
                self._updated[edge, transfer.owner, index] = flag

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
            or owner.value in self._owners.compared
            or owner.value in self._owners.graph.pointed_to
        ):
            return builder_for(terminator)
        if last is None:
            return builder_for(terminator, InsertPoint.at_start(block))
        last = self._current_op(last)
        return builder_for(last, InsertPoint.after(last))

    def _free_one(
        self, builder: Builder, owner: Owner, retained: Sequence[SSAValue] = ()
    ) -> Sequence[SSAValue]:
        value = self._current(owner.value)
        if owner.has_own_dealloc:
            insert_dealloc(defining_op(owner.value), builder, value)
            return ()
        if owner.owned is Owned.ALWAYS and not retained and self._is_whole(value):
            for op in deallocs_of(value, may_be_part=False):
                builder.insert(op)
            return ()
        dealloc = DeallocOp([value], [self._owns(owner)], retained)
        return builder.insert(dealloc).updated_conditions

    def _is_whole(self, buffer: SSAValue) -> bool:
        """Whether it is known before the lowering how the buffer is freed then."""
        return self._parts is not None and not (may_hide_part(buffer) and self._parts())

    # Ownership at run time

    def _add_flags(self) -> None:
        """Add the `i1`s, but for the operands of terminators."""
        for block in self._flow.ops:
            for argument in block.args:
                if self._is_at_run_time(argument):
                    self._flags[argument] = block.insert_arg(i1, len(block.args))
        for op in [*self._flow.position]:
            if op in self._owners.dynamic_calls:
                self._add_call_results(op)
            elif op.regions and op in self._flow.edges:
                self._add_to_op_with_regions(op)

    def _finish(self) -> None:
        """Change the function's type accordingly, and erase what cannot be reached."""
        if self._returns_flags:
            self._extend_type()
        for region in {region_of(block): None for block in self._flow.ops}:
            erase_unreachable_blocks(parent_of(region))
        for op in self._replaced:
            op.erase()  # It still uses its operands.

    def _current(self, value: SSAValue) -> SSAValue:
        """The value, or the result of a rebuilt op that has replaced it."""
        return self._rebuilt.get(value, value)

    def _current_op(self, op: Operation) -> Operation:
        """The op, or the one that has replaced it."""
        return self._replaced.get(op, op)

    def _owns(self, owner: Owner) -> SSAValue:
        """Whether the owner owns its memory."""
        if owner.owned is Owned.AT_RUN_TIME:
            if owner.value not in self._flags:
                self._flags[owner.value] = self._is_none_of(
                    owner.value, self._owners.compared[owner.value]
                )
            return self._flags[owner.value]
        return self._constant(owner.owned is Owned.ALWAYS)

    def _forwarded_flags(self, builder: Builder, edge: Edge) -> Sequence[SSAValue]:
        """The `i1`s that are forwarded on the edge."""
        return [
            self._flag(builder, edge, index)
            for index, memref_ in enumerate(edge.memrefs)
            if memref_.targets and self._is_at_run_time(memref_.targets[0])
        ]

    def _flag(self, builder: Builder, edge: Edge, index: int) -> SSAValue:
        """Whether the edge's memref of that index owns its memory."""
        owned = self._owned(edge, index)
        if owned is not Owned.AT_RUN_TIME:
            return self._constant(owned is Owned.ALWAYS)
        first, *others = [
            self._updated.get((edge, owner, index)) or self._owns(owner)
            for owner in self._ownership.given(edge, index)
        ]
        for other in others:
            first = builder.insert(arith.OrIOp(first, other)).result
        return first

    def _owned(self, edge: Edge, index: int) -> Owned:
        """Whether the edge's memref of that index owns its memory after the edge."""
        left, value = self._owners.left, edge.memrefs[index].value
        if left.is_freed(value) and not left.is_only_joined(value):
            return Owned.ALWAYS  # The program frees it, wherever that is.
        return self._ownership.forwarded(edge, index)

    def _not_if_before(
        self, builder: Builder, flags: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """Each flag, but false if an earlier one is true: only one memref owns memory."""
        taken, *others = flags
        exclusive = [taken]
        for flag in others:
            true = self._constant(True)
            free = builder.insert(arith.XOrIOp(taken, true)).result
            exclusive.append(builder.insert(arith.AndIOp(flag, free)).result)
            taken = builder.insert(arith.OrIOp(taken, flag)).result
        return exclusive

    def _is_at_run_time(self, value: SSAValue) -> bool:
        return self._ownership.owned(value) is Owned.AT_RUN_TIME

    def _add_call_results(self, op: Operation) -> None:
        assert isinstance(op, func.CallOp)
        results = owned_results(op)
        new = rebuild_call(op, types=[i1 for _ in results])
        self._replace(op, new)
        for result, flag in zip(results, new.results[len(op.results) :], strict=True):
            self._flags[result] = flag

    def _is_none_of(self, result: SSAValue, earlier: Sequence[SSAValue]) -> SSAValue:
        """
        Whether a result of a call is other memory than all earlier ones; the first of equal ones
        owns it. Inserted after the call when it is first asked for.
        """
        call = defining_op(result)
        builder = self._after.get(call)
        if builder is None:
            builder = self._after[call] = builder_for(call, InsertPoint.after(call))
        pointers: list[SSAValue] = []
        for value in (result, *earlier):
            if value not in self._pointers:
                self._pointers[value] = builder.insert(
                    memref.ExtractAlignedPointerAsIndexOp.get(value)
                ).aligned_pointer
            pointers.append(self._pointers[value])
        pointer, *others = pointers
        first, *differ = [
            builder.insert(arith.CmpiOp(pointer, other, "ne")).result
            for other in others
        ]
        for differs in differ:
            first = builder.insert(arith.AndIOp(first, differs)).result
        return first

    def _add_to_op_with_regions(self, op: Operation) -> None:
        """Forward ownership to the regions of an op, and from them to its results."""
        (edge,) = self._flow.edges[op]
        results = [r for r in op.results if self._is_at_run_time(r)]
        flags = self._forwarded_flags(builder_for(op), edge)
        if not flags and not results:
            return
        count = len(op.results)
        new = with_added_results(op, flags, [i1] * len(results))
        block_of(op).insert_op_before(new, op)
        self._replace(op, new)
        for result, flag in zip(results, new.results[count:], strict=True):
            self._flags[result] = flag

    def _replace(self, op: Operation, new: Operation) -> None:
        for old, result in zip(op.results, new.results, strict=False):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
            self._rebuilt[old] = result
        self._replaced[op] = new
        op.detach()

    def _constant(self, value: bool) -> SSAValue:
        if value not in self._constants:
            first = self._flow.function.regions[0].blocks[0]
            constant = arith.ConstantOp(BoolAttr.from_bool(value))
            Builder(InsertPoint.at_start(first)).insert(constant)
            self._constants[value] = constant.result
        return self._constants[value]

    def _extend_type(self) -> None:
        function = self._flow.function
        assert isinstance(function, func.FuncOp)
        outputs = function.function_type.outputs
        add_results(function, [i1 for output in outputs if is_memref_type(output)])


def free_owned_memory(
    flows: MemrefFlows,
    touches_only: Container[str],
    donated: AbstractSet[SSAValue],
    dynamic: AbstractSet[Operation],
    parts: Callable[[], bool] | None,
) -> None:
    """
    Free what the functions of the module allocate. `dynamic` functions return an `i1` for each
    memref, and arguments that are `donated` are returned as they are. Ops named `touches_only` do
    no more than to touch their operands. For `parts` see `DeallocInsertion`.

    Raises `BufferizationError`, and leaves the functions as they are, if it is unknown what an
    op allocates or frees, or the program contradicts itself.
    """
    graph = flows.calls
    dynamic_calls = frozenset(
        c for c, callee in graph.callees.items() if callee in dynamic
    )
    distinct: set[Operation] = set()
    found: list[Ownership] = []
    for function in functions_with_buffers(graph):
        owners = Owners(
            BufferFlow(
                function, flows.effects, complete=True, touches_only=touches_only
            ),
            dynamic_calls=dynamic_calls,
            distinct=distinct,
            donated=donated,
            returns_flags=function in dynamic,
        )
        ownership = Ownership(owners)
        check_own_deallocs(ownership)
        if isinstance(function, func.FuncOp) and not ownership.may_return_twice():
            distinct.update(graph.calls.get(function, ()))
        found.append(ownership)
    for ownership in found:
        insert_deallocs(
            ownership, parts, returns_flags=ownership.flow.function in dynamic
        )


def functions_with_buffers(graph: CallGraph) -> Iterator[Operation]:
    """The functions with memrefs in their bodies, callees first."""
    for function in graph.all_callees_first():
        if any(region.blocks for region in function.regions):
            if any(map(has_buffers, walk([function]))):
                yield function


def insert_deallocs(
    ownership: Ownership, parts: Callable[[], bool] | None, *, returns_flags: bool
) -> None:
    """Rewrite a function; see `DeallocInsertion`."""
    ownership.owners.left.print_remarks()
    DeallocInsertion(ownership, returns_flags=returns_flags, parts=parts).run()
