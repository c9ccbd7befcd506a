"""
The passes that each bufferize one dialect, by the names that they had in MLIR.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.options import OneShotOptions
from xdsl_bufferization.transforms.partial_bufferization import (
    PARTIAL_OPTIONS,
    bufferize_partially,
)
from xdsl_bufferization.transforms.pass_options import BufferizationPass


class PartialBufferizePass(BufferizationPass):
    """A pass that bufferizes the ops of `dialects`, and no others."""

    dialects: ClassVar[tuple[str, ...]]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bufferize_partially(op, self.dialects, self.options())

    def options(self) -> OneShotOptions:
        """How the ops bufferize."""
        return PARTIAL_OPTIONS


@dataclass(frozen=True)
class ArithBufferizePass(PartialBufferizePass):
    """
    Bufferize `arith` ops: constants become read-only `memref.global`s.

    - `alignment`: the alignment of buffers in bytes; 0 leaves it out.
    """

    name = "arith-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("arith",)

    alignment: int = PARTIAL_OPTIONS.buffer_alignment

    def options(self) -> OneShotOptions:
        if self.alignment < 0:
            raise BufferizationError(
                None,
                f"{self.name}: '{self.alignment}' is not a value of alignment; it is a "
                "number of bytes",
            )
        return replace(PARTIAL_OPTIONS, buffer_alignment=self.alignment)


@dataclass(frozen=True)
class TensorConstantBufferizePass(ArithBufferizePass):
    """The former name of `arith-bufferize`."""

    name = "tensor-constant-bufferize"


@dataclass(frozen=True)
class BufferizationBufferizePass(PartialBufferizePass):
    """
    Bufferize `bufferization` ops: `alloc_tensor`, `dealloc_tensor` and
    `materialize_in_destination`. `to_tensor` and `to_buffer` stay where an op that is on
    tensors needs them.
    """

    name = "bufferization-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("bufferization",)


@dataclass(frozen=True)
class FuncBufferizePass(PartialBufferizePass):
    """
    Bufferize functions: arguments, results, returns, calls, and the arguments of blocks
    with the branches to them. All memrefs there are without a layout.
    """

    name = "func-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("func",)


@dataclass(frozen=True)
class LinalgBufferizePass(PartialBufferizePass):
    """Bufferize `linalg` ops, each with a copy of its destination if it reads that."""

    name = "linalg-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("linalg",)


@dataclass(frozen=True)
class SCFBufferizePass(PartialBufferizePass):
    """
    Bufferize `scf` ops, with the terminators of their regions and what
    `scf.forall.in_parallel` combines.
    """

    name = "scf-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("scf",)


@dataclass(frozen=True)
class TensorBufferizePass(PartialBufferizePass):
    """Bufferize `tensor` ops, but for those that are part of an `scf.forall`."""

    name = "tensor-bufferize"
    dialects: ClassVar[tuple[str, ...]] = ("tensor",)


@dataclass(frozen=True)
class StdBufferizePass(BufferizationPass):
    """An error that names the passes that took its place when MLIR split the dialect."""

    name = "std-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise BufferizationError(
            None,
            f"there is no dialect std any more, so {self.name} does nothing",
            hint="run arith-bufferize (constants, select, index_cast), tensor-bufferize "
            "(dim and other tensor ops) and func-bufferize (calls, returns, branches)",
        )


PARTIAL_PASSES = (
    ArithBufferizePass,
    BufferizationBufferizePass,
    FuncBufferizePass,
    LinalgBufferizePass,
    SCFBufferizePass,
    TensorBufferizePass,
)
"""One pass for each dialect."""
