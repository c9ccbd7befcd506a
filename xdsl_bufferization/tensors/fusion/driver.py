"""
Tensor programs whose elementwise ops are computed where their results are read, as far as that
lowers the peak of memory.
"""

from __future__ import annotations

from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.fusion.search import FusionSearch


def fuse_for_memory(program: AnalysedModule, max_added_work: int = 0) -> bool:
    """
    Fuse elementwise ops of an analysed module into the ops that read their results, where the
    peak falls by it and nothing is copied or moved more; and compute them again for several
    readers, where that adds no more than `max_added_work` percent to the work of their block.
    Returns whether a function has changed.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if program.options.copy_before_write:
        return False
    costs = program.remember(Costs)
    functions = [f for f in costs.functions if costs.peak(f)]
    return bool(functions and FusionSearch(program, functions, max_added_work).run())
