"""How scf ops bufferize."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
    is_tensor,
)
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.options import OneShotOptions
from xdsl_bufferization.transforms.bufferizer import Bufferizer

_FIRST_INIT = 3
"""The operands of `scf.for` before its inits: lower bound, upper bound, step."""


class ForModel(BufferizableOpInterface):
    """
    `scf.for`: a tensor is carried in one buffer through all iterations.

    A result shares the buffer of its init. It is that very buffer if each iteration
    yields the buffer that it was given.
    """

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        index = operand - _FIRST_INIT
        # Without any iteration the result is the init, and passes its contents on.
        return state.is_value_read(_iter_arg(op, index)) or (
            not _is_known_to_run(op) and state.is_value_read(op.results[index])
        )

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return True

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        index = operand - _FIRST_INIT
        same = state.is_equivalent(_iter_arg(op, index), _yielded(op, index))
        relation = BufferRelation.EQUIVALENT if same else BufferRelation.UNKNOWN
        return (AliasingValue(op.results[index], relation, same),)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        # An iteration argument is the init's buffer, or a copy of it.
        return True

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return True

    def verify_analysis(
        self, op: Operation, state: AnalysisState, options: OneShotOptions
    ) -> None:
        for index, result in enumerate(op.results):
            if is_tensor(result) and not state.is_equivalent(
                _iter_arg(op, index), _yielded(op, index)
            ):
                raise BufferizationError(
                    _yield(op),
                    f"operand #{index} is not equivalent to the corresponding iteration "
                    "argument, so the loop would have to return a new buffer",
                    hint="yield a tensor computed in destination-passing style from the "
                    "iteration argument",
                )

    def buffer_type(
        self, op: Operation, value: SSAValue, bufferizer: Bufferizer
    ) -> Attribute:
        if isinstance(value, OpResult):
            return bufferizer.buffer_type(_iter_arg(op, value.index))
        self.infer_region_types(op, bufferizer)
        return bufferizer.buffer_type(value)

    def infer_region_types(self, op: Operation, bufferizer: Bufferizer) -> None:
        carried = [i for i, result in enumerate(op.results) if is_tensor(result)]
        for index in carried:
            init = op.operands[_FIRST_INIT + index]
            bufferizer.set_buffer_type(
                _iter_arg(op, index), bufferizer.buffer_type(init)
            )
        bufferizer.infer_block_types(op.regions[0].block)
        # Where an iteration ends on another type than it starts with, both have to be
        # the more general one; which what is computed from it then has to follow.
        generalized = False
        for index in carried:
            argument = _iter_arg(op, index)
            start = bufferizer.buffer_type(argument)
            common = bufferizer.common_type(
                argument, (start, bufferizer.buffer_type(_yielded(op, index)))
            )
            if common != start:
                bufferizer.set_buffer_type(argument, common)
                generalized = True
        if generalized:
            bufferizer.infer_block_types(op.regions[0].block)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if not any(map(is_tensor, op.results)):
            return
        self.infer_region_types(op, bufferizer)
        types = [
            bufferizer.buffer_type(_iter_arg(op, index)) if is_tensor(result) else None
            for index, result in enumerate(op.results)
        ]
        inits = [
            init if type is None else bufferizer.cast(bufferizer.buffer(init), type)
            for init, type in zip(op.operands[_FIRST_INIT:], types, strict=True)
        ]
        arguments = op.regions[0].block.args[1:]
        new_op = bufferizer.rebuild(
            op,
            (*op.operands[:_FIRST_INIT], *inits),
            [
                type or result.type
                for type, result in zip(types, op.results, strict=True)
            ],
        )
        for argument, type in zip(arguments, types, strict=True):
            if type is not None:
                bufferizer.replace_argument(argument, type)
        bufferizer.replace(op, new_op.results)


class IfModel(BufferizableOpInterface):
    """`scf.if`: a result is the buffer that the branch yields."""

    def has_exclusive_regions(self, op: Operation) -> bool:
        return True

    def buffer_type(
        self, op: Operation, value: SSAValue, bufferizer: Bufferizer
    ) -> Attribute:
        assert isinstance(value, OpResult)
        yielded = [
            cast(Operation, region.block.last_op).operands[value.index]
            for region in op.regions
        ]
        return bufferizer.common_type(value, [*map(bufferizer.buffer_type, yielded)])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if not any(map(is_tensor, op.results)):
            return
        self.infer_region_types(op, bufferizer)
        types = [
            bufferizer.buffer_type(result) if is_tensor(result) else result.type
            for result in op.results
        ]
        new_op = bufferizer.rebuild(op, op.operands, types)
        bufferizer.replace(op, new_op.results)


class YieldModel(BufferizableOpInterface):
    """`scf.yield`: hands buffers to the op around it."""

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent = op.parent_op()
        if isinstance(parent, scf.IfOp):
            return (AliasingValue(parent.results[operand], definite=False),)
        return ()

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        # A copy would be allocated within the region, and leave it.
        return True

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        parent = cast(Operation, op.parent_op())
        operands = [
            bufferizer.cast(bufferizer.buffer(operand), result.type)
            if is_tensor(operand)
            else operand
            for operand, result in zip(op.operands, parent.results, strict=True)
        ]
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op)


def _is_known_to_run(op: Operation) -> bool:
    """Whether an `scf.for` has at least one iteration, as its constant bounds tell."""
    lower, upper = map(ConstantLike.get_constant_value, op.operands[:2])
    return (
        isinstance(lower, IntegerAttr)
        and isinstance(upper, IntegerAttr)
        and lower.value.data < upper.value.data
    )


def _iter_arg(op: Operation, index: int) -> BlockArgument:
    return op.regions[0].block.args[index + 1]


def _yield(op: Operation) -> Operation:
    return cast(Operation, op.regions[0].block.last_op)


def _yielded(op: Operation, index: int) -> SSAValue:
    return _yield(op).operands[index]


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model(scf.ForOp, ForModel())
    register_model(scf.IfOp, IfModel())
    register_model(scf.YieldOp, YieldModel())
