"""What the examples share: from a JAX function to StableHLO, and XLA's figures for it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp


def main(
    function: Callable[..., Any], shapes: Sequence[Any], donated: Sequence[int]
) -> None:
    """
    Print the function, for arguments of these shapes, as StableHLO; with `--xla`, print how much
    memory XLA needs for it on this CPU instead.
    """
    arguments = [jax.ShapeDtypeStruct(*shape) for shape in shapes]
    lowered = jax.jit(function, donate_argnums=donated).lower(*arguments)
    if "--xla" in sys.argv:
        memory = lowered.compile().memory_analysis()
        new = memory.output_size_in_bytes - memory.alias_size_in_bytes
        print(f"XLA: {memory.temp_size_in_bytes + new} bytes, arguments not counted")
    else:
        print(with_results_in_arguments(lowered.as_text()))


def with_results_in_arguments(text: str) -> str:
    """
    The program, in which a result *is* the argument donated for it: JAX says only that it may be
    in its memory.
    """
    return re.sub(
        r"tf\.aliasing_output = (\d+) : i32",
        r"bufferize.aliasing_result = \1 : i64",
        text,
    )


def floats(*sizes: int) -> tuple[tuple[int, ...], Any]:
    """An argument of 32-bit floats."""
    return sizes, jnp.float32


INDEX = (), jnp.int32
"""An argument that is a position."""
