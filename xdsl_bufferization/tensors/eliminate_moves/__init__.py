"""
Fewer ops that only move elements: those that read their results read the source instead.

- `memory.py`: which tensors may share a buffer, and when it is used; moves that are views;
- `readers.py`: ops that can read the source through the map of a move, or a collapsed source, or
  slices of it in another order of dimensions; and insertions into the result;
- `obstacles.py`: why a move is left;
- `elimination.py`: when the source of a move can stand for its result, and the rewrite.

A *move* is an op such as `linalg.transpose`, or a `linalg.generic` whose body yields an input.
First, a move of what another move's result is collapsed to reads that result as it is, and is
collapsed instead. Then moves are visited in the order of the program, each once:

1. If all elements of a move are one value, its result is that value in the body of each
   `linalg.generic` that reads it.
2. A move that only adds or drops dimensions of size 1 becomes a view.
3. Of any other, all readers read the source, if they are `linalg.generic`s or moves.
4. Insertions into its result become insertions into its source, if all that follows can read that.

Takes time in proportion to the moves and their uses, after two walks over the program; a program in
which no tensor is moved is walked once.
"""
