"""
Ops that combine what parallel executions of a region have computed.

Source: MLIR's ParallelCombiningOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Operation
from xdsl.traits import IsTerminator, OpTrait

_MAX_KINDS = 1024
"""Classes of ops that are known: each op that no dialect defines has a class of its own."""


class ParallelCombiningOpTrait(OpTrait):
    """
    An op that may be in the region of `scf.forall.in_parallel`: it has no results, and
    updates one of the outputs that the executions share.
    """


def combines_in_parallel(op: Operation) -> bool:
    """Whether the op updates an output that parallel executions of a region share."""
    return _combines_in_parallel(type(op))


def belongs_to_parent(op: Operation) -> bool:
    """
    Whether the op forwards tensors to the results of its parent: it is a terminator, or
    combines in parallel. Such an op is bufferized if and only if its parent is.
    """
    return _belongs_to_parent(type(op))


@lru_cache(maxsize=_MAX_KINDS)
def _combines_in_parallel(kind: type[Operation]) -> bool:
    return kind.has_trait(ParallelCombiningOpTrait, value_if_unregistered=False)


@lru_cache(maxsize=_MAX_KINDS)
def _belongs_to_parent(kind: type[Operation]) -> bool:
    return kind.has_trait(
        IsTerminator, value_if_unregistered=False
    ) or _combines_in_parallel(kind)
