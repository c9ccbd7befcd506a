"""
The memory that a tensor program will need on buffers: copies, moves, bytes, and the peak.

- `profile.py`: allocations with their live ranges, how much is live at a time, and bytes, copies,
  moves and what a cost is;
- `costs.py`: the costs of the functions of a program, from the decisions, the alias edges and the
  order of ops:
  - `decided_buffers.py`: one pass over the ops, which follows buffers, and their types where a
    copy depends on one;
  - `decided_copies.py`: the copies that the decisions ask for, and between which tensors none is
    made;
  - `buffer_uses.py`: what is recorded, and from when to when each buffer is live.
"""
