"""
The order of ops in their blocks that needs the least memory at a time.

- `dependences.py`: which ops have to stay in their order;
- `reordering.py`: the ops of a block as tasks, with the memory that they use, which blocks are
  reordered, and what becomes of the program.

The search is in `planning/order.py`.
"""
