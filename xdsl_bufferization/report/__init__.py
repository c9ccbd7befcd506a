"""
The effects of bufferization on a program, for people: each copy with its reason, and the memory
in use over time.

In reading order: `target.py` is the target `bufferization-report` of `xdsl-opt`, with remarks and
limits, and `report.py` what it reports. `model.py` has the classes of a report, and `source.py`
the parts of the program that it quotes, and sizes in its names. `memory.py` reports on functions on
memrefs. `tensors.py` reports on functions on tensors, from a `trial.py` of bufferization on a copy
of the program; `reasons.py` and `codes.py` say why there is a copy or a move and how to avoid it,
and `experiments.py` tries changes before they are advised. `text.py`, with `writer.py`, and `html/`
format the report. `header.py` is the target `bufferization-header`, which declares functions on
memrefs in C.
"""
