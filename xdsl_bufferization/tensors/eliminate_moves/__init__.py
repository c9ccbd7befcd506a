"""
Fewer ops that only move elements: those that read their results read the source instead.

- `memory.py`: which tensors may share a buffer, and when it is used;
- `views.py`: moves that are views;
- `readers.py`: ops that can read the source through the map of a move, or a collapsed source, or
  slices of it in another order of dimensions; and insertions into the result;
- `obstacles.py`: why a move is left;
- `driver.py`: which ops are moves, and `elimination.py`: when the source of a move can stand for
  its result, and the rewrite.
"""
