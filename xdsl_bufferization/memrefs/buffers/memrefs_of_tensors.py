"""
Where a program on tensors reads and writes the memory of tensors through memrefs.

An op like `bufferization.to_buffer` gives out the buffer of a tensor. What is read through
that memref, or a view of it, are the contents that the tensor had there: they have to stay
in its memory as long. What is written through it is nothing that other tensors may have in
that memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.bufferizable import ModelOf
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import targets_of
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.regions import parent_of, reachable
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor


class GivenOut(NamedTuple):
    """A result of an op that is the buffer of one of its operands, a tensor."""

    memref: OpResult
    operand: int


class MemrefUse(NamedTuple):
    """An operand of an op through which it may read or write a buffer given out."""

    operand: int
    group: int
    effect: BufferEffect


class MemrefsOfTensors:
    """
    The memrefs that may be the buffers given out by `ops`, or parts of them, and what uses
    them. Buffers are in one group if some memref may be any of them.

    What becomes of a memref that is stored in memory, or made an integer, is not known.
    """

    groups: Sequence[Sequence[GivenOut]]
    uses: Mapping[Operation, Sequence[MemrefUse]]
    """By op: the operands through which it may read or write a buffer."""
    carriers: Sequence[set[Operation]]
    """
    By group: the ops that start a region with one of its memrefs as an argument, so that a
    loop may carry it from one iteration to the next.
    """

    def __init__(self, ops: Iterable[Operation], model_of: ModelOf):
        given_out = [
            given_out for op in ops for given_out in _given_out_by(op, model_of)
        ]
        handed_on = cache(_handed_on)

        def following(item: SSAValue | Operation) -> Sequence[SSAValue | Operation]:
            if isinstance(item, Operation):
                return handed_on(item)
            users = (use.operation for use in item.uses)
            return [user for user in users if handed_on(user)]

        found = reachable((buffer.memref for buffer in given_out), following)
        sets = DisjointSet[SSAValue | Operation]([*found])
        for item in found:
            for other in following(item):
                sets.union(item, other)
        groups: dict[object, list[GivenOut]] = {}
        for buffer in given_out:
            groups.setdefault(sets.find(buffer.memref), []).append(buffer)
        self.groups = [*groups.values()]
        self.carriers = [set() for _ in groups]
        self.uses = uses = dict[Operation, list[MemrefUse]]()
        number = {root: i for i, root in enumerate(groups)}
        for memref in found:
            if isinstance(memref, Operation):
                continue
            group = number[sets.find(memref)]
            for use in memref.uses:
                op = use.operation
                if effect := _possible_effect(op, use.index):
                    uses.setdefault(op, []).append(MemrefUse(use.index, group, effect))
            if isinstance(memref, BlockArgument) and memref.block.prev_block is None:
                self.carriers[group].add(parent_of(memref.block))


def _handed_on(op: Operation) -> Sequence[SSAValue]:
    """The memrefs that may be in the memory of one of the op's operands."""
    return [value for value in targets_of(op) if is_memref_type(value.type)]


def _given_out_by(op: Operation, model_of: ModelOf) -> Iterator[GivenOut]:
    if (
        any(map(is_memref_type, op.result_types))
        and any(map(is_tensor, op.operands))
        and (model := model_of(op)) is not None
    ):
        for index, operand in enumerate(op.operands):
            if is_tensor(operand):
                for memref in model.memrefs(op, index):
                    yield GivenOut(memref, index)


def _possible_effect(op: Operation, operand: int) -> BufferEffect:
    """The effects that the op may have on the memory of the operand: reads, writes, or both."""
    parent = op.parent_op()
    if op.next_op is None and parent is not None and is_function(parent):
        # What is returned may be used by the caller.
        return BufferEffect.NONE if op.successors else BufferEffect.TOUCH
    effect = effect_on(op, operand)
    return BufferEffect.TOUCH if effect is None else effect & BufferEffect.TOUCH
