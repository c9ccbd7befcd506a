"""
Facts about programs on memrefs.

Read `buffer_flow.py` first: the edges of the control flow, on which memrefs are forwarded.
`memref_flow_graph.py` adds views, and addresses, says which memrefs may alias, and is what
`allocation_uses.py` and `returned_buffers.py` search. `program_points.py` orders the ops, and
`allocation_uses.py` says where memory is used.

`memrefs_of_tensors.py` is about programs on tensors, which read these through memrefs.
"""
