"""
Freeing what programs on memrefs allocate.

`owners.py` finds the memrefs that may own memory, `ownership.py` decides who owns what,
`ownership_deallocs.py` rewrites all functions; then the pass
`buffer-deallocation-simplification` and `lowering.py` take `bufferization.dealloc` apart.

`canonicalization.py` tidies up. `lowering.py` also makes `bufferization.clone` an allocation and a
copy. `left_memory.py` finds the memory that is left to the program, and refuses programs that free
memory wrongly.
"""
