"""
Freeing at points that are known at compile time, with copies where the owner is not.

`critical_aliases.py` decides what is copied, `dealloc_placement.py` where memory is freed, and
`copies_and_deallocs.py` rewrites.
"""
