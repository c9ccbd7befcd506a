"""
Tensor programs changed so that less has to be copied.

- `driver.py`: which functions are changed; the overview of all this; and one buffer for empty
  tensors, one after the other, in what is kept;
- `elimination.py`: candidates for the search (`tensors/search.py`), each without other edits, and
  the rewrites of a candidate, those of `scans.py`, `copied_operands.py`, `inits.py`,
  `distribution.py`, `order.py`, `layouts.py` and `insertions.py`;
- `interference.py`: the edits that have to do with new copies, or with memory at a peak; and what
  the candidates have tried, for the report;
- `double_buffering.py`: two buffers in loops that copy still, by unrolling or swaps, if fewer bytes
  are copied at run time.
"""
