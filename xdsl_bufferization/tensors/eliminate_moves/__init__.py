"""
Fewer ops that only move elements: those that read their results read the source instead.

- `memory.py`: which tensors may share a buffer, and when it is used;
- `safety.py`: when the source of a move can stand for its result;
- `views.py`: moves that are views;
- `slices.py`: ops that read slices of the results of moves, in another order of dimensions;
- `insertions.py`: moves whose results are inserted into;
- `collapsed.py`: moves of what the result of another is collapsed to;
- `readers.py`: ops that can read the source through the map of a move, or a collapsed source;
- `constants.py`: constants with one number for all elements;
- `obstacles.py`: why a move is left;
- `driver.py`: which ops are moves, and `elimination.py`: the rewrite.
"""
