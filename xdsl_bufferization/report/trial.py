"""
Bufferization of a copy of a program, whose ops are traced back to the program, and the names of
buffers: those of the tensors that they are made for.

    %5 = tensor.insert %x into %t[%i]    // the buffer that is made here is called %5,
    func.return %5                       // though it is %3 in the bufferized program

So all that the report names is in the program that its author knows. An arena, whose parts are
views, is not made for one tensor, and has the name that it has in the output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TypeAlias, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    ForwardedCopy,
)
from xdsl_bufferization.interfaces.contents import RematerializationOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface, byte_shift_of
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.report.model import Allocation, Buffer
from xdsl_bufferization.report.source import Source, SourceRange, printed_names
from xdsl_bufferization.support.call_graph import is_return
from xdsl_bufferization.support.limits import MAX_OPS_TRIED
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import ArgumentAccess
from xdsl_bufferization.support.regions import (
    ancestor_in,
    block_of,
    index_of,
    region_of,
    walk,
)
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
    is_memref_type,
    is_tensor,
    is_tensor_type,
    shape_of,
)
from xdsl_bufferization.support.snapshots import TracedClone, all_or_nothing
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.interference import Trace
from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves
from xdsl_bufferization.transforms.bufferize import BufferizePass

CopyCause: TypeAlias = TensorOperand | ForwardedCopy
"""The reason for a copy: an operand out of place, or a value that a terminator forwards."""


class Trial(Source):
    """
    The result of `bufferize` on a copy of a program, with the decisions. As a source, it has the
    places and names of the ops and values of the copy in the text of the program.

    The program is not changed. Raises `BufferizationError` if it cannot be bufferized.
    """

    def __init__(
        self, ctx: Context, module: ModuleOp, options: BufferizePass, source: Source
    ):
        super().__init__(assumed=source.sizes.assumed)
        self.source = source
        self.in_files = source.in_files
        self._ctx = ctx
        self._options = options
        self._clone = TracedClone(module)
        self.module = self._clone.module
        self._causes: dict[int, CopyCause] = {}
        """By the identity of the location of a copy: its cause."""
        self._copied: dict[int, SSAValue] = {}
        """By the identity of the location of a copy: the value of the program."""
        options.verify_names(ctx, module)
        self.trace, self.left_moves = Trace(), LeftMoves()
        """The attempts of `eliminate-copies`, and why `eliminate-moves` has left moves."""
        program = options.run_before(self.module, self.trace, self.left_moves)
        self.ops: int = len([*module.walk()])
        self.is_small = not MAX_OPS_TRIED.exceeded_by(5 * self.ops)
        """Whether the report tries options on the program; each takes the time of a trial."""
        self._program = program
        self.one_shot = program.decisions
        """The decisions about the copy, before it is rewritten."""
        if program.options != options.options():
            self.one_shot = OneShotBufferization(self.module, options.options())
            self.one_shot.analyze()

    def rewrite(self) -> None:
        """Bufferize the copy, once."""
        # One snapshot for all passes.
        all_or_nothing(self.module, lambda _: self._rewrite())

    def _rewrite(self) -> None:
        for op, cause in self.one_shot.insert_copies().items():
            self._clone.trace(op, self.origin(op))
            self._causes[id(op.location)] = cause
            copied = op.copy if isinstance(op, AllocTensorOp) else op.operands[0]
            if copied is not None and (value := self.value(copied)) is not None:
                self._copied[id(op.location)] = value
        self.one_shot.rewrite_in_place()
        for module_pass in self._options.passes_on_buffers():
            module_pass.apply(self._ctx, self.module)

    @cached_property
    def output(self) -> Mapping[SSAValue, str]:
        """The names in the bufferized program; once it is rewritten."""
        return printed_names(self.module)

    @property
    def eliminates_copies(self) -> bool:
        """Whether the options let the program be changed so that it copies less."""
        return self._options.eliminate_copies and not self._options.copy_before_write

    @property
    def keeps_arguments(self) -> bool:
        """Whether the options let functions write no arguments but those donated."""
        return self._options.arguments is ArgumentAccess.READ_ONLY

    @cached_property
    def least_peaks(self) -> Mapping[Operation, int]:
        """
        By function of the program: the bytes that it needs at once in any order of its ops, as
        far as they are known; before the copy is rewritten.
        """
        costs, bounds = self._program.remember(Costs), self._program.order_bounds
        found: dict[Operation, int] = {}
        for function in costs:
            least = bounds.get(function, costs[function].least_peak)
            origin = self.origin(function)
            if (
                least is not None
                and origin is not None
                and any(map(has_tensor_semantics, walk([function])))
            ):
                found[origin] = least
        return found

    def edits_about(self, op: Operation, index: int | None) -> str:
        """
        The edits of `eliminate-copies` of the op, or else of those that define or use the tensor
        that is its operand of that index, in words.
        """
        tensors = () if index is None else (op.operands[index],)
        near = [*(t.owner for t in tensors)]
        near += [use.operation for t in tensors for use in t.uses]
        cloned = (self._clone.ops[o] for o in near if isinstance(o, Operation))
        about = self.trace.edits_about
        return about([self._clone.ops[op]]) or about(cloned)

    def clone_of(self, op: Operation) -> Operation | None:
        """The op of the copy, as it was before any rewrite, for an op of the program."""
        return self._clone.ops.get(op)

    def origin(self, op: Operation) -> Operation | None:
        """The op of the program whose work an op of the copy does."""
        return self._clone.origin(op)

    def value(self, value: SSAValue) -> SSAValue | None:
        """The value of the program that a value of the copy is."""
        of = value.op if isinstance(value, OpResult) else block_of(value).parent_op()
        origin = None if of is None else self.origin(of)
        if of is None or origin is None or origin.name != of.name:
            return None
        if isinstance(value, OpResult):
            return origin.results[value.index]
        block = block_of(value)
        region = region_of(block)
        blocks = origin.regions[of.regions.index(region)].blocks
        return blocks[region.blocks.index(block)].args[index_of(value)]

    def cause(self, op: Operation) -> CopyCause | None:
        """The cause of the copy that an op of the bufferized program makes, if it makes one."""
        return self._causes.get(id(op.location))

    def copied(self, op: Operation) -> SSAValue | None:
        """The value of the program that an op with a `cause` copies."""
        return self._copied.get(id(op.location))

    def op_name(self, op: Operation) -> str:
        """The name of the op of the program whose work an op of the copy does."""
        return op_name(self.origin(op) or op)

    def place(self, op: Operation) -> SourceRange | None:
        """The op of the copy in the program's text."""
        origin = self.origin(op)
        return None if origin is None else self.source.place(origin)

    def operand_place(self, op: Operation, index: int | None) -> SourceRange | None:
        """The operand of an op of the copy in the program's text, or else the op."""
        origin = self.origin(op)
        if origin is None:
            return None
        former = None if index is None else self.operand_index(op, index)
        return self.source.operand_place(origin, former)

    def operand_index(self, op: Operation, index: int) -> int | None:
        """The index of the operand in the op of the program, if it is there."""
        origin = self.origin(op)
        if origin is None or origin.name != op.name:
            return None
        dropped = len(origin.operands) - len(op.operands)
        # `eliminate-moves` drops inputs; the inits come after them, and all stay.
        if dropped > 0 and index < len(op.operands) - len(op.results):
            return None
        former = index + dropped
        return former if 0 <= former < len(origin.operands) else None

    def definition_place(self, value: SSAValue) -> SourceRange | None:
        """The definition of a value of the copy in the program's text."""
        if isinstance(value, OpResult):
            return self.place(value.op)
        argument = self.value(value)
        return (
            self.source.argument_place(argument)
            if isinstance(argument, BlockArgument)
            else None
        )

    def value_name(self, value: SSAValue) -> str:
        """A value of the copy as written in the program's text, if it is there."""
        name = self.source.value_name(self.value(value) or value)
        return "a new tensor" if name == "%?" else name

    def returned_operand(self, origin: Operation, buffer: SSAValue) -> int | None:
        """The index of the operand of a return that is returned in the buffer, if one is."""
        if not is_return(origin):
            return None
        pending, seen = [buffer], {buffer}
        while pending:
            for use in pending.pop().uses:
                user = use.operation
                if self.origin(user) is origin and is_return(user):
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

    def tensor_of(
        self,
        op: Operation,
        origin: Operation,
        returned: int | None,
        tensors: Sequence[SSAValue],
        buffer: SSAValue,
        number: int = 0,
    ) -> SSAValue | None:
        """
        The tensor of the program that a bufferized op copies, that a function returns, or of these
        tensors the one with the buffer's name, or else at that index.
        """
        if (copied := self.copied(op)) is not None:
            return copied
        if returned is not None:
            return origin.operands[returned]
        return self.named_like(tensors, buffer, number)

    def named_like(
        self, tensors: Sequence[SSAValue], buffer: SSAValue, number: int = 0
    ) -> SSAValue | None:
        """The tensor with the buffer's name, or else the one at that index, if any."""
        # The program may have ops on memrefs that copy and allocate.
        found = [v for v in tensors if is_tensor(v) or is_memref_type(v.type)]
        hint = f"%{buffer.name_hint}"
        named = [value for value in found if self.source.value_name(value) == hint]
        return next(iter(named or found[number:] or found), None)


class Output(Source):
    """
    The ops and buffers of the bufferized program, where the ops are whose work they do, and with
    the names of the tensors that they are made for. Valid once the trial is rewritten.
    """

    def __init__(self, trial: Trial):
        super().__init__(assumed=trial.sizes.assumed)
        self._trial = trial
        self.origin = cache(self._find_origin)

    def place(self, op: Operation) -> SourceRange | None:
        """The place of the op of the program; of a new buffer, that of its first writer."""
        return self._trial.source.place(self.origin(op))

    def position(self, op: Operation) -> tuple[int, int] | None:
        """The position of that."""
        return self._trial.source.position(self.origin(op))

    def op_name(self, op: Operation) -> str:
        """The name of the op of the program."""
        return op_name(self.origin(op))

    def value_name(self, value: SSAValue) -> str:
        """The name of the tensor that a buffer is made for, or its own if there is none."""
        tensor = self._tensor(value)
        if tensor is None:
            return self.output_name(value)
        return self._trial.source.value_name(tensor)

    def output_name(self, value: SSAValue) -> str:
        """The value as written in the bufferized program."""
        return self._trial.output[value]

    def _find_origin(self, op: Operation) -> Operation:
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

    def _tensor(self, value: SSAValue) -> SSAValue | None:
        """The tensor of the program that a new buffer is made for."""
        if not isinstance(value, OpResult) or _is_arena(value):
            return None
        if self._trial.origin(value.op) is None:
            return None
        origin = self.origin(value.op)
        returned = self._trial.returned_operand(origin, value)
        if returned is not None:
            return origin.operands[returned]
        if origin.name == value.op.name and len(origin.results) > value.index:
            return origin.results[value.index]
        return (
            self._copied_for(value.op)
            or self._carried_in(origin, value)
            or self._trial.named_like(origin.results, value)
            or self._trial.copied(value.op)
            or self._trial.named_like(origin.operands, value)
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
            (is_cheap(op), shapes != [_shape(value)], position, op)
            for op in users
            if op is not None
            and (position := self._trial.source.position(op)) is not None
            and (
                len(shapes := [_shape(r) for r in op.results if is_tensor(r)]) == 1
                or self._carried_in(op, value)
            )
        ]
        return min(lines, key=lambda line: line[:3])[3] if lines else None


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
