"""
The memory that a tensor program will need on buffers: copies, moves, bytes, and the peak.

- `profile.py`: allocations with their live ranges, how much is live at a time, and bytes, copies,
  moves and what a cost is;
- `costs.py`: the costs of the functions of a program, from the decisions, the alias edges and the
  order of ops:
  - `decided_buffers.py`: one pass over the ops, which follows buffers, and their types where a
    copy depends on one;
  - `buffer_uses.py`: what is recorded, from when to when each buffer is live, and the copies that
    the decisions ask for.
"""
