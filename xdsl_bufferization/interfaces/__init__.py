"""
The questions that ops answer, and who may ask what in return.

`registry.py` comes first: how ops of any dialect answer. Then

- for programs on tensors: `bufferizable.py` (what an op does to the buffers of its tensors,
  and its rewrite), with `bufferizer.py` (what models may ask and do during the rewrite),
  `destination_style.py`, `subset.py`, `parallel_combining.py`, `contents.py` (how contents are
  made of others, and what may be made again), `loop_like.py`, `tiling.py`;
- for programs on memrefs: `allocation.py`, `buffer_effects.py`, `view_like.py`, `copy.py`;
- for both: `region_branch.py`, `reify.py`, `infer_type.py`, `sizes.py` (sizes and other integers).

An interface is named as MLIR's where MLIR has it. Operands and regions are named by their
index; a model keeps no state.
"""
