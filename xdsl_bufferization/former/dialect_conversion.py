"""
Bufferization in several passes: a partial pass for each dialect, and a finalizing pass.

    func.func @f(%t: tensor<4xf32>) -> f32 {         // after tensor-bufferize:
      %i = arith.constant 0 : index
      %x = tensor.extract %t[%i] : tensor<4xf32>     // %m = bufferization.to_buffer %t
      func.return %x : f32                           // %x = memref.load %m[%i]
    }

The partial passes differ in their dialects only; `conversion/partial_bufferization.py` has what
they do.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 13 to 18
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.former.conversion.finalization import finalize
from xdsl_bufferization.former.conversion.partial_bufferization import (
    PARTIAL_OPTIONS,
    PartialBufferizePass,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import Alignment, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class ArithBufferizePass(PartialBufferizePass):
    """Bufferize `arith` ops: constants become read-only `memref.global`s."""

    name = "arith-bufferize"
    dialect = "arith"

    alignment: Alignment = PARTIAL_OPTIONS.buffer_alignment
    """The alignment of buffers, in bytes; 0 leaves it out."""

    def options(self) -> OneShotOptions:
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
    dialect = "bufferization"


@dataclass(frozen=True)
class FuncBufferizePass(PartialBufferizePass):
    """
    Bufferize functions: arguments, results, returns, calls, and the arguments of blocks
    with the branches to them. All memrefs there are without a layout.
    """

    name = "func-bufferize"
    dialect = "func"


@dataclass(frozen=True)
class LinalgBufferizePass(PartialBufferizePass):
    """Bufferize `linalg` ops, each with a copy of its destination if it reads that."""

    name = "linalg-bufferize"
    dialect = "linalg"


@dataclass(frozen=True)
class SCFBufferizePass(PartialBufferizePass):
    """
    Bufferize `scf` ops, with the terminators of their regions and what
    `scf.forall.in_parallel` combines.
    """

    name = "scf-bufferize"
    dialect = "scf"


@dataclass(frozen=True)
class TensorBufferizePass(PartialBufferizePass):
    """Bufferize `tensor` ops, but for those that are part of an `scf.forall`."""

    name = "tensor-bufferize"
    dialect = "tensor"


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


@dataclass(frozen=True)
class FinalizingBufferizePass(BufferizationPass):
    """
    Replace each `bufferization.to_buffer` of a `bufferization.to_tensor` by the memref, and
    refuse a program in which an op still has tensors.

    A memref of another type is cast, if every memref of its type also is one of the wanted
    type, and otherwise copied into a new one.
    """

    name = "finalizing-bufferize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        finalize(op)
