"""
Frees what a bufferized program allocates.

Source: the pass `ownership-based-buffer-deallocation` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes, and
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import BoolAttr, FunctionType, ModuleOp, i1
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, Edge, EdgeKind
from xdsl_bufferization.deallocation.contradictory_frees import check_frees
from xdsl_bufferization.deallocation.ownership import Owned, Owner, Ownership, Transfer
from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.support.call_graph import CallGraph, functions_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import builder_for, copy_location
from xdsl_bufferization.support.names import is_named
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(BufferizationPass, OwnershipOptions):
    """
    Insert `bufferization.dealloc` for what is allocated, and `bufferization.clone` where
    a function returns memory that its caller could not free.
    """

    name = "ownership-based-buffer-deallocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        insert_deallocs(
            op,
            private_function_dynamic_ownership=self.private_function_dynamic_ownership,
            touches_only=self.touches_only,
        )


def insert_deallocs(
    module: Operation,
    *,
    private_function_dynamic_ownership: bool = False,
    touches_only: Iterable[str] = (),
) -> None:
    """
    Free what the functions of a module allocate; the options are those of the pass.

    Raises `BufferizationError`, and leaves the module as it is, if it can not be told what
    an op allocates or frees, or the program contradicts itself.
    """
    names = frozenset(touches_only)
    functions = [op for op in functions_in(module) if _has_body(op)]
    calls = _callees(functions, CallGraph(module))
    dynamic = {
        function
        for function in functions
        if private_function_dynamic_ownership and _is_private(function)
    }
    distinct: set[Operation] = set()
    found: list[Ownership] = []
    for function in _callees_first(calls):
        if not any(map(has_buffers, walk([function]))):
            continue
        flow = BufferFlow(function, lambda op: is_named(op, names))
        check_frees(flow)
        called = calls[function].items()
        ownership = Ownership(
            flow,
            dynamic_calls=frozenset(c for c, callee in called if callee in dynamic),
            distinct=frozenset(c for c, callee in called if callee in distinct),
            returns_flags=function in dynamic,
        )
        _check_own_deallocs(ownership)
        if not ownership.may_return_twice():
            distinct.add(function)
        found.append(ownership)
    for ownership in found:
        _Deallocation(ownership, ownership.flow.function in dynamic).run()


def _callees(
    functions: Sequence[Operation], graph: CallGraph
) -> Mapping[Operation, Mapping[Operation, func.FuncOp | None]]:
    """Of each function its calls, with what they call, if that is in the module."""
    return {
        function: {
            op: graph.callee(op)
            for op in function.walk()
            if isinstance(op, func.CallOp)
        }
        for function in functions
    }


def _callees_first(
    calls: Mapping[Operation, Mapping[Operation, func.FuncOp | None]],
) -> Sequence[Operation]:
    """The functions, each after those that it calls, where that is possible."""
    graph: dict[Operation, list[Operation]] = {
        function: [f for f in called.values() if f is not None and f in calls]
        for function, called in calls.items()
    }
    try:
        return [*TopologicalSorter(graph).static_order()]
    except CycleError:
        return [*calls]


def _has_body(function: Operation) -> bool:
    return any(region.blocks for region in function.regions)


def _is_private(function: Operation) -> bool:
    return (
        isinstance(function, func.FuncOp)
        and function.sym_visibility is not None
        and function.sym_visibility.data == "private"
    )


def _check_own_deallocs(ownership: Ownership) -> None:
    for edge in ownership.flow.all_edges():
        for transfer in ownership.transfers(edge):
            owner = transfer.owner
            if owner.has_own_dealloc and (transfer.receivers or transfer.candidates):
                raise BufferizationError(
                    edge.source,
                    "hands over memory that memref.dealloc can not free",
                    related=[("it is allocated", _owner_op(owner))],
                    hint="copy it to memory of memref.alloc first",
                )


def _owner_op(owner: Owner) -> Operation:
    assert isinstance(owner.value, OpResult)
    return owner.value.op


class _Deallocation:
    """Rewrites one function."""

    def __init__(self, ownership: Ownership, dynamic: bool):
        self.ownership = ownership
        self.flow = ownership.flow
        self.dynamic = dynamic
        self.flags: dict[SSAValue, SSAValue] = {}
        """Whether an owner, if that depends on the run, owns its memory."""
        self.rebuilt: dict[SSAValue, SSAValue] = {}
        """Results of ops that were given more results, by those of the ops before."""
        self.replaced: dict[Operation, Operation] = {}
        self.constants: dict[bool, SSAValue] = {}

    def run(self) -> None:
        self._add_arguments()
        for op in [*self.flow.position]:
            if op in self.ownership.dynamic_calls:
                self._add_call_results(op)
            elif any(result in self.ownership.compared for result in op.results):
                self._compare_results(op)
            elif op.regions and op in self.flow.edges:
                self._enter(op)
        for source, edges in self.flow.edges.items():
            match edges[0].kind:
                case EdgeKind.BRANCH:
                    self._branch(source, edges)
                case EdgeKind.EXIT:
                    self._exit(source, edges[0])
                case EdgeKind.RETURN:
                    self._return(source, edges[0])
                case EdgeKind.ENTRY:
                    pass
        if self.dynamic:
            self._extend_type()
        self._complete_unreachable()
        for op in self.replaced:
            op.erase()  # It still uses its operands.

    # What carries ownership that depends on the run

    def _add_arguments(self) -> None:
        for block in self.flow.ops:
            for argument in block.args:
                if self._depends_on_run(argument):
                    flag = block.insert_arg(i1, len(block.args))
                    self.flags[argument] = flag

    def _depends_on_run(self, value: SSAValue) -> bool:
        return self.ownership.owned(value) is Owned.AT_RUN_TIME

    def _add_call_results(self, op: Operation) -> None:
        results = [r for r in op.results if is_memref_type(r.type)]
        new = func.CallOp.create(
            operands=op.operands,
            result_types=(*op.result_types, *(i1 for _ in results)),
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
            location=op.location,
        )
        self._replace(op, new)
        for result, flag in zip(results, new.results[len(op.results) :], strict=True):
            self.flags[result] = flag

    def _compare_results(self, op: Operation) -> None:
        """Of results that may be the same memory only the first one owns it."""
        builder = Builder(InsertPoint.after(op))
        pointers: dict[SSAValue, SSAValue] = {}
        for result in op.results:
            earlier = self.ownership.compared.get(result, ())
            flag: SSAValue | None = None
            for value in (result, *earlier) if earlier else ():
                if value not in pointers:
                    pointers[value] = builder.insert(
                        memref.ExtractAlignedPointerAsIndexOp.get(value)
                    ).aligned_pointer
            for other in earlier:
                differs = builder.insert(
                    arith.CmpiOp(pointers[result], pointers[other], "ne")
                ).result
                flag = (
                    differs
                    if flag is None
                    else builder.insert(arith.AndIOp(flag, differs)).result
                )
            if flag is not None:
                self.flags[result] = flag

    def _enter(self, op: Operation) -> None:
        """Hand ownership over to the regions of an op, and from them to its results."""
        (edge,) = self.flow.edges[op]
        results = [r for r in op.results if self._depends_on_run(r)]
        flags = self._flags(Builder(InsertPoint.before(op)), edge, {})
        if not flags and not results:
            return
        model = RegionBranchOpInterface.of(op)
        assert model is not None
        count = len(op.results)
        new = model.with_results(op, flags, [i1] * len(results))
        self._replace(op, new)
        for result, flag in zip(results, new.results[count:], strict=True):
            self.flags[result] = flag

    def _replace(self, op: Operation, new: Operation) -> None:
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        for old, result in zip(op.results, new.results, strict=False):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
            self.rebuilt[old] = result
        self.replaced[op] = new
        op.detach()

    def _now(self, value: SSAValue) -> SSAValue:
        return self.rebuilt.get(value, value)

    # What happens where control is handed over

    def _branch(self, op: Operation, edges: Sequence[Edge]) -> None:
        transfers = [self.ownership.transfers(edge) for edge in edges]
        if len(edges) == 1:
            builder = Builder(InsertPoint.before(op))
            found = self._free(builder, edges[0], transfers[0])
            self._forward(op, edges[0], self._flags(builder, edges[0], found))
            return
        on_all = self._freed_on_all(transfers)
        for owner in on_all:
            self._free_one(self._behind_last_use(owner, op), owner)
        for edge, of_edge in zip(edges, transfers, strict=True):
            self._free_on_edge(op, edge, [t for t in of_edge if t.owner not in on_all])

    @staticmethod
    def _freed_on_all(transfers: Sequence[Sequence[Transfer]]) -> dict[Owner, None]:
        """The owners that are to be freed wherever control goes."""
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
        target = edge.target_block
        assert target is not None
        needs_code = [t for t in transfers if t.candidates or not t.receivers]
        is_split = any(t.candidates for t in transfers) or (
            needs_code and len(self.flow.into[target]) > 1
        )
        if is_split:
            self._split(op, edge, transfers)
            return
        self._forward(op, edge, self._flags(Builder(InsertPoint.before(op)), edge, {}))
        builder = Builder(InsertPoint.at_start(target))
        for transfer in needs_code:
            self._free_one(builder, transfer.owner)

    def _split(self, op: Operation, edge: Edge, transfers: Sequence[Transfer]) -> None:
        """Put a block on the edge, in which to free."""
        assert edge.successor is not None
        target = edge.target_block
        assert target is not None
        model = BranchOpInterface.of(op)
        assert model is not None
        between = Block()
        edge.region.insert_block_after(between, edge.block)
        builder = Builder(InsertPoint.at_end(between))
        found = self._free(builder, edge, transfers, on_edge=True)
        operands = [op.operands[i] for i in model.forwarded(op, edge.successor)]
        operands.extend(self._flags(builder, edge, found))
        builder.insert(cf.BranchOp(target, *operands))
        model.forward(op, edge.successor, between, ())

    def _forward(self, op: Operation, edge: Edge, flags: Sequence[SSAValue]) -> None:
        if flags:
            model = BranchOpInterface.of(op)
            target = edge.target_block
            assert model is not None
            assert target is not None
            assert edge.successor is not None
            operands = [op.operands[i] for i in model.forwarded(op, edge.successor)]
            model.forward(op, edge.successor, target, (*operands, *flags))

    def _exit(self, op: Operation, edge: Edge) -> None:
        builder = Builder(InsertPoint.before(op))
        found = self._free(builder, edge, self.ownership.transfers(edge))
        if flags := self._flags(builder, edge, found):
            op.operands = (*op.operands, *flags)

    def _return(self, op: Operation, edge: Edge) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        owned = [self._returned(edge, index) for index in range(len(edge.memrefs))]
        operands = [*op.operands]
        if not self.dynamic:
            for memref_, kind in zip(edge.memrefs, owned, strict=True):
                if kind is Owned.NEVER:
                    operands[memref_.operand] = self._clone(builder, memref_.value)
        found = self._free(builder, edge, self.ownership.transfers(edge))
        if self.dynamic:
            operands.extend(
                self._flag(builder, edge, index, found)
                for index in range(len(edge.memrefs))
            )
        else:
            for index, (memref_, kind) in enumerate(
                zip(edge.memrefs, owned, strict=True)
            ):
                if kind is Owned.AT_RUN_TIME:
                    operands[memref_.operand] = self._clone_unless(
                        builder,
                        self._flag(builder, edge, index, found),
                        memref_.value,
                    )
        op.operands = operands

    def _returned(self, edge: Edge, index: int) -> Owned:
        if self.ownership.is_managed(edge.memrefs[index].value):
            return Owned.ALWAYS  # by whoever frees it elsewhere
        return self.ownership.handed_over(edge, index)

    def _clone(self, builder: Builder, value: SSAValue) -> SSAValue:
        return builder.insert(CloneOp(self._now(value))).output

    def _clone_unless(
        self, builder: Builder, owned: SSAValue, value: SSAValue
    ) -> SSAValue:
        clone = CloneOp(self._now(value))
        choice = scf.IfOp(
            owned,
            (value.type,),
            [scf.YieldOp(self._now(value))],
            [clone, scf.YieldOp(clone)],
        )
        builder.insert(choice)
        copy_location(choice, clone)
        return choice.results[0]

    # What is inserted

    def _free(
        self,
        builder: Builder,
        edge: Edge,
        transfers: Iterable[Transfer],
        *,
        on_edge: bool = False,
    ) -> dict[tuple[Owner, int], SSAValue]:
        """
        Free what is handed over to nobody; of what depends on the run, by owner and index
        of the memref, whether that owns its memory now.
        """
        found: dict[tuple[Owner, int], SSAValue] = {}
        for transfer in transfers:
            if not transfer.candidates:
                if not transfer.receivers:
                    at = (
                        builder
                        if on_edge
                        else self._behind_last_use(transfer.owner, edge.source)
                    )
                    self._free_one(at, transfer.owner)
                continue
            kept = (*transfer.receivers, *transfer.candidates)
            memrefs = [self._now(edge.memrefs[index].value) for index in kept]
            flags: Sequence[SSAValue] = self._free_one(builder, transfer.owner, memrefs)
            if edge.kind is not EdgeKind.RETURN or self.dynamic:
                flags = [*self._first_of(builder, flags)]
            for index, flag in zip(kept, flags, strict=True):
                found[transfer.owner, index] = flag
        return found

    def _behind_last_use(self, owner: Owner, terminator: Operation) -> Builder:
        """Where to free an owner that is of no use behind the block, at the earliest."""
        block = terminator.parent
        assert block is not None
        definition = owner.value.owner
        last: Operation | None = None
        if block in owner.last_use:
            last = self.flow.ops[block][owner.last_use[block]]
        elif isinstance(definition, Operation) and owner.block is block:
            last = definition
        if last is terminator or owner.value in self.ownership.compared:
            return Builder(InsertPoint.before(terminator))
        if last is None:
            return Builder(InsertPoint.at_start(block))
        return Builder(InsertPoint.after(self.replaced.get(last, last)))

    def _free_one(
        self, builder: Builder, owner: Owner, retained: Sequence[SSAValue] = ()
    ) -> Sequence[SSAValue]:
        value = self._now(owner.value)
        if owner.has_own_dealloc:
            op = _owner_op(owner)
            model = AllocationOpInterface.of(op)
            assert model is not None
            model.build_dealloc(op, builder, value)
            return ()
        dealloc = DeallocOp([value], [self._owns(owner)], retained)
        return builder.insert(dealloc).updated_conditions

    def _first_of(
        self, builder: Builder, flags: Sequence[SSAValue]
    ) -> Iterator[SSAValue]:
        """Each flag, but not if an earlier one holds: only one memref may own memory."""
        taken, *others = flags
        yield taken
        for flag in others:
            true = self._constant(True)
            free = builder.insert(arith.XOrIOp(taken, true)).result
            yield builder.insert(arith.AndIOp(flag, free)).result
            taken = builder.insert(arith.OrIOp(taken, flag)).result

    def _flags(
        self, builder: Builder, edge: Edge, found: Mapping[tuple[Owner, int], SSAValue]
    ) -> Sequence[SSAValue]:
        """What goes with the memrefs of which ownership depends on the run."""
        return [
            self._flag(builder, edge, index, found)
            for index, memref_ in enumerate(edge.memrefs)
            if memref_.targets and self._depends_on_run(memref_.targets[0])
        ]

    def _flag(
        self,
        builder: Builder,
        edge: Edge,
        index: int,
        found: Mapping[tuple[Owner, int], SSAValue],
    ) -> SSAValue:
        owned = self._returned(edge, index)
        if owned is not Owned.AT_RUN_TIME:
            return self._constant(owned is Owned.ALWAYS)
        flags: list[SSAValue] = [
            found[owner, index] if (owner, index) in found else self._owns(owner)
            for owner in self.ownership.given(edge, index)
        ]
        first, *others = flags
        for other in others:
            first = builder.insert(arith.OrIOp(first, other)).result
        return first

    def _owns(self, owner: Owner) -> SSAValue:
        if owner.owned is Owned.AT_RUN_TIME:
            return self.flags[owner.value]
        return self._constant(owner.owned is Owned.ALWAYS)

    def _constant(self, value: bool) -> SSAValue:
        if value not in self.constants:
            first = self.flow.function.regions[0].first_block
            assert first is not None
            constant = arith.ConstantOp(BoolAttr.from_bool(value))
            Builder(InsertPoint.at_start(first)).insert(constant)
            self.constants[value] = constant.result
        return self.constants[value]

    # The rest of the function

    def _extend_type(self) -> None:
        function = self.flow.function
        assert isinstance(function, func.FuncOp)
        type = function.function_type
        outputs = [*type.outputs]
        flags = [i1 for output in outputs if is_memref_type(output)]
        function.function_type = FunctionType.from_lists(
            [*type.inputs], [*outputs, *flags]
        )

    def _complete_unreachable(self) -> None:
        """Blocks that are never run have to hand over as many operands as others."""
        reached = set(self.flow.ops)
        for region in {block.parent: None for block in self.flow.ops}:
            assert region is not None
            for block in region.blocks:
                if block in reached:
                    continue
                for op in [*block.walk()]:
                    if op in self.ownership.dynamic_calls:
                        self._add_call_results(op)
                if (last := block.last_op) is not None:
                    self._complete(last)

    def _complete(self, last: Operation) -> None:
        branch, parent = BranchOpInterface.of(last), last.parent_op()
        if branch is not None:
            for index, block in enumerate(last.successors):
                operands = [last.operands[i] for i in branch.forwarded(last, index)]
                missing = len(block.args) - len(operands)
                if missing:
                    false = [self._constant(False)] * missing
                    branch.forward(last, index, block, (*operands, *false))
            return
        missing = 0
        if parent is self.flow.function:
            if self.dynamic:
                missing = sum(map(is_memref_type, last.operand_types))
        elif parent is not None and (model := RegionBranchOpInterface.of(parent)):
            for way in model.branches(parent, last):
                missing = len(way.targets) - (len(last.operands) - way.first)
        last.operands = (*last.operands, *[self._constant(False)] * missing)
