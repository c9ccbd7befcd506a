"""The bound of each function of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.verification.copy_bound.containers import Containers
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy, total
from xdsl_bufferization.verification.copy_bound.program import Program
from xdsl_bufferization.verification.copy_bound.writers import Writers


@dataclass(frozen=True, slots=True)
class CopyBound:
    """What every bufferization of a function copies."""

    copies: Sequence[ForcedCopy]
    """Copies without which there is none; there may be more."""

    @property
    def size(self) -> int:
        """The bytes copied for each execution of the function, at least."""
        return total(self.copies)


def copy_bounds(module: ModuleOp) -> Mapping[Operation, CopyBound]:
    """
    The bound of each function with a body, without what functions copy that it calls.

    The program is one on tensors, in front of One-Shot Bufferize. Tensors of unknown size
    count as nothing.
    """
    return {
        function: copy_bound(function)
        for function in functions_in(module)
        if any(region.blocks for region in function.regions)
    }


def copy_bound(function: Operation) -> CopyBound:
    """The bound of one function."""
    program = Program([function])
    by_writers = Writers(program).forced()
    by_containers = Containers(program).forced()
    copies: list[ForcedCopy] = []
    for root in dict.fromkeys((*by_writers, *by_containers)):
        # One copy may serve both.
        both = by_writers.get(root, ()), by_containers.get(root, ())
        copies += max(both, key=total)
    return CopyBound(copies)
