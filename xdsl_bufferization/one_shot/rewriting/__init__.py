"""
From decisions to buffers, in two steps: the copies, still on tensors, and the rewrite.

To be read in this order:

- `buffer_types.py`: which memref type the buffer of each tensor will have; implements
  `BufferTypes` of `interfaces/bufferizer.py`. By tensor: a type that has been found holds
  until the end.
- `tensor_copies.py`: inserts the copies that the decisions ask for.
- `op_builder.py`: inserts ops on memory before the op that is being rewritten; constants as
  `memref.global`, by symbol table, value and memory space.
- `bufferizer.py`: the rewrite, op by op, to which models add the part for their ops;
  implements `Bufferizer` with the types of `buffer_types.py` and the ops of
  `op_builder.py`. By tensor: the buffer that it has become.
"""
