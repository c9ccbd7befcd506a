"""
Tensor programs changed so that less has to be copied.

- `driver.py`: which functions are changed; the overview of all this; and one buffer for empty
  tensors, one after the other, in what is kept;
- `elimination.py`: candidates for the search (`tensors/search.py`), each without other edits;
- `attempt.py`: the rewrites of a candidate, those of `scans.py`, `rematerialization.py`,
  `inits.py` (with `destinations.py`), `straight_copies.py`, `distribution.py`,
  `order.py` (with `memory_accesses.py`), `layouts.py`, `insertions.py` and `insertion_order.py`;
- `interference.py`: the edits that have to do with new copies, or with memory at a peak;
- `double_buffering.py`: two buffers in loops that copy still, by unrolling or swaps, if fewer bytes
  are copied at run time;
- `trace.py`: what the candidates have tried, for the report.
"""
