"""
Sizes that are known at run time only.

Read in this order: `arithmetic.py` answers `SizesOpInterface` for the ops of MLIR's dialects,
`size_analysis.py` follows sizes through these, loops, branches and calls, and finds their bounds,
and `computation.py` inserts the ops that compute a size. Nothing of it is imported for a program
whose sizes are static.
"""
