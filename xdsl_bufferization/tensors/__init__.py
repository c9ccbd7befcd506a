"""
Rewrites of tensor programs before One-Shot Bufferize.

To be read in this order:

- `op_order.py`: what ops do to memory, and which are free to move; the order of ops in each block,
  kept up to date while ops are moved. By op: a number that is compared with those of other ops of
  the block only.
- `reshaped_destinations.py`: the part of a tensor in the shape that an empty tensor has.
- `empty_tensor_elimination.py`: the empty tensors that are in the buffer of an operand, given the
  decisions of an analysis, and the rewrite.

Beside it, `copy_returned_values` copies constants in the functions that return them.
"""
