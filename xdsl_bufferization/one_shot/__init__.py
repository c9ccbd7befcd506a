"""
One-Shot Bufferize: rewrites a program on tensors to one on memrefs, with few copies.

It runs in three steps, each a folder, to be read in this order:

1. `facts/`: what the ops of a program say about its tensors, whichever operands are in
   place. Reads IR, never changes it.
2. `decisions/`: which operands are in place, and why the others are not; what a function
   does to the buffers of its arguments, for its callers.
3. `rewriting/`: makes the copies that the decisions ask for, then replaces tensors by
   memrefs.

Before them comes `participation.py` (which ops are bufferized, and which programs
cannot be). `bufferization.py` is the table of contents: it runs the steps in order, callees before
their callers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""
