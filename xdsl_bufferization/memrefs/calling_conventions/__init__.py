"""
How functions on memrefs get and return memory: changes of signatures, for passes that drop
results or turn them into arguments.

`signatures.py` rewrites functions and calls, and makes entry functions of public ones.
`available_sizes.py` finds which sizes of a result callers can compute. `out_params.py` turns
results into arguments for memory of the callers, and finds which allocations callers can make
instead of the function.
"""
