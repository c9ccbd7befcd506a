"""
The buffer types that the decisions lead to.

Buffers before the rewrite: tensors and memrefs of the program, and copies to come.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard, cast

from xdsl.dialects import func
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.rewriting.buffer_types import BufferTypeInference
from xdsl_bufferization.support.call_graph import is_call, is_function
from xdsl_bufferization.support.memref_types import (
    DEFAULT_SPACE,
    fully_dynamic_type,
    identity_type,
    memory_space_of,
)
from xdsl_bufferization.support.regions import index_of
from xdsl_bufferization.support.shaped_types import MemRef, is_memref_type


@dataclass(eq=False, slots=True)
class NewBuffer:
    """A buffer that the rewrite will allocate, for an operand or a result."""

    value: SSAValue
    """A tensor of the type and the sizes of the one that it holds."""
    op: Operation
    """The op that needs it."""
    place: Operation
    """The op before or after which it is allocated."""
    is_relaid: bool = False
    """Whether it has a layout that the op asks for, in the default memory space."""

    @property
    def type(self) -> Attribute:
        """The type of the tensor that it holds."""
        return self.value.type


Buffer: TypeAlias = SSAValue | NewBuffer
"""A value stands for the buffer that it will be in."""

SpaceOf: TypeAlias = Callable[[SSAValue], Attribute | None]
"""The memory space of a tensor's buffer; `None` for the default one."""


def space_of_buffer(buffer: Buffer, space_of: SpaceOf) -> Attribute:
    """The memory space of a buffer."""
    if isinstance(buffer, NewBuffer):
        if buffer.is_relaid:
            return DEFAULT_SPACE
        buffer = buffer.value
    if is_memref_type(buffer.type):
        return memory_space_of(buffer.type)
    return space_of(buffer) or DEFAULT_SPACE


class DecidedBufferTypes(BufferTypeInference):
    """
    Answers `buffer_type` for the operands of the op `at`, with their copies where these take
    their place.

    `space_of` gives the memory space of a tensor's buffer, and `operand` the buffer of an operand.
    `sources` gives the buffers that a tensor may be,
    or be a view of. `joined` are results that regions forward values to. `results` gives the
    types of the results of functions whose types depend on what they return, by index.

    A tensor that may be several buffers has their type if they agree, and a dynamic layout
    otherwise. What control flow joins, such as a loop-carried tensor, is assumed to have the
    type of the sources that are known, until `verify_joins`. Those that are found to differ
    are added to `differing`, for another attempt. Takes time linear in the ops that the
    answers depend on.
    """

    def __init__(
        self,
        one_shot: OneShotBufferization,
        space_of: SpaceOf,
        operand: Callable[[Operation, int], Buffer],
        sources: Callable[[SSAValue], Sequence[Buffer]],
        joined: Container[SSAValue],
        results: Mapping[func.FuncOp, Callable[[int], MemRef]],
        differing: set[SSAValue],
    ):
        graph = one_shot.call_graph
        super().__init__(
            one_shot.options, one_shot.model_of, graph.callee, graph.recursive
        )
        self.at: Operation | None = None
        self._space_of = space_of
        self._operand = operand
        self._sources = sources
        self._joined = joined
        self._results = results
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
                found = self._operand(self.at, index)
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
            types = [*map(self._infer, self._sources(join))]
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
            sources = () if isinstance(current, NewBuffer) else self._sources(current)
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
        if is_call(owner) and (results := self._results.get(self.callee(owner))):
            return results(index_of(buffer))
        if (model := self.model_of(owner)) is None:
            # It stays a tensor, which becomes a buffer of any type.
            return self._new(buffer)
        before, self.at = self.at, owner
        found = cast(MemRef, model.buffer_type(owner, buffer, self))
        self.at = before
        return found

    def _new(self, buffer: Buffer) -> MemRef:
        return identity_type(buffer.type, space_of_buffer(buffer, self._space_of))

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
        return buffer in self._joined
