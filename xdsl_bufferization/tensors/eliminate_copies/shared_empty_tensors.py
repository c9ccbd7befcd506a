"""
Empty tensors whose memory is free again when the memory of another one is needed: one for both.

    %f = linalg.fill ins(%zero) outs(%d)       // %d, a tensor.empty
    %m = linalg.matmul ins(%a, %b) outs(%f)
    %u = tensor.extract %m[%i, %i]             // the last op that reads %m
    %g = linalg.fill ins(%zero) outs(%e)       // outs(%d): %e is a tensor.empty of that size

Invariant: nothing is allocated between the death of the one and the birth of the other, so that no
peak is higher than before, unless something is copied that was not, which the costs tell. Takes
`n log n` time in the memory that functions allocate, and one more analysis of what shares memory
with these tensors.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from xdsl.dialects import func, tensor

from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_bytes import sizes_if_asked
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import Allocation
from xdsl_bufferization.tensors.search import Limits, keep_better

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes


def share_empty_tensors(
    program: AnalysedModule, functions: Iterable[func.FuncOp], costs: Costs
) -> None:
    """
    Let empty tensors in the functions, whose costs are given, share memory where that makes
    nothing worse.
    """
    # They stay valid when empty tensors take the place of others.
    sizes = sizes_if_asked()
    shared = [
        (op, former)
        for function in functions
        for profile in costs.profiles(function).values()
        for op, former in _shared(profile.allocations, sizes)
    ]
    if not shared:
        return
    position = program.changes.position
    for op, former in shared:
        program.changes.replace_uses(op.tensor, former.tensor)
        program.changes.remove(op)
    keep_better(
        program,
        position,
        frozenset(functions),
        Limits(costs.functions, costs),
        lambda f, now: _allocations(now, f) < _allocations(costs, f),
    )


def _allocations(costs: Costs, function: func.FuncOp) -> int:
    return len(costs.decided_of(function).allocations)


def _kind(op: tensor.EmptyOp, sizes: Callable[[], Sizes]) -> Hashable:
    """A key that empty tensors share that can take each other's place, one after the other."""
    shape = sizes().shape(op.tensor) if op.operands else None
    return (op.parent, op.tensor.type, *(shape or ()))


def _shared(
    allocations: Iterable[Allocation], sizes: Callable[[], Sizes]
) -> Iterator[tuple[tensor.EmptyOp, tensor.EmptyOp]]:
    """
    The empty tensors among what is allocated in one memory space, each with one before it whose
    memory it can have.
    """
    dead: dict[Hashable, list[tuple[float, int, tensor.EmptyOp]]] = defaultdict(list)
    """By kind, in the order of their deaths: the death, a number, and the empty tensor."""
    last_birth: float = -1
    for number, memory in enumerate(sorted(allocations, key=lambda a: a.start)):
        if isinstance(op := memory.op, tensor.EmptyOp) and op.parent is not None:
            alike = dead[_kind(op, sizes)]
            # The one that has died last before this birth, unless something is born since.
            index = bisect_right(alike, memory.start, key=lambda entry: entry[0]) - 1
            if index >= 0 and alike[index][0] > last_birth:
                _, _, former = alike.pop(index)
                yield op, former
                op = former
            insort(alike, (memory.end, number, op))
        last_birth = memory.start
