"""
Passes that MLIR has removed, for pipelines that still run them.

Nothing else in the package imports them: a reader who wants to know how bufferization works today
does not need this folder. The passes are the files, some with a folder of what they need:

- `dialect_conversion.py`: `func-bufferize`, `scf-bufferize` and the others of LLVM 11 to 18, which
  bufferize one dialect each, and `finalizing-bufferize`; the patterns are in `conversion/`. Today:
  `one-shot-bufferize`.
- `buffer_deallocation.py`: `buffer-deallocation` of LLVM 12 to 18, which copies where it is not
  known at compile time who frees. Today: `buffer-deallocation-pipeline`.
- `copy_removal.py`: `copy-removal` of LLVM 12, with `memory_accesses.py`. Today:
  `eliminate-copies`, on tensors.
"""
