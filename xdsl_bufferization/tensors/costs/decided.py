"""
Costs from decisions: what a bufferization allocates, copies and keeps alive.

All of that follows from the tensor program: which operands are copied, which memory each
model says its op needs (`memory_use`), and in which order ops run. Buffers are followed along
operands that are in place, and along control flow. A buffer is alive from its allocation to
the last op that touches a value that may be it; where a loop is around that op and not around
the allocation, to the end of the loop.

    %a = tensor.empty() : tensor<4xf32>  // 16 bytes, from here ...
    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %c = tensor.extract %b[%i] : tensor<4xf32>  // ... to here

Positions are those of `ProgramPoints`, times `_SCALE`, so that the copies before and after an
op have room. Building takes time linear in the program, and each buffer time in proportion to
the values that it may be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.buffers.addresses import kept_operands
from xdsl_bufferization.buffers.call_effects import freed_operands
from xdsl_bufferization.buffers.live_ranges import Intervals
from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.buffers.stored_memrefs import stored_operands
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
    effect_on,
    has_buffers,
)
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    ForwardedCopy,
    MemoryUse,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface, may_return_source
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface, viewed_by
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    forwarded_to,
    where_copies_may_be,
)
from xdsl_bufferization.placement.hoisting_targets import (
    executed_at_most_once,
    outside_of_loops,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    memory_space_of,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    is_tensor_type,
    may_hold_memory,
)
from xdsl_bufferization.tensors.costs.buffer_types import (
    DecidedBufferTypes,
    UnknownCostError,
)
from xdsl_bufferization.tensors.costs.figures import Copies, FunctionCosts, LiveMemory
from xdsl_bufferization.tensors.costs.new_buffers import Buffer, NewBuffer

_SPACE = NoneAttr()
"""The default memory space, in which all buffers are that the rewrite allocates."""

_SCALE = 1 << 20
"""The distance of the positions of two ops."""


def decided_costs(
    one_shot: OneShotBufferization,
) -> Mapping[func.FuncOp, FunctionCosts]:
    """
    The costs of the functions that have been analysed.

    Raises `UnknownCostError` if an op's costs are not known.
    """
    options = one_shot.options
    if (
        options.function_boundary_type_conversion is not LayoutMapOption.INFER
        or not options.bufferize_function_boundaries
        or one_shot.has_memory_spaces()
    ):
        raise UnknownCostError
    forwarded: dict[Operation, list[ForwardedCopy]] = {}
    for copy in one_shot.forwarded_copies:
        forwarded.setdefault(copy.terminator, []).append(copy)
    return {
        info.op: _costs(info.op, analysis, forwarded, one_shot)
        for analysis in one_shot.analyses
        for info in analysis.program.ops
        if isinstance(info.op, func.FuncOp)
    }


def _costs(
    function: func.FuncOp,
    analysis: BufferizationAnalysis,
    forwarded: Mapping[Operation, Sequence[ForwardedCopy]],
    one_shot: OneShotBufferization,
) -> FunctionCosts:
    outputs = function.function_type.outputs
    spaces = [
        memory_space_of(type) if is_memref_type(type) else _SPACE
        for type in outputs
        if is_memref_type(type) or is_tensor_type(type)
    ]
    if not function.body.blocks:
        return FunctionCosts(Copies(), (), spaces)
    buffers = _Buffers(function, analysis, forwarded, one_shot)
    return FunctionCosts(buffers.copies, buffers.live_memory(), spaces)


@dataclass(eq=False, slots=True)
class _Memory:
    """An allocation to come; see `AliasedMemory`."""

    block: Block
    needed: frozenset[Block] = frozenset()
    """Empty: its size is static."""
    entered: set[Region] = field(default_factory=set[Region])
    joined: set[Region] = field(default_factory=set[Region])
    escapes: bool = False
    is_cloned: bool = False


class _Buffers:
    """The buffers of a function: where they are allocated, touched, and what they become."""

    def __init__(
        self,
        function: func.FuncOp,
        analysis: BufferizationAnalysis,
        forwarded: Mapping[Operation, Sequence[ForwardedCopy]],
        one_shot: OneShotBufferization,
    ):
        self.copies = Copies()
        self._function = function
        self._analysis = analysis
        self._forwarded = forwarded
        self._one_shot = one_shot
        self._points = ProgramPoints(function)
        self._data_layout = DataLayout.of(function)
        self._allocated: list[tuple[Buffer, int]] = []
        """Buffers with the positions at which they are allocated."""
        self._touched: dict[Buffer, list[tuple[Operation, int]]] = {}
        """By buffer the ops that touch it, and the positions at which they do."""
        self._new: set[SSAValue] = set()
        """Results that are new buffers, whatever their sources."""
        self._sources: dict[SSAValue, list[Buffer]] = {}
        """By tensor or memref the buffers that it is or is a part of, before the rewrite."""
        self._joined: set[SSAValue] = set()
        """Results of ops whose regions forward values to them."""
        self._returned: set[Buffer] = set()
        self._same: dict[SSAValue, object] = {}
        """What tells whether two values are the same buffer, or the same slice of one."""
        self._carried: dict[object, tuple[SSAValue, Buffer, Buffer]] = {}
        """By result of a `scf.for` the argument of its block, the init, and what it yields."""
        self._shared: set[SSAValue] = set()
        """Block arguments in whose place the buffer itself will be."""
        self._copied_results: dict[SSAValue, Buffer] = {}
        self._copied_operands: dict[tuple[Operation, int], Buffer] = {}
        self._replaced: set[tuple[Operation, int]] = set()
        """The operands that have new buffers in their place, without their contents."""
        self._added: dict[Operation, int] = {}
        """By op the number of copies before and after it."""
        operands: dict[Operation, Sequence[TensorOperand]] = {}
        self._ops = [
            op for op in self._points.at if op is not None and op is not function
        ]
        for op in self._ops:
            if (info := analysis.program.info(op)) is not None:
                operands[op] = info.operands
        self._types = DecidedBufferTypes(
            one_shot,
            self._operand,
            lambda value: self._sources.get(value, ()),
            self._joined,
        )
        for op in self._ops:
            for operand in operands.get(op, ()):
                if not analysis.is_in_place(operand):
                    self._copy_operand(operand)
            self._copy_forwarded(op)
            self._connect(op, operands.get(op, ()))
        for op in self._ops:
            self._use(op)
        self._derived: dict[Buffer, list[SSAValue]] = {}
        """By buffer the tensors and memrefs that are it, or a part of it."""
        for value, sources in self._sources.items():
            for source in sources if value not in self._new else ():
                self._derived.setdefault(source, []).append(value)

    # Copies that the decisions ask for

    def _copy_operand(self, operand: TensorOperand) -> None:
        op = operand.owner.op
        if self._one_shot.model_of(op) is None:
            raise UnknownCostError
        contents = not self._analysis.can_omit_copy(operand)
        if (result := forwarded_to(operand)) is not None:
            position = self._position(op) + 1 + self._add(op)
            source: Buffer = result
            new = NewBuffer(result.type, op, op)
            self._copied_results[result] = new
        else:
            place = where_copies_may_be(operand.owner)
            position = self._before(place)
            source = self._now(operand.value.value)
            new = NewBuffer(operand.value.value.type, op, place)
            self._copied_operands[op, operand.index] = new
        self._allocated.append((new, position))
        if contents:
            self._copy(source, new, new.place, position)
        elif result is None:
            self._replaced.add((op, operand.index))

    def _copy_forwarded(self, op: Operation) -> None:
        copies = self._forwarded.get(op, ())
        for copy in copies:
            if copy.through_new_memory or copy.destination is None:
                position = self._before(op)
                new = NewBuffer(op.operands[copy.operand].type, op, op)
                self._allocated.append((new, position))
                self._copy(self._operand(op, copy.operand), new, op, position)
                self._copied_operands[op, copy.operand] = new
        for copy in copies:
            if copy.destination is not None:
                source = self._operand(op, copy.operand)
                destination = self._now(copy.destination)
                if self._carried_from(source) is not self._carried_from(destination):
                    self._copy(source, destination, op, self._before(op))
                self._copied_operands[op, copy.operand] = destination

    def _copy(
        self, source: Buffer, destination: Buffer, op: Operation, position: int
    ) -> None:
        self.copies += Copies(1, self._size(source) or 0)
        self._touch(source, op, position)
        self._touch(destination, op, position)

    # Which buffers values are in

    def _connect(self, op: Operation, operands: Sequence[TensorOperand]) -> None:
        """Note the sources of the values that the op forwards its operands to."""
        for index, value in self._forwarded_values(op):
            self._add_source(value, self._operand(op, index))
        if self._forwards_to_regions(op):
            self._joined.update(op.results)
            self._note_inits(op)
        elif op.successors or op.next_op is None:
            self._note_yields(op)
        elif is_call(op) or has_buffers(op):
            followed = [i for i, v in enumerate(op.operands) if _is_followed(v)]
            for result in filter(_is_followed, op.results):
                for index in viewed_by(result) or followed:
                    self._add_source(result, self._operand(op, index))
        else:
            for operand in operands:
                for alias in operand.aliases:
                    self._add_source(alias.value, self._operand(op, operand.index))

    def _forwards_to_regions(self, op: Operation) -> bool:
        """Whether the op forwards tensors to its regions, and from these to its results."""
        if not op.regions or RegionBranchOpInterface.of(op) is None:
            return False
        model = BufferizableOpInterface.of(op)
        use = None if model is None else model.memory_use(op, self._types)
        return use is None or not use.touches

    def _forwarded_values(self, op: Operation) -> Iterator[tuple[int, SSAValue]]:
        """The operands that control flow forwards, and where to."""
        for number, successor in enumerate(op.successors):
            branch = BranchOpInterface.of(op)
            if branch is None:
                raise UnknownCostError
            for index, argument in zip(
                branch.forwarded(op, number), successor.args, strict=True
            ):
                if _is_followed(argument):
                    yield index, argument
        if op.successors:
            return
        parents = [op] if op.regions else []
        if op.next_op is None and (parent := op.parent_op()) is not self._function:
            assert parent is not None
            parents.append(parent)
        for parent in parents:
            model = RegionBranchOpInterface.of(parent)
            for branch in () if model is None else model.branches(parent, op):
                for index, target in enumerate(branch.targets, branch.first):
                    if _is_followed(target):
                        yield index, target

    def _note_inits(self, op: Operation) -> None:
        # `carried_from`, which tells which copies are not made, looks through this loop.
        if op_name(op) == "scf.for":
            for index, result in enumerate(op.results):
                if is_tensor(result):
                    init = self._operand(op, 3 + index)
                    argument = op.regions[0].block.args[1 + index]
                    self._carried[result] = argument, init, init

    def _note_yields(self, op: Operation) -> None:
        parent = op.parent_op()
        if parent is self._function and not op.successors:
            self._returned.update(
                self._operand(op, i)
                for i, v in enumerate(op.operands)
                if _is_followed(v)
            )
        elif parent is not None and op_name(parent) == "scf.for":
            for index, result in enumerate(parent.results):
                if result in self._carried:
                    argument, init, _ = self._carried[result]
                    self._carried[result] = argument, init, self._operand(op, index)

    def _add_source(self, value: SSAValue, source: Buffer) -> None:
        sources = self._sources.setdefault(value, [])
        if source not in sources[-1:]:
            sources.append(source)

    def _operand(self, op: Operation, index: int) -> Buffer:
        copied = self._copied_operands.get((op, index))
        return self._now(op.operands[index]) if copied is None else copied

    def _now(self, value: SSAValue) -> Buffer:
        return self._copied_results.get(value, value)

    def _same_as(self, buffer: Buffer) -> object:
        if isinstance(buffer, NewBuffer):
            return buffer
        return self._same.get(buffer, buffer)

    def _carried_from(self, buffer: Buffer) -> object:
        same = self._same_as(buffer)
        while (carried := self._carried.get(same)) is not None:
            argument, init, yielded = carried
            if self._carried_from(yielded) is not argument:
                break
            same = self._same_as(init)
        return same

    # What ops do with buffers

    def _use(self, op: Operation) -> None:
        tensors = [i for i, v in enumerate(op.operands) if is_tensor(v)]
        results = [r for r in op.results if is_tensor(r)]
        model = BufferizableOpInterface.of(op) if tensors or results else None
        if model is None:
            if tensors or results:
                raise UnknownCostError
            if has_buffers(op):
                self._use_buffers(op)
            return
        self._types.at = op
        use = model.memory_use(op, self._types)
        if use is None or self._one_shot.model_of(op) is None:
            raise UnknownCostError
        position = self._position(op)
        self._new.update(use.allocated)
        for result in use.allocated:
            if not use.touches and not self._is_used(result):
                continue
            self._allocated.append((result, position))
            if use.touches:
                self._touch(result, op, position)
        self._identify(op, use)
        self._copy_and_touch(op, use)
        if CopyOpInterface.of(op) is not None:
            self.copies += Copies(1, self._size(self._operand(op, 0)) or 0)

    def _is_used(self, result: OpResult) -> bool:
        """Whether operands are left that use the result, once copies take their place."""
        return any((u.operation, u.index) not in self._replaced for u in result.uses)

    def _copy_and_touch(self, op: Operation, use: MemoryUse) -> None:
        copied = use.copied
        if copied and use.part is not None and self._is_in_destination(op, use):
            return
        for index in copied:
            self.copies += Copies(1, self._size(self._operand(op, index)) or 0)
        if use.touches:
            for index, value in enumerate(op.operands):
                if _is_followed(value):
                    self._touch(self._operand(op, index), op, self._position(op))

    def _is_in_destination(self, op: Operation, use: MemoryUse) -> bool:
        """Whether the part of the destination that a copy goes to is its source already."""
        source, destination = (self._operand(op, index) for index in (0, 1))
        same, container = self._carried_from(source), self._same_as(destination)
        if use.part is WHOLE:
            container = self._carried_from(destination)
        return same is container or same == (container, use.part)

    def _identify(self, op: Operation, use: MemoryUse) -> None:
        """Note which buffer, or which slice of one, the results are."""
        if use.part is None:
            return
        if use.touches or use.part is WHOLE:
            # The result is the buffer of the operand that aliases it.
            for value in (*op.results, *(a for r in op.regions for a in _arguments(r))):
                if len(sources := self._sources.get(value, ())) == 1:
                    self._same[value] = self._same_as(sources[0])
                    if isinstance(value, BlockArgument):
                        self._shared.add(value)
        else:
            container = self._same_as(self._operand(op, 0))
            self._same[op.results[0]] = container, use.part

    def _use_buffers(self, op: Operation) -> None:
        """Follow an op on memrefs that the program has already."""
        if isinstance(op, memref.AllocOp):
            type = op.memref.type
            if not has_identity_layout(type) or type.memory_space != _SPACE:
                raise UnknownCostError
            self._allocated.append((op.memref, self._position(op)))
            return
        if op.successors or op.next_op is None or op.regions:
            return
        if not _is_known(op):
            raise UnknownCostError
        if (copy := CopyOpInterface.of(op)) is not None:
            size = self._data_layout.bytes_of_contents(copy.source(op).type)
            self.copies += Copies(1, size or 0)
        for index, value in enumerate(op.operands):
            if is_memref_type(value.type):
                if effect_on(op, index) is not BufferEffect.NONE:
                    self._touch(self._operand(op, index), op, self._position(op))

    # Positions

    def _position(self, op: Operation) -> int:
        return int(self._points.position(op)) * _SCALE

    def _before(self, op: Operation) -> int:
        return self._position(op) - _SCALE // 2 + self._add(op)

    def _add(self, op: Operation) -> int:
        self._added[op] = self._added.get(op, 0) + 1
        return self._added[op]

    def _touch(self, buffer: Buffer, op: Operation, position: int) -> None:
        self._touched.setdefault(buffer, []).append((op, position))

    def _size(self, buffer: Buffer) -> int | None:
        return self._data_layout.bytes_of_contents(buffer.type)

    # Live ranges

    def live_memory(self) -> Iterator[LiveMemory]:
        """The memory that is allocated, if each buffer is freed after its last use."""
        for buffer, position in self._allocated:
            size = self._size(buffer)
            if not size:
                continue
            op = buffer.op if isinstance(buffer, NewBuffer) else buffer.owner
            assert isinstance(op, Operation)
            values = [*reachable([buffer], lambda b: self._derived.get(b, ()))]
            if self._is_freed(buffer, position, values):
                first, end = self._interval(position, values)
                yield LiveMemory(first, end, size, _SPACE, op)
            else:
                yield LiveMemory(position, math.inf, size, _SPACE, op)

    def _is_freed(
        self, buffer: Buffer, position: int, values: Sequence[Buffer]
    ) -> bool:
        """Whether the function can free the memory after its last use."""
        if not self._returned.isdisjoint(values):
            return False
        place = buffer.place if isinstance(buffer, NewBuffer) else None
        block = block_of(buffer) if isinstance(buffer, SSAValue) else None
        if place is not None:
            block = place.parent
        assert block is not None
        memory = _Memory(block)
        arguments = [
            value
            for value in values
            if isinstance(value, BlockArgument)
            and value not in self._shared
            and value.first_use is not None
        ]
        for argument in arguments:
            region = argument.block.parent
            assert region is not None
            is_first = argument.block is region.first_block
            (memory.entered if is_first else memory.joined).add(region)
        return executed_at_most_once(
            outside_of_loops(memory, self._tree), self._tree
        ) and not any(
            self._points.defined_at(argument) * _SCALE < position
            for argument in arguments
        )

    def _interval(self, position: int, values: Sequence[Buffer]) -> tuple[int, int]:
        first = end = position
        for value in values:
            for op, touched in self._touched.get(value, ()):
                lower = upper = touched
                start = int(self._points.position(op))
                loop = self._points.loop(start, without=position / _SCALE)
                if loop is not None:
                    lower, upper = loop.first * _SCALE, loop.last * _SCALE
                elif touched == start * _SCALE:
                    upper = self._intervals.end(op) * _SCALE
                first, end = min(first, lower), max(end, upper + 1)
        return first, end

    @cached_property
    def _tree(self) -> DominatorTree:
        return DominatorTree(self._function.regions)

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self._points)


def _is_followed(value: SSAValue) -> bool:
    return is_tensor(value) or is_memref_type(value.type)


def _arguments(region: Region) -> Sequence[SSAValue]:
    first = region.blocks.first
    return () if first is None else first.args


def _is_known(op: Operation) -> bool:
    """Whether an op on memrefs neither frees, clones nor keeps them, nor loads one."""
    if ViewLikeOpInterface.of(op) is None and (
        BufferEffectsOpInterface.of(op) is None
        or any(may_hold_memory(result.type) for result in op.results)
    ):
        # Memory on the stack, and globals.
        return not any(is_memref_type(value.type) for value in op.operands)
    return not (
        freed_operands(op)
        or stored_operands(op)
        or kept_operands(op)
        or may_return_source(op)
    )
