"""
The bound of each function of a program.

    func.func @f(%t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
      %r = tensor.insert %f into %t[%i]    // 28 bytes: the argument must not be written
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    declared_access,
)
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    functions_in,
    is_return,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.verification.copy_bound.containers import Containers
from xdsl_bufferization.verification.copy_bound.contents import NeededByCallee
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy, total
from xdsl_bufferization.verification.copy_bound.links import (
    UNKNOWN_IS_NOTHING,
    LinkKind,
    Operand,
    Sizes,
    is_of_unknown_size,
)
from xdsl_bufferization.verification.copy_bound.program import (
    Program,
    is_given,
    is_writable,
)
from xdsl_bufferization.verification.copy_bound.writers import Writers


@dataclass(frozen=True, slots=True)
class CopyBound:
    """The copies that every bufferization of a function makes."""

    copies: Sequence[ForcedCopy]
    """Copies without which there is none; there may be more."""
    _program: Program
    """The facts that the bound follows from."""

    @property
    def size(self) -> int:
        """The bytes copied for each execution of the function, at least."""
        return total(self.copies)

    def needed(self, argument: BlockArgument) -> int:
        """The bytes of an argument of the function that are read or returned, at most."""
        return self._program.contents.needed(argument)

    @property
    def copies_of_unknown_size(self) -> Sequence[ForcedCopy]:
        """
        Those of the copies, in a bound of `UNKNOWN_IS_LARGE`, whose size is not known: made if
        the tensor has elements.
        """
        return [copy for copy in self.copies if is_of_unknown_size(copy.size)]

    def why_worthless(self, operand: Operand) -> str:
        """
        Why no bufferization has to keep what a copy made for the operand contains: a clause,
        without capital letter and full stop. Empty if that is not known.
        """
        root = self._program.places.of(operand.value).root
        return self._program.contents.why_worthless(root)

    def why_avoidable(self, operand: Operand, *, may_reorder: bool) -> str:
        """
        How the two tensors of a copy made for the operand, which is not forced, can be in one
        place: a clause as in `why_worthless`. Empty if that is not known. With `may_reorder`,
        the ops that read the old contents are known to be able to run first.
        """
        link = self._program.links.link(operand)
        root = self._program.places.of(operand.value).root
        if is_return(operand.op):
            return "a function may return memory that its caller owns, if they agree"
        match None if link is None else link.kind:
            case LinkKind.PART if not is_given(root):
                return f"it can be computed where {op_name(operand.op)} puts it"
            case LinkKind.UPDATE if may_reorder and is_writable(root):
                return (
                    "no op that needs the old contents has to run after "
                    f"{op_name(operand.op)}"
                )
            case _:
                return ""


def copy_bounds(
    module: ModuleOp, sizes: Sizes = UNKNOWN_IS_NOTHING
) -> Mapping[Operation, CopyBound]:
    """
    The bound of each function with a body, without what functions copy that it calls.

    The program is one on tensors, before One-Shot Bufferize. With `UNKNOWN_IS_LARGE`, only
    `CopyBound.copies_of_unknown_size` is of interest.

    Raises `BufferizationError` if a model refuses an op. The module has to be valid.
    """
    # What models say is valid for these ops only.
    for op in module.walk():
        if (model := BufferizableOpInterface.of(op)) is not None:
            model.verify_op(op, OneShotOptions())
    graph = CallGraph(module)
    bounds: dict[Operation, CopyBound] = {}

    def needed_by_callee(call: func.CallOp, index: int) -> int:
        callee = graph.callee(call)
        if callee is None:
            return 0
        if not callee.body.blocks:
            is_read = "read" in declared_access(callee, index)
            return sizes.of(call.operands[index]) if is_read else 0
        # The bounds of recursive functions are not all known.
        bound = bounds.get(callee)
        return 0 if bound is None else bound.needed(callee.args[index])

    callees_first = [f for component in graph.callees_first() for f in component]
    for function in dict.fromkeys((*callees_first, *functions_in(module))):
        if any(region.blocks for region in function.regions):
            bounds[function] = _copy_bound(function, needed_by_callee, sizes)
    return bounds


def _copy_bound(
    function: Operation, needed_by_callee: NeededByCallee, sizes: Sizes
) -> CopyBound:
    program = Program([function], needed_by_callee, sizes)
    by_writers = Writers(program).forced()
    by_containers = Containers(program).forced()
    copies: list[ForcedCopy] = []
    for root in dict.fromkeys((*by_writers, *by_containers)):
        # One copy may serve both.
        both = by_writers.get(root, ()), by_containers.get(root, ())
        copies += max(both, key=total)
    return CopyBound(copies, program)
