"""The effects of a function, as its callers know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from xdsl_bufferization.support.attributes import argument_attributes
from xdsl_bufferization.support.shaped_types import is_tensor_like

ACCESS = "bufferization.access"
"""Attribute of an argument: what a function without a body does to the argument's buffer."""


class FunctionSummary(NamedTuple):
    """
    The effects of a function on the buffers of its tensor arguments.

    Arguments and results are named by their index among all of the function's.
    """

    reads: Sequence[bool]
    """For each argument, whether the function reads its buffer."""
    writes: Sequence[bool]
    """For each argument, whether the function writes its buffer."""
    returns: Sequence[Sequence[int]]
    """For each argument, the results that may share its buffer."""
    equivalent: Sequence[int | None]
    """For each result, the argument whose buffer it is; `None` if it may be another."""
    writable: Sequence[bool]
    """For each result, whether the caller may write its buffer."""
    shared: Sequence[Sequence[int]] = ()
    """Groups of results that may share memory with each other."""
    identical: Sequence[Sequence[int]] = ()
    """Those of the groups whose results are always one buffer."""
    donated: Mapping[int, int] = MappingProxyType({})
    """
    By result, the argument that is donated for it: unlike other results that are equivalent
    to an argument, callers are never given a copy, to be freed by them.
    """


def declared_access(function: Operation, argument: int) -> str:
    """How a function without a body accesses the argument's buffer, as far as it declares."""
    attributes = argument_attributes(function)
    declared = attributes[argument].get(ACCESS) if attributes else None
    return declared.data if isinstance(declared, StringAttr) else "read-write"


def without_effects(function: func.FuncOp) -> FunctionSummary:
    """The summary that a recursive function starts with: its calls of itself do nothing."""
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    return FunctionSummary(
        reads=[False] * len(inputs),
        writes=[False] * len(inputs),
        returns=[[] for _ in inputs],
        equivalent=[None] * len(outputs),
        writable=[True] * len(outputs),
    )


def declared_summary(function: func.FuncOp) -> FunctionSummary:
    """
    The summary of a function without a body: it reads and writes each argument, unless the
    attribute `bufferization.access` of the argument says less, and may return any, or new
    memory, in each of its results.
    """
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access = [declared_access(function, i) for i in range(len(inputs))]
    tensors = [i for i, type in enumerate(outputs) if is_tensor_like(type)]
    return without_effects(function)._replace(
        reads=["read" in declared for declared in access],
        writes=["write" in declared for declared in access],
        returns=[tensors if is_tensor_like(type) else [] for type in inputs],
        shared=[tensors] if len(tensors) > 1 else [],
    )
