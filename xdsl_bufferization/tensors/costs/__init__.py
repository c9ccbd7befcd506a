"""
The memory that a tensor program will need on buffers: copies, moves, bytes, and the peak.

- `buffer_bytes.py`: the bytes of tensors and memrefs;
- `profile.py`: allocations with their live ranges, and how much is live at a time;
- `figures.py`: copies, moves and what a cost is;
- `costs.py`: the costs of a program;
- `decided.py`: those of a function, from the decisions, the alias edges and the order of ops:
  - `decided_buffers.py`: one pass over the ops, which follows buffers and records them in
    `buffer_uses.py`;
  - `decided_copies.py`: the copies that the decisions ask for, and between which tensors none is
    made;
  - `buffer_types.py`: the buffer types that the decisions lead to, where a copy depends on one;
  - `live_ranges.py`: from when to when each buffer is live.
"""
