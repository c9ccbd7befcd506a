"""
The report on functions on tensors: the buffers and copies that bufferization makes.

`uses.py` collects them, from a `trial.py` of bufferization on a copy of the program;
`reasons.py` says why there is a copy, and `advice.py` how to avoid it.
"""
