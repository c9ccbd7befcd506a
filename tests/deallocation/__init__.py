"""
Programs on memrefs that free nothing, and the pipelines that are to free all they leak.

Each program of `programs/*.mlir` is called by its last function. It may take any number
of i1 and index, for which it is called with several values each, of f32, and memrefs,
whose dynamic sizes are 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType
from xdsl.ir import Attribute
from xdsl.passes import PassPipeline

from tests.peer import MlirTools
from tests.peer.numpy_types import Array, dtype_of
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.support.reading import context_of_all_dialects, multiverse

PASS = "buffer-deallocation-pipeline"
"""What it is called by xDSL and by mlir-opt."""

DYNAMIC_OWNERSHIP = "private-function-dynamic-ownership=true"
"""Its option, in the syntax of both."""


@dataclass(frozen=True)
class Program:
    """A program on memrefs."""

    name: str
    """The function to be called; no two programs have the same."""
    text: str
    """In the syntax of mlir-opt."""

    @property
    def has_private_functions(self) -> bool:
        return "func.func private" in self.text


def read_programs() -> list[Program]:
    """All programs, in the order of their files."""
    return [
        Program(re.findall(r"^func\.func @(\w+)", text, flags=re.M)[-1], text)
        for file in sorted((Path(__file__).parent / "programs").glob("*.mlir"))
        for text in file.read_text().split("// -----")
    ]


def inputs_for(type: FunctionType) -> Iterator[list[Array]]:
    """Arguments for each call of a function: all values of i1, and some of index."""
    numbers = np.random.default_rng(0).permutation(100)
    yield from map(
        list,
        product(
            *(_values(t, numbers[10 * i :]) for i, t in enumerate(type.inputs.data))
        ),
    )


def _values(type: Attribute, numbers: Array) -> list[Array]:
    if isinstance(type, MemRefType):
        shape = [3 if n == DYNAMIC_INDEX else n for n in type.get_shape()]
        dtype = dtype_of(type.element_type)
        return [np.resize(numbers, shape).astype(dtype)]
    dtype = dtype_of(type)
    choices = {np.dtype(np.bool_): (True, False), np.dtype(np.int64): range(5)}
    return [np.array(n, dtype) for n in choices.get(dtype, (numbers[0],))]


Pipeline = Callable[[MlirTools, Sequence[str]], "list[str | Exception]"]
"""Each program with deallocations, or why there is none; in generic form, as its input."""


def with_xdsl(options: str = "") -> Pipeline:
    """Our pipeline. Its errors are whatever a pass raises."""
    spec = f"{PASS}{{{options}}}" if options else PASS

    def deallocate(text: str) -> str | Exception:
        context = context_of_all_dialects()
        module = parse_module(text)
        try:
            PassPipeline.parse_spec(multiverse().all_passes, spec).apply(
                context, module
            )
            module.verify()
        except Exception as error:  # whatever is wrong with what is tested
            return error
        return print_generic(module)

    return lambda _, texts: [deallocate(text) for text in texts]


def with_mlir_opt(options: str = "") -> Pipeline:
    """The pipeline of mlir-opt. Its errors are of class `PeerError`."""
    flag = f"--{PASS}={options}" if options else f"--{PASS}"
    return lambda tools, texts: [*tools.opt_each(texts, flag)]


def with_nothing(options: str = "") -> Pipeline:
    """No pipeline: the programs as they are, which may leak."""
    return lambda _, texts: [*texts]
