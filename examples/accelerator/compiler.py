"""
A small compiler for an imaginary accelerator with 64 KiB of memory, from linalg on tensors to
buffers at addresses.

    python examples/accelerator/compiler.py examples/accelerator/layers.mlir
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from dialect import L1, NPU, GemmOp
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import MatmulOp
from xdsl.ir import BlockArgument
from xdsl.parser import Parser
from xdsl.passes import ModulePass, PassPipeline
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization import LayoutMapOption, OneShotBufferizePass
from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.transforms.convert_elementwise_to_linalg import (
    ConvertElementwiseToLinalgPass,
)
from xdsl_bufferization.transforms.plan_static_memory import PlanStaticMemoryPass


class MatmulToGemm(RewritePattern):
    """The accelerator multiplies matrices. Arguments of functions are copied to its memory."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        lhs, rhs = (
            rewriter.insert(AllocTensorOp(v.type, copy=v, memory_space=L1)).tensor
            if isinstance(v, BlockArgument)
            else v
            for v in op.inputs
        )
        (out,) = op.outputs
        rewriter.replace(op, GemmOp(lhs, rhs, out, out.type))


class EmptyToL1(RewritePattern):
    """What is computed is in the memory of the accelerator."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.EmptyOp, rewriter: PatternRewriter) -> None:
        sizes = op.dynamic_sizes
        rewriter.replace(op, AllocTensorOp(op.tensor.type, sizes, memory_space=L1))


@dataclass(frozen=True)
class ConvertToAccelerator(ModulePass):
    """Let the accelerator do what it can."""

    name = "convert-to-accelerator"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for pattern in (MatmulToGemm(), EmptyToL1()):
            PatternRewriteWalker(pattern, apply_recursively=False).rewrite_module(op)


PIPELINE = PassPipeline(
    (
        ConvertElementwiseToLinalgPass(),
        ConvertToAccelerator(),
        OneShotBufferizePass(
            bufferize_function_boundaries=True,
            function_boundary_type_conversion=LayoutMapOption.IDENTITY,
        ),
        PlanStaticMemoryPass(
            start_addresses=("L1:0x10000000",),
            max_sizes=("L1:65536",),
            offsets_as_attributes=True,
            report=True,
        ),
    )
)


def context() -> Context:
    """The dialects of xDSL and of all packages in the environment, and the accelerator's."""
    context = context_of_all_dialects()
    context.load_dialect(NPU)
    return context


def main(path: str) -> None:
    ctx = context()
    module = Parser(ctx, Path(path).read_text(), path).parse_module()
    PIPELINE.apply(ctx, module)
    module.verify()
    print(module)


if __name__ == "__main__":
    main(*sys.argv[1:])
