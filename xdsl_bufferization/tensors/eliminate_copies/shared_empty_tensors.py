"""
Empty tensors whose memory is free again when the memory of another one is needed: one for both.

    %f = linalg.fill ins(%zero) outs(%d)       // %d, a tensor.empty
    %m = linalg.matmul ins(%a, %b) outs(%f)
    %u = tensor.extract %m[%i, %i]             // the last op that reads %m
    %g = linalg.fill ins(%zero) outs(%e)       // outs(%d): %e is a tensor.empty of that size

Invariant: nothing is allocated between the death of the one and the birth of the other, so that no
peak is higher than before, unless decisions or layouts change with it: the costs tell. Takes
`n log n` time in the memory that functions allocate, and one more analysis of what shares memory
with these tensors.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import func, tensor

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_bytes import sizes_if_asked
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.figures import LiveMemory

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes


def share_empty_tensors(
    program: AnalysedModule, functions: Iterable[func.FuncOp], costs: Costs
) -> None:
    """
    Let empty tensors in the functions, whose costs are given, share memory where that makes
    nothing worse.
    """
    functions, position = [*functions], program.changes.position
    # They stay valid when empty tensors take the place of others.
    sizes = sizes_if_asked()
    for function in functions:
        for memories in costs.live_memory(function).values():
            _share(program, memories, sizes)
    if program.changes.position == position:
        return
    program.has_changed()
    try:
        after = program.remember(Costs)
        program.check_rewrite()
        is_worse = any(not after.of(f).is_no_more_than(costs.of(f)) for f in functions)
    except BufferizationError:
        is_worse = True
    if is_worse:
        program.changes.undo(position)
        program.has_changed()


def _kind(op: tensor.EmptyOp, sizes: Callable[[], Sizes]) -> Hashable:
    """A key that empty tensors share that can take each other's place, one after the other."""
    shape = sizes().shape(op.tensor) if op.operands else None
    return (op.parent, op.tensor.type, *(shape or ()))


def _share(
    program: AnalysedModule,
    memories: Sequence[LiveMemory],
    sizes: Callable[[], Sizes],
) -> None:
    """Share memory of one space, whose births and deaths are given."""
    dead: dict[Hashable, list[tuple[float, int, tensor.EmptyOp]]] = defaultdict(list)
    """By kind, in the order of their deaths: the death, a number, and the empty tensor."""
    last_birth: float = -1
    for number, memory in enumerate(sorted(memories, key=lambda m: m.start)):
        if isinstance(op := memory.op, tensor.EmptyOp) and op.parent is not None:
            alike = dead[_kind(op, sizes)]
            # The one that has died last before this birth: nothing is born in between.
            index = bisect_right(alike, memory.start, key=lambda entry: entry[0]) - 1
            if index >= 0 and alike[index][0] >= last_birth:
                _, _, former = alike.pop(index)
                program.changes.replace_uses(op.tensor, former.tensor)
                program.changes.remove(op)
                op = former
            insort(alike, (memory.end, number, op))
        last_birth = memory.start
