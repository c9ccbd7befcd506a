"""
Names of buffers: the names of the tensors that they are made for.

    %5 = tensor.insert %x into %t[%i]    // the buffer that is made here is called %5,
    func.return %5                       // though it is %3 in the bufferized program

So all that the report names is in the program that its author knows. An arena, whose parts are
views, is not made for one tensor, and has the name that it has in the output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.rematerialization import RematerializationOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface, byte_shift_of
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.report.model import Allocation, Buffer
from xdsl_bufferization.report.source import Source, SourceRange
from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.call_graph import is_return
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import ancestor_in, block_of, region_of
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    is_tensor_type,
    shape_of,
)


class Traced(Source):
    """
    The ops and buffers of the bufferized program, where the ops are whose work they do, and with
    the names of the tensors that they are made for. Valid once the trial is rewritten.
    """

    def __init__(self, trial: Trial, result: Source):
        super().__init__(assumed=trial.source.sizes.assumed)
        self._trial = trial
        self._result = result

    def place(self, op: Operation) -> SourceRange | None:
        """The place of the op of the program; of a new buffer, that of its first writer."""
        return self._trial.source.place(self.origin(op))

    def op_name(self, op: Operation) -> str:
        """The name of the op of the program."""
        return op_name(self.origin(op))

    def origin(self, op: Operation) -> Operation:
        """
        The op whose work the op does; if that only makes a buffer, the op that fills it.

            %e = tensor.empty()             // after CSE one for all buffers of the type
            %a = linalg.exp ... outs(%e)    // the buffer %a is made for this op
        """
        origin = self._trial.origin(op) or op
        model = BufferizableOpInterface.of(origin)
        if (
            model is None
            or not op.results
            or not any(
                model.allocates(origin, result)
                and model.defines_contents(origin, result) is False
                for result in origin.results
            )
        ):
            return origin
        return self._first_writer(origin, op.results[0]) or origin

    def value_name(self, value: SSAValue) -> str:
        """The name of the tensor that a buffer is made for, or its own if there is none."""
        tensor = self._tensor(value)
        if tensor is None:
            return self.output_name(value)
        return self._trial.source.value_name(tensor)

    def output_name(self, value: SSAValue) -> str:
        """The value as written in the bufferized program."""
        return self._result.value_name(value)

    def _tensor(self, value: SSAValue) -> SSAValue | None:
        """The tensor of the program that a new buffer is made for."""
        if not isinstance(value, OpResult) or _is_arena(value):
            return None
        if self._trial.origin(value.op) is None:
            return None
        origin = self.origin(value.op)
        returned = returned_operand(self._trial, origin, value)
        if returned is not None:
            return origin.operands[returned]
        if origin.name == value.op.name and len(origin.results) > value.index:
            return origin.results[value.index]
        return (
            self._copied_for(value.op)
            or self._carried_in(origin, value)
            or named_like(self._trial.source, origin.results, value)
            or self._trial.copied(value.op)
            or named_like(self._trial.source, origin.operands, value)
        )

    def _copied_for(self, op: Operation) -> SSAValue | None:
        """The result in whose buffer the copy of an operand is, if that is why there is one."""
        cause = self._trial.cause(op)
        if not isinstance(cause, TensorOperand):
            return None
        results = [
            alias.value for alias in cause.aliases if isinstance(alias.value, OpResult)
        ]
        return self._trial.value(results[0]) if len(results) == 1 else None

    def _carried_in(self, origin: Operation, buffer: SSAValue) -> SSAValue | None:
        """The result of an op of several, such as a loop, that starts with the buffer."""
        for use in buffer.uses if len(origin.results) > 1 else ():
            op = use.operation
            if self._trial.origin(op) is origin and op.name == origin.name:
                # After other operands, there is one for each result.
                index = use.index - (len(op.operands) - len(op.results))
                if 0 <= index < len(origin.results) == len(op.results):
                    return origin.results[index]
        return None

    def _first_writer(self, origin: Operation, value: SSAValue) -> Operation | None:
        """
        The first op of the program that the buffer is a destination of; a cheap one last. If there
        is none, the first op that may write the buffer, such as a loop; one whose result has
        another shape, as a part of the buffer has, last.
        """
        users = {
            self._trial.origin(op) for op in [*_writers(value)] or _other_writers(value)
        } - {origin}
        lines = [
            (is_cheap(op), shapes != [_shape(value)], place.line, place.column, op)
            for op in users
            if op is not None
            and (place := self._trial.source.place(op)) is not None
            and (
                len(shapes := [_shape(r) for r in op.results if is_tensor(r)]) == 1
                or self._carried_in(op, value)
            )
        ]
        return min(lines, key=lambda line: line[:4])[4] if lines else None


def _shape(value: SSAValue) -> tuple[int, ...] | None:
    return (
        shape_of(shaped)
        if is_tensor_type(shaped := value.type) or is_memref_type(shaped)
        else None
    )


def _writers(buffer: SSAValue) -> Iterator[Operation]:
    """The ops with the buffer as a destination."""
    for use in buffer.uses:
        style = DestinationStyleOpInterface.of(use.operation)
        if style is not None and use.index in style.inits(use.operation):
            yield use.operation


def _other_writers(buffer: SSAValue) -> Iterator[Operation]:
    """The ops that may write the buffer, or a view of it, and those in its block around them."""
    views = [buffer]
    for view in views:
        writers = [] if view is buffer else [*_writers(view)]
        for use in view.uses:
            op = use.operation
            if ViewLikeOpInterface.of(op) is not None:
                views.append(op.results[0])
            elif DestinationStyleOpInterface.of(op) is None:
                if effect_on(op, use.index) is not BufferEffect.FREE:
                    writers.append(op)
        regions = {region_of(block_of(memref)) for memref in (buffer, view)}
        for writer in writers:
            yield writer
            yield from filter(None, (ancestor_in(r, writer) for r in regions))


def is_cheap(op: Operation) -> bool:
    """Whether the op may be computed again for each of its uses, in several buffers."""
    model = RematerializationOpInterface.of(op)
    return model is not None and model.bytes_read(op) is not None


_Named = TypeVar("_Named", Allocation, Buffer)


def told_apart(made: Sequence[_Named]) -> Sequence[_Named]:
    """Buffers of a function; if names are equal, the names in the output follow them."""
    names = Counter(name for name, _ in {(m.name, m.output_name) for m in made})
    return [
        replace(m, name=f"{m.name} ({m.output_name})")
        if names[m.name] > 1 and m.name != m.output_name
        else m
        for m in made
    ]


def _is_arena(value: SSAValue) -> bool:
    """Whether the memory is only viewed at shifts in bytes, and freed."""
    is_viewed = [byte_shift_of(use.operation) is not None for use in value.uses]
    return any(is_viewed) and all(
        viewed or effect_on(use.operation, use.index) is BufferEffect.FREE
        for viewed, use in zip(is_viewed, value.uses, strict=True)
    )


def returned_operand(trial: Trial, origin: Operation, buffer: SSAValue) -> int | None:
    """The index of the operand of a return that is returned in the buffer, if one is."""
    if not is_return(origin):
        return None
    pending, seen = [buffer], {buffer}
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if trial.origin(user) is origin and is_return(user):
                if len(user.operands) == len(origin.operands):
                    return use.index
                continue
            # Casts, and copies under a condition.
            ends_region = user.has_trait(IsTerminator, value_if_unregistered=False)
            around = user.parent_op() if ends_region else user
            for result in () if around is None else around.results:
                if result not in seen:
                    seen.add(result)
                    pending.append(result)
    return None


def named_like(
    source: Source, tensors: Sequence[SSAValue], buffer: SSAValue, number: int = 0
) -> SSAValue | None:
    """The tensor with the buffer's name, or else the one at that index, if any."""
    # The program may have ops on memrefs that copy and allocate.
    found = [v for v in tensors if is_tensor(v) or is_memref_type(v.type)]
    hint = f"%{buffer.name_hint}"
    named = [value for value in found if source.value_name(value) == hint]
    return next(iter(named or found[number:] or found), None)
