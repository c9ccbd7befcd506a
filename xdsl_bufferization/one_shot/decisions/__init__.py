"""
Decisions: which operands are in place, why the others are not, and what follows for callers.

An operand is *in place* if its op works in the operand's buffer, and *out of place* if it
works on a copy. A decision is never taken back, so alias sets, equivalence classes and
marks of memory that is written or read-only only grow.

To be read in this order:

- `reasons.py`: why an operand is out of place.
- `alias_sets.py`: tensors whose buffers may overlap, with the reads and the in-place
  writes of each set sorted by position, by the number of a tensor; and the tensors that may be
  in read-only memory, or in memory that is written, by tensor.
- `analysis.py`: what the rewrite asks of an analysis; the order in which operands are decided,
  and the decisions in numbers.
- `one_shot_analysis.py`: One-Shot Analysis, which puts the above together; conflicts, which are
  reads that would see what another op has written; and equivalence, by SSA value.
- `summaries.py`: what an analysed function does to its arguments.

What is done with decisions, before anything is rewritten:

- `in_place_requests.py`: refuses a program in which an operand needs a copy against the
  wish of its author.
- `annotations.py`: the decisions as attributes.
"""
