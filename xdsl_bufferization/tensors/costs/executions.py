"""
How often ops run each time their function does: traffic in a loop counts once an iteration.

    scf.for %i = %c0 to %c8 step %c1 { ... }    // 8: bounds and step are constants
    scf.while ... { ... }                       // UNKNOWN_TRIP_COUNT

Each branch counts as taken. Takes time in proportion to the loops around the op.
"""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.parallel_combining import combines_in_parallel
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface

UNKNOWN_TRIP_COUNT = 16
"""The iterations that are assumed of a loop whose bounds are no constants."""


def executions(op: Operation) -> int:
    """The number of times that the op runs each time its function does."""
    number, nested = 1, op
    while (parent := nested.parent_op()) is not None:
        number *= _trip_count(parent, nested)
        nested = parent
    return number


def _trip_count(op: Operation, nested: Operation) -> int:
    """The number of times that the region around the nested op runs each time the op does."""
    if (known := trip_count(op)) is not None:
        return known
    region = nested.parent_region()
    if region is None or combines_in_parallel(nested):
        return 1
    index = op.get_region_index(region)
    models = RegionBranchOpInterface.of(op), BufferizableOpInterface.of(op)
    if any(model is not None and model.is_repetitive(op, index) for model in models):
        return UNKNOWN_TRIP_COUNT
    return 1
