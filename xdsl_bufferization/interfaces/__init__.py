"""
The questions that ops answer, one interface a file, and who may ask what in return.

`registry.py` comes first: how ops of any dialect answer. Then

- for programs on tensors: `bufferizable.py` (what an op does to the buffers of its tensors,
  and its rewrite), with `bufferizer.py` (what models may ask and do during the rewrite),
  `function_summary.py` (what calls do), `destination_style.py`, `subset.py`, `reshape.py`,
  `parallel_combining.py`;
- for programs on memrefs: `allocation.py`, `buffer_effects.py`, `view_like.py`, `copy.py`;
- for both: `region_branch.py`, `reify.py`, `infer_type.py`.

An interface is named as MLIR's where MLIR has it. Operands and regions are named by their
index; a model keeps no state.
"""
