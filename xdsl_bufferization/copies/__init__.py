"""
Removing copies from programs on memrefs. Read `superfluous_copies.py` first: it finds the
copies whose source and target may be the same memory. `buffer_replacement.py` replaces the
one memref by the other, and `copy_removal.py` does that for all copies of a module.

`clone_lowering.py` makes `bufferization.clone` an allocation and a copy.
"""
