"""
How functions on memrefs get and return memory: changes of signatures, for passes that drop
results or turn them into arguments.

`signatures.py` rewrites functions and calls. `available_sizes.py` and
`hoistable_allocations.py` analyse functions: which sizes of a result callers can compute, and
which allocations callers can make instead of the function. `out_params.py` turns results into
arguments for memory of the callers.
"""
