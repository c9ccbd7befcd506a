"""
The report on functions on memrefs: when each buffer is live, and where the peak is.

`function.py` reads a function, with `arenas.py` for buffers in arenas and `sizes.py` for
bytes, `branches.py` for branches that exclude one another, and `callees.py` for the memory of
called functions; `usage.py` adds up what is live at each position, and knows the loops.
"""
