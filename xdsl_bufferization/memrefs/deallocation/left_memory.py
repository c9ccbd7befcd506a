"""
Memory that is left to the program, because it may be used for longer than can be seen.

    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    memref.store %n, %table[%i] : memref<8xmemref<4xf32>>
    // neither %m nor %n is freed: %t, and whatever loads from %table, may be used later

- Ops that stay on tensors use the memory of their operands, and that of their results may be
  the same. Tensors are followed from op to op. A tensor is *lost* where control flow, or a value
  of another kind, hands it over.
- A memref that is stored in memory may be loaded by any op, in any function, unless only the
  function uses that memory. A pointer to its memory, or a value that has such a pointer, may be
  stored, too, or returned.

Memory that the program frees itself is left to it, with all its aliases. Memory that it frees on
some paths only is freed as if it did not, if the function allocates all of it and
only `memref.dealloc` frees it:

    scf.if %c { memref.dealloc %m }    // the op is erased, and %m freed after its last use

Memory that the program frees on some paths only.

The *balance* of a class of aliases is the number of its allocations on a path, less the number of
its frees. In a program that frees nothing twice, a class leaks nothing if its balance is 0 at each
return:

    %m = memref.alloc() : memref<4xf32>                              // 1
    scf.if %c { memref.dealloc %m } else { memref.dealloc %m }       // 0

    scf.if %c { memref.dealloc %m }                                  // 0 or 1: leaks if not %c

Memory that is returned is the caller's to free. Direction: forward over the blocks of a region,
regions within it first. The cost is linear in the ops, and in the blocks with a balance other than
0.

Programs that free memory themselves, and do so wrongly.

Memory that a program frees itself is left to the program; what is certainly wrong is refused:

    memref.dealloc %m : memref<4xf32>
    %x = memref.load %m[%i] : memref<4xf32>    // used after it is freed
    scf.for ... { memref.dealloc %n }          // %n is from outside: freed in each iteration
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from xdsl.dialects.memref import DeallocOp as MemrefDeallocOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, allocated_by
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.memrefs.buffers.buffer_flow import (
    BufferFlow,
    EdgeKind,
    base_of,
)
from xdsl_bufferization.memrefs.buffers.call_effects import is_pointer_like
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlowGraph,
    memory_of,
)
from xdsl_bufferization.support.call_graph import (
    is_call,
    is_function,
    is_function_argument,
)
from xdsl_bufferization.support.diagnostics import BufferizationError, print_remark
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import (
    DominatorTree,
    ancestor_in,
    block_of,
    blocks_in_order,
    defined_by,
    defining_op,
    reachable,
    region_of,
    successors,
)
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
)


def owned_results(op: Operation) -> Sequence[SSAValue]:
    """The results whose memory the function has to free."""
    if is_call(op):
        return [result for result in op.results if is_memref_type(result.type)]
    return allocated_by(op)


def partly_freed(
    flow: BufferFlow,
    class_of: Callable[[SSAValue], SSAValue],
    freed: Container[SSAValue],
) -> set[SSAValue]:
    """
    The classes, among those that the program frees, with a balance other than 0 at a return, or a
    balance that depends on the path.
    """
    changes: dict[Operation, Counter[SSAValue]] = {}
    found: set[SSAValue] = set()
    ends: dict[Region, Mapping[SSAValue, int]] = {}
    """The balances at the end of each region, without those that are 0."""

    def add(op: Operation, values: Iterable[SSAValue], number: int) -> None:
        for value in values:
            if (memory := class_of(value)) in freed:
                changes.setdefault(op, Counter())[memory] += number

    def join(a: Mapping[SSAValue, int], b: Mapping[SSAValue, int]) -> None:
        found.update(memory for memory, _ in a.items() ^ b.items())

    for op in flow.position:
        add(op, owned_results(op), 1)
    for op, value in flow.frees:
        add(op, [value], -1)
    for edge in flow.all_edges():
        if edge.kind is EdgeKind.RETURN:
            add(edge.source, {memref.value for memref in edge.memrefs}, -1)
    # Regions come before those in them.
    for region in reversed(dict.fromkeys(map(region_of, flow.ops))):
        before: dict[Block | None, Mapping[SSAValue, int]] = {}
        for block in blocks_in_order(region):
            balance = Counter[SSAValue](before.get(block))
            for op in flow.ops[block]:
                change = changes.get(op, Counter())
                outcomes = [ends.get(region, Counter()) for region in op.regions]
                model = RegionBranchOpInterface.of(op) if outcomes else None
                if model is not None and is_conditional(op, model):
                    change = outcomes[0]
                for outcome in outcomes:
                    join(outcome, change)
                balance.update(change)
            known = {memory: number for memory, number in balance.items() if number}
            for following in successors(block) or (None,):
                join(before.setdefault(following, known), known)
        ends[region] = before.get(None, {})
    join(ends[flow.function.regions[0]], {})
    return found


_HINT = "free it where it is no longer needed, or hand over a copy of its contents"
_FREE_HINT = "free it on all paths, or on none; run expand-realloc first"


class _Reason(NamedTuple):
    """Why memory is left to the program: the op, what it does, and what to do about that."""

    op: Operation
    why: str
    relation: str
    hint: str


class LeftMemory:
    """
    The memory of a function that is left to the program. Tensors count if the flow goes through
    them; `graph` is that of the flow, with addresses. Raises `BufferizationError` for a program
    that frees memory wrongly.
    """

    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self._flow = flow
        self._graph = graph
        self._reasons: dict[SSAValue, _Reason] = {}
        """By class of aliases; the program may free the others, too."""
        self._freed: dict[SSAValue, list[Operation]] = {}
        """By class of aliases, the ops of the program that free it."""
        self.replaced: list[Operation] = []
        """The frees of memory that is not left to the program."""
        _check_frees(flow, graph)
        for value, reason in (*_lost_tensors(flow), *_handed_over(flow, graph)):
            self._reasons.setdefault(self._graph.class_of(value), reason)
        for op, value in flow.frees:
            self._freed.setdefault(self._graph.class_of(value), []).append(op)
        if self._freed:
            self._find_partly_freed()

    def __contains__(self, value: SSAValue) -> bool:
        return self._is_in(self._reasons, value) or self.is_freed(value)

    def is_freed(self, value: SSAValue) -> bool:
        """Whether an op of the program frees memory that the memref may alias."""
        return self._is_in(self._freed, value)

    def _is_in(self, classes: Mapping[SSAValue, object], value: SSAValue) -> bool:
        # Most functions leave nothing, and have no classes.
        return bool(classes) and self._graph.class_of(value) in classes

    def is_only_joined(self, value: SSAValue) -> bool:
        """
        Whether the memref is memory that the function neither allocates nor frees: it is in a class
        with memory that the program frees because control flow joins the two.

            %r = scf.if %c -> (memref<4xf32>) { memref.dealloc %m; yield %arg } else { yield %m }
            return %r, %arg    // the program sees to %r; %arg is the caller's
        """
        return not any(
            memref in self._may_be_freed
            or (isinstance(memref, OpResult) and memref in owned_results(memref.op))
            for memref in reachable([value], self._graph.aliases_of)
        )

    @cached_property
    def _may_be_freed(self) -> Container[SSAValue]:
        """The memrefs that the program frees, and those that these may be."""
        freed = (value for _, value in self._flow.frees)
        return reachable(freed, self._graph.aliases_of)

    def print_remarks(self) -> None:
        """Tell which allocations, and results of calls, are left to the program."""
        for op in self._flow.position if self._reasons else ():
            reasons = (
                self._reasons.get(self._graph.class_of(v)) for v in owned_results(op)
            )
            if (reason := next(filter(None, reasons), None)) is not None:
                print_remark(
                    op,
                    f"is left to the program: nothing frees it here, because {reason.why}",
                    related=[(reason.relation, reason.op)],
                    hint=reason.hint,
                )

    def erase_replaced(self) -> None:
        """Erase the frees of memory that is not left to the program."""
        for op in self.replaced:
            op.detach()
            op.erase()

    def _find_partly_freed(self) -> None:
        """
        Decide about memory that the program frees on some paths only: it is left to the program,
        unless the function allocates all of it, on the heap or on the stack, and only
        `memref.dealloc` frees it.
        """
        partly = partly_freed(self._flow, self._graph.class_of, self._freed)
        own = {
            result
            for op in self._flow.position
            if MANUAL_DEALLOCATION not in op.attributes
            for result in (*owned_results(op), *memory_of(op))
        }
        others = {
            self._graph.class_of(value)
            for value in (self._flow.memrefs() if partly else ())
            if value not in own
            and (self._graph.is_from_outside(value) or not self._graph.sources(value))
        }
        for memory in partly:
            ops = self._freed[memory]
            if any(
                isinstance(op, DeallocOp) or MANUAL_DEALLOCATION in op.attributes
                for op in ops
            ):
                continue  # It is known at run time only, or to the program.
            is_left = memory in self._reasons or memory in others
            if not is_left and all(isinstance(op, MemrefDeallocOp) for op in ops):
                self.replaced += self._freed.pop(memory)
                continue
            why = f"{op_name(ops[0])} frees it on some paths only"
            reason = _Reason(ops[0], why, "it is freed", _FREE_HINT)
            self._reasons.setdefault(memory, reason)


def _lost_tensors(flow: BufferFlow) -> Iterator[tuple[SSAValue, _Reason]]:
    for op in flow.position if flow.complete else ():
        if _loses_tensors(op):
            reason = _Reason(
                op,
                "tensors of its memory are handed over",
                "a tensor goes",
                "bufferize that op, too, to have the memory freed",
            )
            yield from ((value, reason) for value in op.operands if is_tensor(value))


def _loses_tensors(op: Operation) -> bool:
    """Whether the op hands tensors over to where they are not followed."""
    if not any(map(is_tensor, op.operands)):
        return False
    if op.regions or op.successors or op.next_op is None:
        return True
    return any(map(is_pointer_like, op.result_types))


def _handed_over(
    flow: BufferFlow, graph: MemrefFlowGraph
) -> Iterator[tuple[SSAValue, _Reason]]:
    """
    The memrefs that an op may store in memory, or whose memory a value that is stored or
    returned may point to. `graph` is that of the flow, with addresses.
    """
    kept = [
        (value, op, "it is stored in memory, from where any op may load it")
        for op, value in flow.stores
        if op not in graph.local_stores
    ]
    kept += [
        (value, edge.source, "a value that may point to it is returned")
        for edge in flow.all_edges()
        if edge.kind is EdgeKind.RETURN
        for value in edge.source.operands
        if is_pointer_like(value.type) and not is_memref_type(value.type)
    ]
    if not kept:
        return
    followed = flow.memrefs()

    def pointed_to(value: SSAValue) -> Iterator[SSAValue]:
        if not is_memref_type(value.type):
            yield from (flow.source for flow in graph.sources(value))

    for value, op, why in kept:
        for memref in reachable([value], pointed_to):
            if memref in followed:
                yield memref, _Reason(op, why, "that is done", _HINT)


def _check_frees(flow: BufferFlow, graph: MemrefFlowGraph) -> None:
    """
    Raises `BufferizationError` for memory that is used or freed after an op has freed it;
    that is allocated outside of a loop and freed in each iteration; or that the function must
    not free: its arguments, globals and the stack.
    """
    tree = cache(lambda: DominatorTree(flow.function.regions))

    def views(value: SSAValue) -> Iterator[SSAValue]:
        """The memrefs that are views of this one alone."""
        for view in graph.derived(value):
            if view.kind is FlowKind.VIEW and len(graph.sources(view.target)) == 1:
                yield view.target

    for op, memref in flow.frees:
        if (
            isinstance(op, DeallocOp)  # It is decided at run time what it frees.
            or is_call(op)
            or MANUAL_DEALLOCATION in op.attributes
        ):
            continue
        base = base_of(memref)
        _check_allocation(op, base)
        _check_loops(op, base)
        _check_later_uses(flow, op, reachable([base], views), tree)


def _check_allocation(op: Operation, base: SSAValue) -> None:
    if isinstance(base, BlockArgument):
        what = "an argument of the function, which its caller has to free"
        wrong = is_function_argument(base)
    else:
        owner = defining_op(base)
        model = AllocationOpInterface.of(owner)
        is_global = owner.name == "memref.get_global"
        what = "a global" if is_global else "memory on the stack"
        wrong = is_global or (model is not None and not model.is_freed(owner))
    if wrong:
        raise BufferizationError(
            op,
            f"frees {what}",
            hint=f"the attribute {MANUAL_DEALLOCATION} says that this is meant",
        )


def _check_loops(op: Operation, base: SSAValue) -> None:
    region, defined_in = op.parent_region(), region_of(block_of(base))
    while region is not None and region is not defined_in:
        parent = region.parent
        if parent is None or is_function(parent):
            return
        model = RegionBranchOpInterface.of(parent)
        if model is not None and model.is_repetitive(
            parent, parent.regions.index(region)
        ):
            raise BufferizationError(
                op,
                "frees memory in each run of a loop that is allocated once, outside of it",
                related=[("the loop", parent), ("it is allocated", defined_by(base))],
            )
        region = parent.parent_region()


def _check_later_uses(
    flow: BufferFlow,
    op: Operation,
    freed: Iterable[SSAValue],
    tree: Callable[[], DominatorTree],
) -> None:
    region = region_of(block_of(next(iter(freed))))
    if op.parent_region() is not region:
        return  # not on every path
    block = block_of(op)
    for user in (use.operation for memref in freed for use in memref.uses):
        outermost = ancestor_in(region, user)
        if outermost is None or outermost is op or outermost not in flow.position:
            continue
        user_block = block_of(outermost)
        if user_block is block:
            is_later = flow.position[outermost] > flow.position[op]
        else:
            is_later = tree().dominates(block, user_block)
        if is_later:
            raise BufferizationError(
                user,
                "uses memory that is freed already",
                related=[("it is freed", op)],
                hint="free memory once, after its last use, or leave it to the pass",
            )
