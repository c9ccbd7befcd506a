"""
Bufferizing the ops of some dialects, and leaving all others on tensors.

It is One-Shot Bufferize, restricted: every op writes a copy, so that any pass can bufferize
the others later. Meanwhile `to_tensor` and `to_buffer` connect the two, as
*materializations* of tensors and buffers.

Source: https://mlir.llvm.org/docs/Bufferization/ and its former partial passes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.bufferization import AllocTensorOp, ToTensorOp
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.registry import never
from xdsl_bufferization.models.bufferization import (
    MaterializeInDestinationModel,
    ToBufferModel,
    ToTensorModel,
)
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk

PARTIAL_OPTIONS = OneShotOptions(
    allow_unknown_ops=True,
    copy_before_write=True,
    unknown_type_conversion=LayoutMapOption.IDENTITY,
    function_boundary_type_conversion=LayoutMapOption.IDENTITY,
)
"""How ops bufferize if others are left on tensors; `buffer_alignment` may differ."""


def bufferize_partially(
    module: ModuleOp,
    dialects: Sequence[str],
    options: OneShotOptions = PARTIAL_OPTIONS,
) -> None:
    """
    Bufferize the ops of the dialects, in place. `func` stands for functions, calls, and the
    arguments of blocks with the branches to them.

    Raises `BufferizationError`, with the module as it was, if one of them cannot be
    bufferized.
    """
    bufferization = PartialBufferization(module, dialects, options)
    bufferization.analyze()
    bufferization.rewrite()


class PartialBufferization(OneShotBufferization):
    """The stages of bufferizing the ops of some dialects, in modules within the module, too."""

    @staticmethod
    def left_modules(module: ModuleOp, options: OneShotOptions) -> set[Operation]:
        return set()

    def __init__(
        self, module: ModuleOp, dialects: Sequence[str], options: OneShotOptions
    ):
        super().__init__(
            module,
            replace(
                options,
                dialect_filter=(*dialects, "bufferization"),
                bufferize_function_boundaries="func" in dialects,
            ),
        )

    def _analyze(self, scope: Sequence[Operation]) -> OneShotAnalysis:
        program = TensorProgram(scope, self._model_in_analysis, self.summary_of)
        return copying_analysis(program, self.options)

    def model_of(self, op: Operation) -> BufferizableOpInterface | None:
        if _is_size_of_copy(op):
            return BufferizableOpInterface.of(op)
        return partial_model(super().model_of(op))

    def rewrite(self) -> None:
        super().rewrite()
        for op in [op for op in walk([self.module]) if isinstance(op, ToTensorOp)]:
            if op.tensor.first_use is None:
                Rewriter.erase_op(op)


def copying_analysis(
    program: TensorProgram, options: OneShotOptions
) -> OneShotAnalysis:
    """
    Every operand that its op writes is out of place, unless it must not be.

    Raises `BufferizationError` if one that must be in place cannot be.
    """
    analysis = OneShotAnalysis(program, options, copy_before_write=True)
    # Terminators may forward any buffer: none of them is written afterwards.
    analysis.ops_share_memory = False
    return analysis


class _KeptToTensor(ToTensorModel):
    """`to_tensor`, which stays for the ops that stay on tensors."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.keep(op.results[0], op.operands[0])


class _KeptToBuffer(ToBufferModel):
    """
    `to_buffer`, which stays if its tensor does.

    Partial bufferization writes a buffer only if it belongs to a copy.
    """

    writes = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if bufferizer.known_buffer(op.operands[0]) is not None:
            super().bufferize(op, bufferizer)


class _CopyInDestination(MaterializeInDestinationModel):
    """
    `materialize_in_destination`, into a copy if the destination is a tensor: which tensors
    share its buffer is unknown while other ops are on tensors.
    """

    must_be_in_place = never


_PARTIAL_MODELS: dict[type[BufferizableOpInterface], BufferizableOpInterface] = {
    MaterializeInDestinationModel: _CopyInDestination(),
    ToBufferModel: _KeptToBuffer(),
    ToTensorModel: _KeptToTensor(),
}
"""By the model of the ops when the whole program is bufferized at once."""


def partial_model(
    model: BufferizableOpInterface | None,
) -> BufferizableOpInterface | None:
    """The model that replaces another one if some ops are left on tensors."""
    return None if model is None else _PARTIAL_MODELS.get(type(model), model)


def _is_size_of_copy(op: Operation) -> bool:
    """Whether the op computes a size of a new buffer, whichever dialects are bufferized."""
    return (
        isinstance(op, tensor.DimOp)
        and (use := op.result.first_use) is not None
        and isinstance(use.operation, AllocTensorOp)
    )


class PartialBufferizePass(BufferizationPass):
    """A pass that bufferizes the ops of one dialect, and no others."""

    dialect: ClassVar[str]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_partially(op, (self.dialect,), self.options())

    def options(self) -> OneShotOptions:
        """How the ops bufferize."""
        return PARTIAL_OPTIONS


PARTIAL_PASSES = {
    dialect: f"{dialect}-bufferize"
    for dialect in ("arith", "bufferization", "func", "linalg", "scf", "tensor")
}
"""The pass that bufferizes a dialect, by the name of the dialect."""
