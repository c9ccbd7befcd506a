"""
The check that a pass pipeline keeps what a program computes.

`check.py` compares two programs, and `command.py` is `bufferization-check`. For each
function, `signatures.py` finds where its results may be after the passes, `inputs.py` draws
arguments, `execution.py` calls it, and functions without a body, compares what the calls give and
explains a difference, and `report.py` holds what was found.
"""
