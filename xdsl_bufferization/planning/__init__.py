"""
Static memory planning: offsets in one arena for buffers with known live ranges.

It knows nothing of IR: `plan` takes live ranges, sizes and alignments, and returns offsets.
Sizes, alignments, offsets and heights are in bytes; live ranges are half-open ranges of any
integers.

Read in this order: `problem.py` defines buffers, plans and bounds, and splits a problem;
`planner.py` plans greedily, and searches for a plan within a given height. `order.py` plans in
which order tasks run.
"""

from xdsl_bufferization.planning.planner import Method, plan
from xdsl_bufferization.planning.problem import Buffer, Plan, conflicts, lower_bound

__all__ = ["Buffer", "Method", "Plan", "conflicts", "lower_bound", "plan"]
