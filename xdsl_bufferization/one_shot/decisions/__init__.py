"""
Decisions: which operands are in place, why the others are not, and what follows for callers.

An operand is *in place* if its op works in the operand's buffer, and *out of place* if it
works on a copy. A decision is never taken back, so alias sets, equivalence classes and
marks of memory that is written or read-only only grow.

To be read in this order:

- `reasons.py`: why an operand is out of place.
- `alias_sets.py`: tensors whose buffers may overlap, with the reads and the in-place
  writes of each set sorted by position. By the number of a tensor.
- `writability.py`: the tensors that may be in read-only memory, and those that may be in
  memory that is written. By tensor.
- `conflicts.py`: a read that would see what another op has written.
- `equivalence.py`: tensors that are known to be the same memref. By SSA value.
- `heuristics.py`: the order in which operands are decided.
- `analysis.py`: what the rewrite asks of an analysis, whichever it is.
- `one_shot_analysis.py`: One-Shot Analysis, which puts the above together.
- `copy_before_write.py`: the analysis that takes its place if every write is to work on
  a copy.
- `summaries.py`: what an analysed function does to its arguments.

What is done with decisions, before anything is rewritten:

- `in_place_requests.py`: refuses a program in which an operand needs a copy against the
  wish of its author.
- `annotations.py`, `statistics.py`: the decisions as attributes, and in numbers.
"""
