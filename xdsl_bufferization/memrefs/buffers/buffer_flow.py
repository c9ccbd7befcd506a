"""
The control flow of a function, and the memrefs that it forwards; and which memrefs are no memory
of a tensor, unless `to_tensor` makes one of them (`is_local_memory`).

Source: the interfaces that MLIR's ownership-based deallocation asks,
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by, is_allocated
from xdsl_bufferization.interfaces.buffer_effects import (
    TOUCHES_ONLY,
    has_buffers,
    has_known_effects,
)
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.memrefs.buffers.call_effects import CallEffects
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import is_named, op_name
from xdsl_bufferization.support.regions import (
    block_of,
    blocks_in_order,
    exits,
    region_of,
)
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    may_hold_memory,
)


class EdgeKind(Enum):
    """Kinds of edges, by the op at their source."""

    BRANCH = auto()
    """It branches to a block of the same region."""
    ENTRY = auto()
    """It is an op with regions, which enters them, or passes them by."""
    EXIT = auto()
    """It is the terminator of a region of an op."""
    RETURN = auto()
    """It returns from the function."""


class ForwardedMemref(NamedTuple):
    """A memref among the operands of an edge's source, and where it is forwarded to."""

    operand: int
    value: SSAValue
    targets: Sequence[SSAValue]
    """Block arguments or results; several if control may go to several places."""


@dataclass(eq=False, slots=True)
class Edge:
    """An edge of the control flow, from an op to blocks or results."""

    source: Operation
    kind: EdgeKind
    memrefs: Sequence[ForwardedMemref]
    successor: int | None = None
    """For a branch, the index of the successor."""

    @property
    def block(self) -> Block:
        """The block that the source is in."""
        return block_of(self.source)

    @property
    def region(self) -> Region:
        """The region that the source is in."""
        return region_of(self.block)

    @property
    def branch(self) -> tuple[Block, int]:
        """For a branch, its target and the index of the successor."""
        assert self.successor is not None
        return self.source.successors[self.successor], self.successor

    @property
    def target_block(self) -> Block | None:
        """The successor of a branch."""
        return (
            None if self.successor is None else self.source.successors[self.successor]
        )


class BufferFlow:
    """
    The ops of a function that can be reached, and the edges of its control flow.

    `calls` says what calls free and store. If it is `complete`, the effects of all ops on memory
    are known, but for ops named `touches_only`, which neither allocate nor free memory: raises
    `BufferizationError` for others. Then it goes through tensors: those that are made of buffers,
    and of such tensors, count as views of the buffers.
    """

    def __init__(
        self,
        function: Operation,
        calls: CallEffects | None = None,
        *,
        complete: bool = False,
        touches_only: Container[str] = (),
    ):
        self.function = function
        self.complete = complete
        self.position: dict[Operation, int] = {}
        """The index of each op in its block."""
        self.ops: dict[Block, Sequence[Operation]] = {}
        self.edges: dict[Operation, list[Edge]] = {}
        """By source."""
        self.into: dict[Block, list[Block]] = {}
        """The predecessors of each block, once for each branch."""
        self._touches_only = touches_only
        self._calls = calls or CallEffects()
        self._around: dict[Region, Sequence[Operation]] = {}
        """The ops around each region, the outermost first."""
        for region in function.regions:
            self._around[region] = ()
        pending = [(region, True) for region in function.regions]
        while pending:
            region, known = pending.pop()
            for block in blocks_in_order(region):
                self.ops[block] = [*block.ops]
                self.into.setdefault(block, [])
                for index, op in enumerate(self.ops[block]):
                    self.position[op] = index
                    self._check(op, known)
                    if op.regions and not is_function(op) and not _is_scalar(op):
                        self._add_region_edges(op)
                        is_known = RegionBranchOpInterface.of(op) is not None
                        pending.extend((r, is_known) for r in reversed(op.regions))
                        around = (*self._around[region], op)
                        self._around.update((r, around) for r in op.regions)
                self._add_edges(block, known)

    def ancestor_in(self, region: Region, op: Operation) -> Operation | None:
        """The op of the region that is `op`, or encloses it; without a climb from op to op."""
        inner = region_of(block_of(op))
        if inner is region:
            return op
        around, depth = self._around[inner], len(self._around[region])
        if depth < len(around) and around[depth].parent_region() is region:
            return around[depth]
        return None

    def all_edges(self) -> Iterator[Edge]:
        """All edges, in the order of their sources."""
        for edges in self.edges.values():
            yield from edges

    def is_forwarded(self, op: Operation, operand: int) -> bool:
        """Whether the op forwards that operand, a memref, to a successor or a region."""
        return (op, operand) in self._forwarded_operands

    @cached_property
    def frees(self) -> Sequence[tuple[Operation, SSAValue]]:
        """The ops that free memory, with the memrefs; see `CallEffects.frees`."""
        return self._calls.frees(self.position)

    @cached_property
    def stores(self) -> Sequence[tuple[Operation, SSAValue]]:
        """The ops that may store memrefs, with these; see `CallEffects.stores`."""
        return self._calls.stores(self.position)

    def memrefs(self) -> Mapping[SSAValue, None]:
        """All memrefs, and tensors if it goes through these."""
        values: dict[SSAValue, None] = {
            value: None
            for op in self.position
            for value in (*op.operands, *op.results)
            if self.is_followed(value)
        }
        for block in self.ops:
            values.update((a, None) for a in block.args if self.is_followed(a))
        return values

    def is_followed(self, value: SSAValue) -> bool:
        """Whether the value is a memref; or a tensor, if it goes through these."""
        return is_memref_type(value.type) or (self.complete and is_tensor(value))

    @cached_property
    def _forwarded_operands(self) -> set[tuple[Operation, int]]:
        return {
            (edge.source, forwarded.operand)
            for edge in self.all_edges()
            for forwarded in edge.memrefs
        }

    def _check(self, op: Operation, known: bool) -> None:
        if not self.complete or not has_buffers(op):
            return
        if (
            not has_known_effects(op)
            and RegionBranchOpInterface.of(op) is None
            and not is_named(op, self._touches_only)
        ):
            raise BufferizationError(
                op,
                "may allocate or free memory: nothing is known of its effects",
                hint="if it does neither, say so with the option "
                f'touches-only="{op_name(op)}", or give it the attribute {TOUCHES_ONLY}, '
                "or register a model of "
                + ("RegionBranch" if op.regions else "BufferEffects")
                + "OpInterface",
            )
        if not known and allocated_by(op):
            self._refuse_regions(op.parent_op(), "allocates")

    def _refuse_regions(self, op: Operation | None, what: str) -> None:
        raise BufferizationError(
            op,
            f"{what} memrefs in a region, but nothing is known of when that runs and what "
            "it hands over",
            hint="register a model of RegionBranchOpInterface for it",
        )

    def _add_edges(self, block: Block, known: bool) -> None:
        last = block.last_op
        if last is None:
            return
        for index, successor in enumerate(last.successors):
            self.into.setdefault(successor, []).append(block)
            self.edges.setdefault(last, []).append(
                Edge(last, EdgeKind.BRANCH, self._forwarded(last, index), index)
            )
        if last.successors:
            return
        if block.parent_op() is self.function:
            returned = [ForwardedMemref(i, v, ()) for i, v in _memrefs(last)]
            self.edges[last] = [Edge(last, EdgeKind.RETURN, returned)]
        elif (
            not known
            and self.complete
            and (any(_memrefs(last)) or any(is_memref_type(a.type) for a in block.args))
        ):
            self._refuse_regions(block.parent_op(), "hands over")
        elif last not in self.edges:
            self.edges[last] = [Edge(last, EdgeKind.EXIT, ())]

    def _forwarded(self, op: Operation, successor: int) -> Sequence[ForwardedMemref]:
        block = op.successors[successor]
        model = BranchOpInterface.of(op)
        if model is None:
            if not self.complete:
                return ()
            raise BufferizationError(
                op,
                "branches, but nothing is known of what it hands over",
                hint="register a model of BranchOpInterface for it",
            )
        operands = model.forwarded(op, successor)
        return [
            ForwardedMemref(i, op.operands[i], (argument,))
            for i, argument in zip(operands, block.args, strict=True)
            if is_memref_type(argument.type)
        ]

    def _add_region_edges(self, op: Operation) -> None:
        model = RegionBranchOpInterface.of(op)
        if model is None:
            return
        sources = [(exit, EdgeKind.EXIT) for exit in exits(op)]
        if op.next_op is not None:
            sources.insert(0, (op, EdgeKind.ENTRY))
        for source, kind in sources:
            paths = [
                {
                    branch.first + i: target
                    for i, target in enumerate(branch.targets)
                    if is_memref_type(target.type)
                }
                for branch in model.branches(op, source)
            ]
            if any(p.keys() != paths[0].keys() for p in paths) and self.complete:
                raise BufferizationError(
                    source,
                    "hands different memrefs over, depending on where control goes: that "
                    "is not supported",
                )
            indices = sorted({i for path in paths for i in path})
            if indices and indices[-1] >= len(source.operands):
                raise BufferizationError(
                    source, f"hands over fewer values than '{op_name(op)}' takes"
                )
            forwarded = [
                ForwardedMemref(
                    i, source.operands[i], [path[i] for path in paths if i in path]
                )
                for i in indices
            ]
            self.edges[source] = [Edge(source, kind, forwarded)]


def _is_scalar(op: Operation) -> bool:
    """
    Whether the op only computes numbers in its regions, as `linalg.add` does on memrefs, so that
    the flow leaves these out.
    """
    return not op.results and all(
        region.first_block is region.last_block
        and all(
            not (nested.regions or nested.successors or _may_use_memory(nested))
            for block in region.blocks
            for nested in block.ops
        )
        for region in op.regions
    )


def _may_use_memory(op: Operation) -> bool:
    return any(
        is_memref_type(value.type) or may_hold_memory(value.type)
        for value in (*op.operands, *op.results)
    )


def base_of(value: SSAValue) -> SSAValue:
    """The memref at the root of a chain of views, each of a single operand."""
    while isinstance(value, OpResult):
        viewed = viewed_by(value)
        if len(viewed) != 1:
            break
        value = value.op.operands[viewed[0]]
    return value


def _memrefs(op: Operation) -> Iterator[tuple[int, SSAValue]]:
    return (
        (index, operand)
        for index, operand in enumerate(op.operands)
        if is_memref_type(operand.type)
    )


def is_local_memory(value: SSAValue) -> bool:
    """Whether the memref is a view of new memory, or of a global."""
    base = base_of(value)
    return isinstance(base.owner, memref.GetGlobalOp) or is_allocated(base)
