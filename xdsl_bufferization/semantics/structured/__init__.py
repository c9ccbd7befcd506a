"""
Structured ops, such as those of linalg: a body that is run over an iteration space.

`accesses.py` says which elements the points of the space access, `bodies.py` what is
computed at a point, and `iteration.py` runs it, on whole arrays where it can.
"""
