"""
The report on functions on tensors: the buffers and copies that bufferization makes.

`uses.py` collects them, from a `trial.py` of bufferization on a copy of the program;
`reasons.py` says why there is a copy and how to avoid it, `moves.py` why a move is left,
`verdicts.py` whether a copy can be avoided, and what `eliminate-copies` has tried. `names.py` has
the names of buffers, `experiments.py` tries changes of the program before they are advised.
"""
