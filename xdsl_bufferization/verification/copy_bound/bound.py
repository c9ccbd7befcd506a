"""The bound of each function of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation

from xdsl_bufferization.support.call_graph import (
    CallGraph,
    functions_in,
    is_return,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.verification.copy_bound.containers import Containers
from xdsl_bufferization.verification.copy_bound.contents import NeededByCallee
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy, total
from xdsl_bufferization.verification.copy_bound.links import LinkKind, Operand
from xdsl_bufferization.verification.copy_bound.program import Program
from xdsl_bufferization.verification.copy_bound.writers import Writers


@dataclass(frozen=True, slots=True)
class CopyBound:
    """What every bufferization of a function copies."""

    copies: Sequence[ForcedCopy]
    """Copies without which there is none; there may be more."""
    _program: Program
    """What the bound follows from."""

    @property
    def size(self) -> int:
        """The bytes copied for each execution of the function, at least."""
        return total(self.copies)

    def needed(self, argument: BlockArgument) -> int:
        """The bytes of an argument of the function that are read or returned, at most."""
        return self._program.contents.needed(argument)

    def why_avoidable(self, operand: Operand) -> str:
        """
        Why a copy made for the operand is not known to be forced, if it is not: a clause,
        without capital letter and full stop.
        """
        contents, link = self._program.contents, self._program.links.link(operand)
        if is_return(operand.op):
            return "a function may return memory that its caller owns, if they agree"
        if not contents.valuable(operand.value):
            return "what it copies may be undefined, or cheap to compute again"
        if not contents.used(operand):
            return "no op is known to need what it copies"
        match None if link is None else link.kind:
            case LinkKind.PART:
                return f"it can be computed where {op_name(operand.op)} puts it"
            case LinkKind.UPDATE:
                return (
                    "no op that needs the old contents has to run behind "
                    f"{op_name(operand.op)}"
                )
            case _:
                return "nothing keeps both tensors from being in one place"


def copy_bounds(module: ModuleOp) -> Mapping[Operation, CopyBound]:
    """
    The bound of each function with a body, without what functions copy that it calls.

    The program is one on tensors, in front of One-Shot Bufferize. Tensors of unknown size
    count as nothing.
    """
    graph = CallGraph(module)
    bounds: dict[Operation, CopyBound] = {}

    def needed_by_callee(call: func.CallOp, index: int) -> int:
        callee = graph.callee(call)
        # Of recursive functions not all are known.
        bound = None if callee is None else bounds.get(callee)
        if callee is None or bound is None:
            return 0
        return bound.needed(callee.args[index])

    callees_first = [f for component in graph.callees_first() for f in component]
    for function in dict.fromkeys((*callees_first, *functions_in(module))):
        if any(region.blocks for region in function.regions):
            bounds[function] = _copy_bound(function, needed_by_callee)
    return bounds


def _copy_bound(function: Operation, needed_by_callee: NeededByCallee) -> CopyBound:
    program = Program([function], needed_by_callee)
    by_writers = Writers(program).forced()
    by_containers = Containers(program).forced()
    copies: list[ForcedCopy] = []
    for root in dict.fromkeys((*by_writers, *by_containers)):
        # One copy may serve both.
        both = by_writers.get(root, ()), by_containers.get(root, ())
        copies += max(both, key=total)
    return CopyBound(copies, program)
