"""
Tensor programs in whose functions the ops are in the order that needs the least memory at a time.

A function is looked at only if its peak is higher than what some op touches, which no order
changes. In it, the blocks in which more memory is live than that are reordered, those of inner
regions first. Then the program is decided and its costs are computed again: a function
that copies more, moves more, or has a higher peak than before is put back. So the number of
analyses depends on how deep regions are nested, not on the number of ops.
"""

from __future__ import annotations

from collections.abc import Container

from xdsl.dialects import func

from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.reorder.reordering import Reordering


def reorder_for_memory(
    program: AnalysedModule, within: Container[func.FuncOp] | None = None
) -> None:
    """
    Reorder the ops of an analysed module, or of the functions in it that are given, and note in it
    the bytes that functions need at their peak in every order, as far as that is known.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if program.options.copy_before_write:
        # Nothing is in place, so that the dependences are not those of the decisions.
        return
    functions = [
        f
        for f in program.remember(Costs).depending_on_order
        if within is None or f in within
    ]
    if functions:
        bounds = Reordering(program, functions).run()
        program.order_bounds = {**program.order_bounds, **bounds}
