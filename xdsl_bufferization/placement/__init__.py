"""
Where programs on memrefs allocate: in other blocks, on the stack, or all in one arena.

Read in this order: `hoisting_targets.py` finds the blocks that an allocation may be moved to,
`hoisting.py` moves it there, and `stack.py` allocates it on the stack; `static_buffers.py`
finds the allocations that may have a fixed place in an arena, with their live ranges,
`arenas.py` has them planned, and `arena_allocation.py` rewrites the program.
"""
