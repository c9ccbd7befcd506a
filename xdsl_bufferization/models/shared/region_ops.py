"""
Models for ops with regions that forward tensors: loops, conditionals, and the terminators
of their regions.

Models for other dialects' ops are subclasses of these.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import ClassVar

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
    Decisions,
    ForwardedCopy,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.loop_like import (
    LoopCarried,
    LoopLikeOpInterface,
    runs_at_least_once,
)
from xdsl_bufferization.interfaces.registry import (
    Questions,
    answers,
    ask_all,
    instance_of,
)
from xdsl_bufferization.models.shared.allocations import types_on_buffers
from xdsl_bufferization.models.shared.control_flow import (
    ConditionalRegions,
    LoopRegion,
)
from xdsl_bufferization.models.shared.loops import (
    LoopForwarding,
    forwarded_copies,
    swapped_positions,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import blocks_in_order, index_of, terminator_of
from xdsl_bufferization.support.shaped_types import is_tensor


class RegionModel(BufferizableOpInterface):
    """An op with regions whose terminators forward tensors to its results or regions."""

    def forwarded_types(
        self, op: Operation, terminator: Operation
    ) -> Sequence[Attribute]:
        """
        The types that the forwarded operands of the terminator, its last ones, have to
        have once the op is rewritten.
        """
        return op.result_types

    def results_sharing(
        self, op: Operation, terminator: Operation, operand: int
    ) -> Sequence[OpResult]:
        """The results that are in the buffer of the terminator's operand."""
        return ()

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse | None:
        return MemoryUse(touches=False)


class ConditionalModel(RegionModel, ConditionalRegions):
    """
    An op that executes one of its regions: a result is the buffer that this yields. Passes
    on buffers know it as `ConditionalRegions`.
    """

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        if op.results and not all(region.blocks for region in op.regions):
            raise BufferizationError(op, "has results, and a region that yields none")
        for terminator in _yields(op):
            _verify_yielded(op, terminator, terminator.operands, op.result_types)

    def has_exclusive_regions(self, op: Operation) -> bool:
        return True

    def results_sharing(
        self, op: Operation, terminator: Operation, operand: int
    ) -> Sequence[OpResult]:
        return (op.results[operand],)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        index = index_of(value)
        yielded = [terminator.operands[index] for terminator in _yields(op)]
        return types.common_type(value, [*map(types.buffer_type, yielded)])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if not any(map(is_tensor, op.results)):
            return
        self.infer_region_types(op, bufferizer)
        new_op = bufferizer.rebuild(
            op, op.operands, types_on_buffers(op.results, bufferizer)
        )
        bufferizer.replace(op, new_op.results)


def _verify_yielded(
    op: Operation,
    terminator: Operation,
    values: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> None:
    """Refuse a terminator that forwards values of other types than the op takes there."""
    found = [value.type for value in values]
    if found != [*types]:
        raise BufferizationError(
            terminator,
            f"forwards {_listed(found)} where '{op_name(op)}' takes {_listed(types)}",
            related=[("the op around it", op)],
        )


def _verify_forwarded(
    loop: Operation,
    what: str,
    values: Sequence[SSAValue],
    *,
    terminator: Operation | None = None,
    hint: str = "",
) -> None:
    """Refuse a loop that carries other values than it returns."""
    types = [value.type for value in values]
    if types != [*loop.result_types]:
        raise BufferizationError(
            loop,
            f"{what} {_listed(types)}, and returns {_listed(loop.result_types)}",
            related=[("the terminator", terminator)],
            hint=hint,
        )


def _only_block(op: Operation) -> Block | None:
    """The block of the op's first region; `None` if it does not have exactly one."""
    block = op.regions[0].first_block if op.regions else None
    return None if block is None or block is not op.regions[0].last_block else block


def _listed(types: Iterable[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


def _yields(op: Operation) -> Iterator[Operation]:
    """The terminators that forward their operands to the results of the op."""
    for region in op.regions:
        for block in blocks_in_order(region):
            last = block.last_op
            if last is not None and isinstance(
                BufferizableOpInterface.of(last), YieldModel
            ):
                yield last


class YieldModel(BufferizableOpInterface):
    """A terminator that forwards its last operands to the op around it."""

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent, model = _region_op(op)
        return [
            AliasingValue(result, definite=False)
            for result in model.results_sharing(parent, op, operand)
        ]

    # A copy would be allocated within the region, and escape from it.
    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        # A copy would be allocated within the region, and escape from it.
        return True

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        parent, model = _region_op(op)
        types = model.forwarded_types(parent, op)
        own = len(op.operands) - len(types)
        operands = map(bufferizer.buffer_of_type, op.operands[own:], types)
        bufferizer.rebuild(op, (*op.operands[:own], *operands), ())
        bufferizer.replace(op)


def _region_op(terminator: Operation) -> tuple[Operation, RegionModel]:
    parent = terminator.parent_op()
    model = None if parent is None else BufferizableOpInterface.of(parent)
    if parent is None or not isinstance(model, RegionModel):
        raise BufferizationError(
            terminator, "hands tensors to an op that takes none from its regions"
        )
    return parent, model


class CarryingModel(RegionModel):
    """
    A loop: an op that carries tensors from one execution of its regions to the next.

    A result shares the buffer of the operand at the same position, its *init*. It is
    equivalent to the init if each region forwards the buffer that it started with. Tensors
    before the inits are read by the op itself, in any iteration, and not written:

        %r = "my.loop"(%times, %mask, %init) ({ ... })  // first_init is 2: %mask is read
    """

    @abstractmethod
    def first_init(self, op: Operation) -> int:
        """The index of the first init among the operands; the others follow."""

    @abstractmethod
    def forwardings(self, op: Operation) -> Sequence[LoopForwarding]:
        """The values that each region starts with, and those that it forwards."""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        for forwarding in self.forwardings(op):
            terminator = forwarding.terminator
            types = self.forwarded_types(op, terminator)
            _verify_yielded(op, terminator, forwarding.operands, types)

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand >= self.first_init(op)

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        position = operand - self.first_init(op)
        if position < 0:
            return ()
        type, results = op.operands[operand].type, op.results
        forwardings = self.forwardings(op)
        own = [position] if position < len(results) else []
        if any(results[p].type == type for p in own) and all(
            forwarding.is_kept(position, state) for forwarding in forwardings
        ):
            return (AliasingValue(results[position]),)
        swapped = swapped_positions(op, forwardings, state).get(position, ())
        others = [p for p in swapped if p != position and p < len(results)]
        return [
            AliasingValue(result, BufferRelation.UNKNOWN, False)
            for result in (results[p] for p in (*own, *others))
            if result.type == type
        ]

    # A loop-carried tensor is in the init's buffer, or in that of a copy.
    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        # A loop-carried tensor is in the init's buffer, or in that of a copy.
        return True

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return True

    def forwarded_copies(
        self, op: Operation, decisions: Decisions, options: OneShotOptions
    ) -> Sequence[ForwardedCopy]:
        return forwarded_copies(
            op,
            self.forwardings(op),
            decisions,
            new_memory=options.new_memory_from_loops,
        )

    def forwarded_types(
        self, op: Operation, terminator: Operation
    ) -> Sequence[Attribute]:
        # The last region forwards to the first one.
        is_last = terminator is self.forwardings(op)[-1].terminator
        return op.operand_types[self.first_init(op) :] if is_last else op.result_types

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        if isinstance(value, OpResult):
            return types.buffer_type(self.forwardings(op)[-1].arguments[value.index])
        self.infer_region_types(op, types)
        return types.buffer_type(value)

    def infer_region_types(self, op: Operation, types: BufferTypes) -> None:
        forwardings = self.forwardings(op)
        starts = forwardings[0].arguments
        carried = [i for i, argument in enumerate(starts) if is_tensor(argument)]
        for position in carried:
            init = op.operands[self.first_init(op) + position]
            types.set_buffer_type(starts[position], types.buffer_type(init))
        # Where an iteration yields another type than it starts with, both become the more
        # general one, and then the types of what is computed from it may change, too.
        settled = False
        while not settled:
            types.infer_types(op.regions[0])
            for region, (before, after) in zip(
                op.regions[1:], pairwise(forwardings), strict=True
            ):
                for position, argument in enumerate(after.arguments):
                    if is_tensor(argument):
                        type = types.buffer_type(before.operand(position))
                        types.set_buffer_type(argument, type)
                types.infer_types(region)
            settled = True
            for position in carried:
                start = types.buffer_type(starts[position])
                end = types.buffer_type(forwardings[-1].operand(position))
                common = types.common_type(starts[position], (start, end))
                if common != start:
                    types.set_buffer_type(starts[position], common)
                    settled = False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if not any(map(is_tensor, (*op.operands, *op.results))):
            return
        self.infer_region_types(op, bufferizer)
        arguments = [forwarding.arguments for forwarding in self.forwardings(op)]
        types = [types_on_buffers(of_region, bufferizer) for of_region in arguments]
        first = self.first_init(op)
        read = map(bufferizer.buffer, op.operands[:first])
        inits = map(bufferizer.buffer_of_type, op.operands[first:], types[0])
        new_op = bufferizer.rebuild(op, (*read, *inits), types[-1])
        for argument, type in zip(chain(*arguments), chain(*types), strict=True):
            if is_tensor(argument):
                bufferizer.replace_argument(argument, type)
        bufferizer.replace(op, new_op.results)


_INDEX = instance_of(int, "an index", lambda index: index >= 0)


class LoopModel(CarryingModel, LoopRegion, LoopLikeOpInterface):
    """
    A loop with one block, whose terminator yields one value for each result.

    A model for an op like `scf.for` says where its inits start, and where the arguments of
    the block start that are loop-carried. Block arguments before those are no tensors. With
    `induction_variables`, slices are compared between iterations.
    Passes on buffers know it as `LoopRegion`.
    """

    def first_argument(self, op: Operation) -> int:
        """The index of the first loop-carried argument of the block."""
        return 1

    questions: ClassVar[Questions] = answers(first_init=_INDEX, first_argument=_INDEX)

    def verify_answers(self, op: Operation) -> None:
        ask_all(self, LoopModel, LoopModel.questions, op, {})
        if _only_block(op) is not None:  # Otherwise `verify_op` refuses the op.
            super().verify_answers(op)

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        block = _only_block(op)
        if block is None:
            raise BufferizationError(op, "is a loop, and has to have one block")
        if (last := block.last_op) is None:
            raise BufferizationError(op, "is a loop, and its block has no terminator")
        inits = op.operands[self.first_init(op) :]
        _verify_forwarded(op, "has the inits", inits, hint=self._told_by("first_init"))
        if any(map(is_tensor, block.args[: self.first_argument(op)])):
            raise BufferizationError(
                op,
                "has a tensor among its block arguments before the loop-carried ones",
                hint=self._told_by("first_argument"),
            )
        _verify_forwarded(
            op,
            "has the loop-carried block arguments",
            self._arguments(op),
            hint=self._told_by("first_argument"),
        )
        _verify_forwarded(op, "yields", last.operands, terminator=last)

    def carried(self, op: Operation, operand: int) -> LoopCarried | None:
        position = operand - self.first_init(op)
        if not 0 <= position < len(op.results):
            return None
        block = op.regions[0].block
        yielded = () if block.last_op is None else block.last_op.operands
        if position >= len(yielded):
            return None  # `verify_op` refuses the op.
        return LoopCarried(
            self._arguments(op)[position], yielded[position], op.results[position]
        )

    def forwardings(self, op: Operation) -> Sequence[LoopForwarding]:
        block = op.regions[0].block
        first = self.first_argument(op)
        return (LoopForwarding(block.args, terminator_of(block), first_start=first),)

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        position = operand - self.first_init(op)
        if position < 0:
            return True
        # Without an iteration the result is the init: reads of the result read the init.
        argument = op.regions[0].block.args[self.first_argument(op) + position]
        return state.is_value_read(argument) or (
            not runs_at_least_once(op) and state.is_value_read(op.results[position])
        )

    def _told_by(self, method: str) -> str:
        return f"{type(self).__name__}.{method} says where they start"

    def _arguments(self, op: Operation) -> Sequence[BlockArgument]:
        return op.regions[0].block.args[self.first_argument(op) :]
