"""
The buffers that a tensor program will be in: which are allocated, who touches them, and which
values may be them.

All of that follows from the decisions, from the memory that each model says its op needs
(`memory_use`), and from control flow. One pass over the ops, in the order of their positions,
follows each buffer along operands that are in place:

    %a = tensor.empty() : tensor<4xf32>                       // allocated
    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>)   // touched; %b is the same buffer
    %c = tensor.extract %b[%i] : tensor<4xf32>                // touched

A copy is a buffer of its own, in place of the operand or the result from then on. Only what a
loop forwards to its next iteration is known later than its first use; types that depend on
it are verified at the end. Takes time linear in the program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeGuard, cast

from xdsl.dialects import func
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    effect_on,
    has_buffers,
)
from xdsl_bufferization.interfaces.bufferizable import (
    BufferRelation,
    ForwardedCopy,
    MemoryUse,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo
from xdsl_bufferization.one_shot.rewriting.buffer_types import BufferTypeInference
from xdsl_bufferization.one_shot.rewriting.tensor_copies import by_terminator
from xdsl_bufferization.support.call_graph import is_call, is_function
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.limits import MAX_TYPE_ROUNDS
from xdsl_bufferization.support.memref_types import fully_dynamic_type, identity_type
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.regions import index_of
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_memref_type,
    is_tensor,
)
from xdsl_bufferization.tensors.costs.buffer_uses import (
    SCALE,
    BufferUses,
    DecidedCopies,
    SameMemory,
    SpaceOf,
    space_of_buffer,
)
from xdsl_bufferization.tensors.costs.profile import Buffer, NewBuffer


class DecidedProgram:
    """Decisions about a program, and what the buffers of its functions depend on."""

    def __init__(self, one_shot: OneShotBufferization):
        self.one_shot = one_shot
        self.space_of: SpaceOf = one_shot.memory_space_of()
        self.forwarded: Mapping[Operation, Sequence[ForwardedCopy]] = by_terminator(
            one_shot.forwarded_copies
        )
        self.infers: bool = (
            one_shot.options.function_boundary_type_conversion is LayoutMapOption.INFER
        )
        """Whether the types of the results of functions depend on what these return."""
        self.results: dict[func.FuncOp, Callable[[int], MemRef]] = {}
        """The types of results by index, for functions that are called, where they depend on it."""

    def uses_in(self, function: func.FuncOp, analysis: OneShotAnalysis) -> BufferUses:
        """
        The buffers of a function whose callees have been asked for, followed again while a loop is
        found to carry buffers of different types.
        """
        differing: set[SSAValue] = set()
        buffers, known = DecidedBuffers(self, function, analysis, differing), 0
        for _ in MAX_TYPE_ROUNDS.steps():
            if len(differing) == known:
                break
            known = len(differing)
            buffers = DecidedBuffers(self, function, analysis, differing)
        if self.infers and function not in self.one_shot.call_graph.recursive:
            self.results[function] = buffers.result_type
        return buffers.uses


class DecidedBuffers:
    """
    Follows the buffers of a function that has been analysed, and records their `uses`.

    `differing` are the values that are known to be one of several buffers of different types; if
    there are more, these are added to them.
    """

    def __init__(
        self,
        program: DecidedProgram,
        function: func.FuncOp,
        analysis: OneShotAnalysis,
        differing: set[SSAValue],
    ):
        self.uses = BufferUses(function, analysis.program)
        self._function = function
        self._same = SameMemory()
        self._copies = DecidedCopies(analysis, program.forwarded, self.uses, self._same)
        self._conditions: dict[Operation, Mapping[int, Buffer]] = {}
        """By `scf.while`: the buffers that its first region forwards."""
        self._returns: list[Operation] = []
        self._types = DecidedBufferTypes(program, self._copies, differing)
        self._follow_all(analysis.program.info)
        self._types.verify_joins()
        self._drop_unused()

    def result_type(self, index: int) -> MemRef:
        """The type of the buffer that the function returns, unless it is recursive."""
        donated = donated_arguments(self._function).get(index)
        if donated is not None:
            return self._types.type_of(self._function.args[donated])
        types = [
            self._types.type_of(self._copies.operand(op, index)) for op in self._returns
        ]
        returned = next(iter(self._returns), self._function)
        return self._types.common_type(returned.operands[index], types)

    def _follow_all(self, info_of: Callable[[Operation], OpInfo | None]) -> None:
        for position, op in enumerate(self.uses.points.at):
            if op is None:
                continue
            info = info_of(op)
            if info is not None and (info.operands or any(map(is_tensor, op.results))):
                self._follow_tensors(op, info, position)
            elif has_buffers(op):
                self._follow_memrefs(op, position)

    def _drop_unused(self) -> None:
        """Drop empty tensors that are used for nothing but their size, once copies are made."""
        self.uses.allocated = [
            (buffer, time)
            for buffer, time in self.uses.allocated
            if buffer in self.uses.touches
            or isinstance(buffer, NewBuffer)
            or is_memref_type(buffer.type)
            or self._copies.is_used(buffer)
        ]

    # Ops on tensors

    def _follow_tensors(self, op: Operation, info: OpInfo, position: int) -> None:
        has_copies = self._copies.copy_for(info)
        self._types.at = op
        told = info.model and info.model.memory_use(op, self._types)
        use = told or _default_use(op, info)
        for result in use.allocated:
            self.uses.allocated.append((result, position * SCALE))
        for index in use.relaid:
            self._copies.copy_before(op, index, is_relaid=True)
            has_copies = True
        if has_copies or len(info.operands) < len(op.operands):
            buffers = self._buffers(op)
        else:
            # Most ops have no other operands than tensors.
            now = self._copies.now
            buffers = {o.index: now(o.value.value) for o in info.operands}
        if op.next_op is None or (op.regions and not use.touches):
            self._forward(op, buffers)
        elif is_call(op) or _has_memrefs(op, info, buffers):
            self._connect_memrefs(op, buffers, use.allocated)
        else:
            self._connect(info, buffers, use.allocated)
        if info.model is None:
            # Nothing tells when it is done with them.
            self.uses.returned.update(buffers.values())
        if use.part is not None:
            self._identify(op, use)
        self._copy_and_touch(op, use, buffers, position)
        if CopyOpInterface.of(op) is not None:
            self.uses.copy(buffers[0], op)

    def _buffers(self, op: Operation) -> Mapping[int, Buffer]:
        """The operands that are tensors or memrefs, by index, with their buffers."""
        return {
            index: self._copies.operand(op, index)
            for index, value in enumerate(op.operands)
            if is_tensor(value) or is_memref_type(value.type)
        }

    def _connect(
        self, info: OpInfo, buffers: Mapping[int, Buffer], new: Sequence[OpResult]
    ) -> None:
        """Note which results the operands are in, as the analysis has found."""
        for operand in info.operands:
            for alias in operand.aliases:
                self.uses.add_source(alias.value, buffers[operand.index], new)

    def _connect_memrefs(
        self, op: Operation, buffers: Mapping[int, Buffer], new: Sequence[OpResult] = ()
    ) -> None:
        """Note which results the operands may be in, for an op that has memrefs."""
        results = [r for r in op.results if is_tensor(r) or is_memref_type(r.type)]
        if is_call(op) and results:
            # No result has a type that depends on the operands.
            memory = NewBuffer(results[0], op, op)
            for buffer in buffers.values():
                self.uses.derived.setdefault(buffer, []).append(memory)
            self.uses.derived[memory] = [*results]
            return
        for result in results:
            for index in viewed_by(result) or buffers:
                self.uses.add_source(result, buffers[index], new)

    def _identify(self, op: Operation, use: MemoryUse) -> None:
        """Note which buffer, or which slice of one, the results are."""
        if not use.touches and use.part is not WHOLE:
            self._same.note(op.results[0], self._copies.operand(op, 0), use.part)
            return
        # The result is the buffer of the operand that aliases it.
        for value in op.results:
            if len(sources := self.uses.sources_of(value)) == 1:
                self._same.note(value, sources[0])
        for argument in () if use.touches else _entry_arguments(op):
            if len(sources := self.uses.sources_of(argument)) == 1:
                self._same.note(argument, sources[0])
                self.uses.shared.add(argument)

    def _copy_and_touch(
        self,
        op: Operation,
        use: MemoryUse,
        buffers: Mapping[int, Buffer],
        position: int,
    ) -> None:
        if use.copied:
            if use.part is not None and self._same.is_part(
                buffers[0], buffers[1], use.part
            ):
                return
            for index in use.copied:
                self.uses.copy(buffers[index], op)
        for result in use.filled:
            self.uses.copy(result, op)
        if use.touches:
            touch = self.uses.touch_of(op, position)
            self.uses.touch(use.allocated, touch)
            self.uses.touch(buffers.values(), touch)

    # Control flow

    def _forward(
        self, op: Operation, buffers: Mapping[int, Buffer]
    ) -> AbstractSet[int]:
        """
        Note where a terminator, or an op with regions, forwards its operands, given their
        buffers; returns the indices of those that it does forward.
        """
        forwarded: set[int] = set()
        for index, value in self._forwarded_values(op):
            if index in buffers:
                forwarded.add(index)
                self.uses.add_source(value, buffers[index])
        if op.regions:
            self._types.joined.update(op.results)
        if op.next_op is None and not op.successors:
            parent = op.parent_op()
            if parent is self._function:
                self._returns.append(op)
                self.uses.returned.update(buffers.values())
                forwarded.update(buffers)
            elif parent is not None and op_name(parent) == "scf.for":
                self._note_loop(parent, buffers)
            elif parent is not None and op_name(parent) == "scf.while":
                self._note_while(parent, op, buffers)
            elif parent is not None:
                self._note_yielded(parent, op, buffers)
        return forwarded

    def _forwarded_values(self, op: Operation) -> Iterator[tuple[int, SSAValue]]:
        """The operands that control flow forwards, and where to."""
        for number, successor in enumerate(op.successors):
            branch = BranchOpInterface.of(op)
            if branch is not None:
                forwarded = branch.forwarded(op, number)
                yield from zip(forwarded, successor.args, strict=True)
        if op.successors:
            return
        parents = [op] if op.regions else []
        parent = op.parent_op() if op.next_op is None else None
        if parent is not None and parent is not self._function:
            parents.append(parent)
        for parent in parents:
            model = RegionBranchOpInterface.of(parent)
            for branch in () if model is None else model.branches(parent, op):
                yield from enumerate(branch.targets, branch.first)

    def _note_loop(self, loop: Operation, yielded: Mapping[int, Buffer]) -> None:
        """Note whether a `scf.for` yields the buffers that it started with."""
        arguments = loop.regions[0].block.args
        for index, result in enumerate(loop.results):
            if is_tensor(result):
                init = self._copies.operand(loop, 3 + index)
                self._same.note_loop(result, init, arguments[1 + index], yielded[index])

    def _note_while(
        self, loop: Operation, terminator: Operation, forwarded: Mapping[int, Buffer]
    ) -> None:
        """
        Note whether a `scf.while` goes on with the buffers that it started with, at the end of
        its second region, given what the first one has forwarded.
        """
        before, after = (region.block for region in loop.regions)
        if terminator is before.last_op:
            self._conditions[loop] = forwarded
            return
        starts: dict[Hashable, int] = {a: a.index for a in before.args}
        for operand, buffer in self._conditions.get(loop, {}).items():
            position = starts.get(self._same.outside_of_loops(buffer))
            if position is not None and position in forwarded:
                self._same.note_loop(
                    loop.results[operand - 1],
                    self._copies.operand(loop, position),
                    after.args[operand - 1],
                    forwarded[position],
                )

    def _note_yielded(
        self, op: Operation, terminator: Operation, yielded: Mapping[int, Buffer]
    ) -> None:
        """Note which buffers a region of a conditional yields."""
        model = RegionBranchOpInterface.of(op)
        if model is None or not is_conditional(op, model):
            return
        for branch in model.branches(op, terminator):
            for index, result in enumerate(branch.targets, branch.first):
                if index in yielded:
                    self._same.note_yielded(result, yielded[index])

    # Ops on memrefs

    def _follow_memrefs(self, op: Operation, position: int) -> None:
        """Follow an op on memrefs that the program has already."""
        allocated = allocated_by(op)
        self.uses.allocated += [(value, position * SCALE) for value in allocated]
        buffers = self._buffers(op)
        forwarded: AbstractSet[int] = frozenset()
        if op.regions or op.successors or op.next_op is None:
            forwarded = self._forward(op, buffers)
        else:
            self._connect_memrefs(op, buffers, allocated)
        if (copy := CopyOpInterface.of(op)) is not None:
            self.uses.copy(copy.source(op), op)
        for index, buffer in buffers.items():
            if index not in forwarded:
                if effect_on(op, index) is not BufferEffect.NONE:
                    self.uses.touch((buffer,), self.uses.touch_of(op, position))


def _entry_arguments(op: Operation) -> Iterator[SSAValue]:
    """The arguments of the first block of each region."""
    for region in op.regions:
        if (block := region.blocks.first) is not None:
            yield from block.args


def _has_memrefs(op: Operation, info: OpInfo, buffers: Mapping[int, Buffer]) -> bool:
    """Whether some of the op's operands or results are memrefs."""
    return len(buffers) > len(info.operands) or any(
        is_memref_type(result.type) for result in op.results
    )


def _default_use(op: Operation, info: OpInfo) -> MemoryUse:
    """
    The use that follows from what the op reads, writes and allocates. A terminator forwards what it
    reads, and touches nothing.
    """
    model = info.model
    new = [r for r in op.results if is_tensor(r) and model and model.allocates(op, r)]
    reads = op.next_op is not None
    accesses = any(o.writes or (reads and o.reads) for o in info.operands)
    is_whole = all(
        alias.relation is BufferRelation.EQUIVALENT
        for operand in info.operands
        for alias in operand.aliases
    )
    return MemoryUse(
        new,
        touches=accesses or bool(new) or model is None,
        part=WHOLE if is_whole else None,
    )


class DecidedBufferTypes(BufferTypeInference):
    """
    Answers `buffer_type` for the operands of the op `at`, with their `copies` where these take
    their place.

    A tensor that may be several buffers has their type if they agree, and a dynamic layout
    otherwise. What control flow joins, such as a loop-carried tensor, is assumed to have the
    type of the sources that are known, until `verify_joins`. Those that are found to differ
    are added to `differing`, for another attempt. Takes time linear in the ops that the
    answers depend on.
    """

    def __init__(
        self, program: DecidedProgram, copies: DecidedCopies, differing: set[SSAValue]
    ):
        one_shot = program.one_shot
        graph = one_shot.call_graph
        super().__init__(
            one_shot.options, one_shot.model_of, graph.callee, graph.recursive
        )
        self.at: Operation | None = None
        self.joined: set[SSAValue] = set()
        """Results that regions forward values to."""
        self._program = program
        self._copies = copies
        self._differing = differing
        self._known: dict[Buffer, MemRef] = {}
        self._joins: list[SSAValue] = []
        """Those whose types are assumed."""

    def buffer_type(self, value: SSAValue) -> MemRef:
        assert self.at is not None
        found: Buffer | None = None
        for index, operand in enumerate(self.at.operands):
            if operand is value:
                # The one that is written, whose buffer a result has, may be a copy.
                found = self._copies.operand(self.at, index)
                if isinstance(found, NewBuffer):
                    break
        return super().buffer_type(value) if found is None else self._infer(found)

    def type_of(self, buffer: Buffer) -> MemRef:
        """The type of a buffer, once all sources are known."""
        found = self._infer(buffer)
        self.verify_joins()
        return found

    def verify_joins(self) -> None:
        """Add the joins whose types were assumed wrongly, once all sources are known."""
        while self._joins:
            join = self._joins.pop()
            types = [*map(self._infer, self._copies.uses.sources_of(join))]
            if self.common_type(join, types) != self._known[join]:
                self._differing.add(join)

    def _infer(self, buffer: Buffer) -> MemRef:
        # A stack of its own: chains are as long as the program.
        pending = [buffer]
        opened = {buffer}
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
                continue
            sources = (
                ()
                if isinstance(current, NewBuffer)
                else self._copies.uses.sources_of(current)
            )
            unknown = [s for s in sources if s not in self._known]
            is_assumed = self._is_join(current) and len(unknown) < len(sources)
            if not unknown or is_assumed:
                self._known[current] = self._combined(current, sources)
            elif unknown[0] in opened:
                # Nothing tells how ops around it forward tensors.
                self._known[unknown[0]] = fully_dynamic_type(unknown[0].type)
            else:
                opened.add(unknown[0])
                pending.append(unknown[0])
        return self._known[buffer]

    def _combined(self, buffer: Buffer, sources: Sequence[Buffer]) -> MemRef:
        """The type of a buffer, given those of its sources, or of some for a join."""
        if isinstance(buffer, NewBuffer):
            return self._new(buffer)
        if is_memref_type(buffer.type):
            return buffer.type
        if self._is_join(buffer):
            self._joins.append(buffer)
            if buffer in self._differing:
                return fully_dynamic_type(buffer.type)
            types = [self._known[s] for s in sources if s in self._known]
            return self.common_type(buffer, types)
        owner = buffer.owner
        if isinstance(owner, Block):
            return super().buffer_type(buffer)
        if is_call(owner) and (
            results := self._program.results.get(self.callee(owner))
        ):
            return results(index_of(buffer))
        if (model := self.model_of(owner)) is None:
            # It stays a tensor, which becomes a buffer of any type.
            return self._new(buffer)
        before, self.at = self.at, owner
        found = cast(MemRef, model.buffer_type(owner, buffer, self))
        self.at = before
        return found

    def _new(self, buffer: Buffer) -> MemRef:
        return identity_type(
            buffer.type, space_of_buffer(buffer, self._program.space_of)
        )

    def _is_join(self, buffer: Buffer) -> TypeGuard[SSAValue]:
        """Whether control flow decides which of several buffers it is."""
        if isinstance(buffer, NewBuffer):
            return False
        owner = buffer.owner
        if isinstance(owner, Block):
            parent = owner.parent_op()
            is_entry = owner.prev_block is None and (
                parent is None or is_function(parent)
            )
            return not is_entry
        return buffer in self.joined
