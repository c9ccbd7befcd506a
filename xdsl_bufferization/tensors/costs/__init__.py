"""
The memory that a tensor program will need on buffers: copies, bytes, and the peak.

- `figures.py`: what a cost is, and live ranges as intervals of positions with sizes;
- `decided.py`: costs from the decisions, the alias edges and the order of ops, without a rewrite;
- `buffer_types.py`: the buffer types that the decisions lead to, where a copy depends on one;
- `rewritten.py`: costs of a clone that is rewritten, for programs with ops of unknown costs;
- `costs.py`: one of the two.
"""
