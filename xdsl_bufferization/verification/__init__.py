"""
An independent check of in-place decisions: a forward data-flow analysis that finds each op
that would read other contents than the program on tensors says.

It shares with the analysis that decides the models of ops, the uses of memrefs of tensors
(`memrefs/buffers/memrefs_of_tensors.py`), and what integers are computed from
(`interfaces/sizes.py`), and nothing else. Read in this order:

- `functions.py`: `check_decisions`, callees first;
- `access_paths.py`: loops, with the steps of their induction variables; slices of slices, whether
  two of them are disjoint, and the parts of allocations that a tensor may be in;
- `sources.py`: the operands that each tensor may come from; where tensors, and memrefs of them, are
  used last, and the blocks they are live in;
- `memory_map.py`: the base and the access path of each tensor, if the decisions are carried out,
  its location, and which locations overlap;
- `problems.py`: what the analysis knows at a point of the program, and what it finds, as errors say
  it;
- `overwrites.py`: what an op reads and writes of an operand, which tensors have contents of
  arguments, and the analysis.
"""
