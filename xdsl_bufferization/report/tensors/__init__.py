"""
The report on functions on tensors: the buffers and copies that bufferization makes.

`uses.py` collects them, from a `trial.py` of bufferization on a copy of the program;
`reasons.py` says why there is a copy, `advice.py` how to avoid it, `verdicts.py` whether that
is possible, and what `eliminate-copies` has tried. `names.py` has the names of buffers.
"""
