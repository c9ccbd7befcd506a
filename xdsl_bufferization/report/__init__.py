"""
The effects of bufferization on a program, for people: each copy with its reason, and the memory
in use over time.

In reading order: `target.py` is the target `bufferization-report` of `xdsl-opt`, and
`report.py` what it reports; `model.py` has the classes of a report, and `source.py` the
parts of the program that it quotes. `tensors/` reports on functions on tensors, `memory/`
on functions on memrefs; `peaks.py` says what is alive at a peak, and until when. `text.py`,
with `writer.py`, and `html/` format the report; `target.py` writes remarks, and says what is too
much, compared with an earlier report. `header.py` is the target `bufferization-header`, which
declares functions on memrefs in C.
"""
