"""How many bytes programs copy, and how many each bufferization of them copies."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.verification.copy_bound.bound import copy_bounds
from xdsl_bufferization.verification.copy_bound.program import executions

ONE_SHOT = "one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}"
BEST = f"eliminate-copies,eliminate-empty-tensors,{ONE_SHOT}"
PIPELINES = (
    ONE_SHOT,
    f"eliminate-empty-tensors,{ONE_SHOT[:-1]} allow-return-allocs-from-loops}}",
    BEST,
)


def bounds(module: ModuleOp) -> Mapping[str, int]:
    """The bound of each function, in bytes."""
    return {
        function.sym_name.data: bound.size
        for function, bound in copy_bounds(module).items()
        if isinstance(function, FuncOp)
    }


def bytes_copied(module: ModuleOp) -> Mapping[str, int]:
    """
    The bytes that each function of a program on memrefs copies each time it is called,
    counted as the bound counts: as if each branch were taken.
    """
    return {
        function.sym_name.data: sum(
            executions(op) * (bytes_of_contents(model.source(op)) or 0)
            for op in function.walk()
            if (model := CopyOpInterface.of(op)) is not None
        )
        for function in module.ops
        if isinstance(function, FuncOp)
    }


def reached(module: ModuleOp, pipeline: str = BEST) -> Mapping[str, int]:
    """The bytes that functions copy behind the passes; none if they refuse the program."""
    after = module.clone()
    try:
        parse_pipeline(pipeline).apply(Context(), after)
    except BufferizationError:
        return {}
    return bytes_copied(after)
