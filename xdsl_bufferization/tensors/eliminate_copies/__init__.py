"""
Tensor programs changed so that less has to be copied.

- `driver.py`: which functions are changed; the overview of all this;
- `elimination.py`: attempts, until no function is worse than it came;
- `attempt.py`: one attempt, which makes the rewrites of `scans.py`, `rematerialization.py`,
  `inits.py` (with `destinations.py`), `straight_copies.py`, `distribution.py` (with `pieces.py`),
  `order.py` (with `memory_accesses.py`), `layouts.py`, `insertions.py` and `insertion_order.py`;
- `turns.py`: two buffers that take turns in loops that copy still (`copying_loops.py`), by
  `unrolling.py` (with `overwritten.py`) or `swaps.py`, if fewer bytes are copied at run time;
- `baseline.py`: what each function may cost;
- `culprits.py`: which edits may have made functions worse, and `blame.py`: the few of them to
  leave out first;
- `shared_empty_tensors.py`: one buffer for empty tensors, one after the other, in what is kept;
- `trace.py`: what the attempts have tried, for the report.
"""
