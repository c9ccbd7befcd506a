"""
Elementwise ops fused into the ops that read their results, which then need no buffer.

- `loops.py`: structured ops as loops, and which of them can be fused;
- `group.py`: an op and the producers that it computes itself;
- `fused_op.py`: the one `linalg.generic` that does the work of a group;
- `elementwise.py`: all that can be fused, as `linalg-fuse-elementwise-ops` does.
"""
