"""
Memory, checked at each access.

`buffers.py` has buffers, and the strided views of them that memrefs are; `memory.py`
allocates, reads, writes and frees them, and fills uninitialised memory; `views.py` makes views of
memrefs, and compares them with memref types.
"""
