"""
An executable semantics of programs on tensors and on memrefs, and a check that pass pipelines
keep it.

In reading order: `values.py` says how tensors, scalars and memrefs are represented in NumPy;
`memory.py` allocates, reads, writes and frees buffers; `interpreter.py` runs ops, whose meaning is
in `dialects/` and, for those with a body over an iteration space, in `structured.py`; `errors.py`
has what can go wrong; `checking/` runs functions before and after passes, and compares.

Needs NumPy and ml_dtypes: `pip install xdsl-bufferization[check]`.
"""
