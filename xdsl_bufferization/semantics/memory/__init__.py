"""
Memory, checked at each access.

`buffers.py` has buffers, the strided views of them that memrefs are, and layouts; `memory.py`
allocates, reads, writes and frees them, and fills uninitialised memory.
"""
