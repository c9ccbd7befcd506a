"""
Elementwise ops fused into the ops that read their results, which then need no buffer.

- `group.py`: structured ops as loops, an op and the producers that it computes itself, and the one
  `linalg.generic` that does the work of both; all that can be fused, as
  `linalg-fuse-elementwise-ops` does;
- `search.py`: what is fused at the peak.
"""
