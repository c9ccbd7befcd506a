"""
The report on functions on memrefs: when each buffer is live, and where the peak is.

`function.py` reads a function, its buffers in arenas included; `usage.py` adds up what is live at
each position, and knows loops, branches that exclude one another, and the memory of called
functions.
"""
