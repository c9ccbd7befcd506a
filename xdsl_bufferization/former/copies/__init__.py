"""
Removing copies from programs on memrefs.

`superfluous_copies.py` finds the copies whose source and target may be the same memory, from the
accesses (`memory_accesses.py`) between the two, and
replaces the one memref by the other. The pass `copy-removal` does that for all copies of a module.
"""
