"""
A lower bound of the bytes that a bufferization copies, whatever it decides.

The model: each tensor has a buffer and a place in it, and so do the tensors that are made
of it. Each *link* between two tensors, such as an init and the result, or a slice and its
place in the whole, saves a copy if both are in the same place. Where two tensors that are
linked cannot be in one place, since one needs contents that the other overwrites, or since
the memory of one is given and too small, a link has to go. A minimum set of such links is a
minimum multicut. Disjoint sets of links, each with one that has to go, are a packing, and a
lower bound. The search here finds a packing of short paths.

The order of ops is only used as far as operands require it, and contents that are cheap to
compute again never count, so that the bound also holds for the program with ops moved,
fills duplicated, or padding and concatenation as insertions.

It shares the models of ops with the analysis that decides, and nothing else. Read in this
order:

- `links.py`: bytes of tensors and of parts, which tensors may be in one place, what loops and
  branches forward, and how many bytes of a tensor matter;
- `program.py`: how often ops are executed, which tensor's memory a tensor is in, if all views are,
  and dependences of ops, for one function;
- `forced.py`: copies that are forced;
- `writers.py`: copies for ops that overwrite what is still needed;
- `bound.py`: copies of tensors that are put into others, and what is beside a tensor in another one
  that it is a part of; the bound of each function.
"""
