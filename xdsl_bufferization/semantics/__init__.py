"""
What programs compute: an executable semantics of tensors and of buffers, and a check that
a pass pipeline keeps it.

Needs NumPy and ml_dtypes: `pip install xdsl-bufferization[check]`.
"""
