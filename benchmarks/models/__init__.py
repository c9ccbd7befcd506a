"""
Trained networks, from the packages that ship them to C functions with one arena.

`networks.py` says which networks there are, and `steps.py` has the commands that make a shared
library of each, as docs/models.md shows them. `call.py` calls the library with NumPy, and
`onnx_runtime.py` the network as it came. `measure.py` compares numbers, memory and time, and
`page.py` has the table.

    python -m benchmarks.models [NETWORK ...]

runs all of that, and writes the table of docs/models.md.
"""
