"""Programs whose functions have donated arguments, whatever they return."""

from __future__ import annotations

from random import Random

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.support.donation import ALIASING_RESULT
from xdsl_bufferization.support.shaped_types import is_tensor_type


def donate(module: ModuleOp, random: Random | None = None) -> int:
    """
    For each result of each function, donate the first argument of the same type that is
    left, or if `random` is given, some argument for some results; returns how many.
    """
    donated = 0
    for op in module.walk():
        if not isinstance(op, FuncOp):
            continue
        inputs, outputs = op.function_type.inputs.data, op.function_type.outputs.data
        attributes = [
            dict(a.data) for a in op.arg_attrs or [DictionaryAttr({})] * len(inputs)
        ]
        free = [i for i, type in enumerate(inputs) if is_tensor_type(type)]
        for result, output in enumerate(outputs):
            fitting = [i for i in free if inputs[i] == output]
            if fitting and (random is None or random.random() < 0.6):
                argument = fitting[0] if random is None else random.choice(fitting)
                free.remove(argument)
                attributes[argument][ALIASING_RESULT] = IntegerAttr(result, i64)
                donated += 1
        op.arg_attrs = ArrayAttr(map(DictionaryAttr, attributes))
    return donated
