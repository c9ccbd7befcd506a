"""
Where programs on memrefs allocate: in other blocks, or all in one arena.

Read in this order: `hoisting_targets.py` finds the blocks that an allocation may be moved to,
and `hoisting.py` moves it; `static_buffers.py` finds the allocations that may have a fixed
place in an arena, with their live ranges, and `arenas.py` has them planned.
"""
