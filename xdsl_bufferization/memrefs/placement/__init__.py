"""
Where programs on memrefs allocate: in other blocks, on the stack, or all in one arena.

Read in this order: `hoisting_targets.py` finds the blocks that an allocation may be moved to,
and moves it there, or to the stack; `arena_buffers.py` finds the allocations that
may have a place in an arena, with their live ranges and their sizes, `arenas.py` has them
planned, in regions of one unit each, `arena_planner.py` does so for all functions, and
`arena_allocation.py` rewrites the program.

Hoisting that keeps the peak: `loop_buffers.py` finds what can leave each loop;
`shared_hoisting.py` decides what does, and which memory it shares, and rewrites the function.
"""
