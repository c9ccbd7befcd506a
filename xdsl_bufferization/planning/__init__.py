"""
Static memory planning: offsets in one arena for buffers that are alive for a while.

It knows nothing of IR: `plan` takes lives, sizes and alignments, and gives offsets. Sizes,
alignments, offsets and heights are bytes; lives are half-open ranges of any integers.
"""

from xdsl_bufferization.planning.planner import Method, plan
from xdsl_bufferization.planning.problem import Buffer, Plan, conflicts, lower_bound

__all__ = ["Buffer", "Method", "Plan", "conflicts", "lower_bound", "plan"]
