"""
arith on numbers and arrays of them.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.interpreter import register_impls
from xdsl.ir import Operation

from xdsl_bufferization.semantics.interpreter import Functions, ScalarFunction
from xdsl_bufferization.semantics.values import Value, wrap


def _computes(function: Callable[..., Any]) -> ScalarFunction:
    """The function of the operands, as the result's type has it."""

    def compute(op: Operation, operands: Sequence[Value]) -> Value:
        return wrap(op.results[0].type, function(*operands))

    return compute


@register_impls
class ArithFunctions(Functions):
    scalar: ClassVar = {
        "arith.addf": _computes(np.add),
        "arith.addi": _computes(np.add),
    }


FUNCTIONS = ArithFunctions
