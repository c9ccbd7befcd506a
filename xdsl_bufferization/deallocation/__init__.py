"""
Freeing what programs on memrefs allocate.

`owned_memory.py` does so for all functions, callees first: `owners.py` finds the memrefs that may
own memory, `ownership.py` decides who owns what, `ownership_deallocs.py` rewrites;
then `simplification.py` and `lowering.py` take `bufferization.dealloc` apart.

`canonicalization.py` tidies up.

`clone_lowering.py` makes `bufferization.clone` an allocation and a copy.

`contradictory_frees.py` refuses programs that free memory wrongly.
"""
