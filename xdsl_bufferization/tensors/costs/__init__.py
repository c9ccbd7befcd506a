"""
The memory that a tensor program will need on buffers: copies, moves, bytes, and the peak.

- `moves.py`: the ops that only move elements;
- `buffer_bytes.py`: bytes that are known at run time only, and peaks of these;
- `figures.py`: what a cost is, and live ranges as intervals of positions with sizes;
- `costs.py`: the costs of a program, from the decisions or from a clone;
- `decided.py`: costs from the decisions, the alias edges and the order of ops, without a rewrite:
  - `decided_buffers.py`: one pass over the ops, which follows buffers and records them in
    `buffer_uses.py`;
  - `decided_copies.py`: the copies that the decisions ask for;
  - `same_memory.py`: between which tensors no copy is made;
  - `buffer_types.py`: the buffer types that the decisions lead to, where a copy depends on one;
  - `live_ranges.py`: from when to when each buffer is live;
- `rewritten.py`: costs of functions on buffers, such as those of a clone that is rewritten, for
  programs with ops of unknown costs.
"""
