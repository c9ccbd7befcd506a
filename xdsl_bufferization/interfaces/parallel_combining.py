"""
Ops that say how parallel runs of a region combine what they have computed.

Source: MLIR's ParallelCombiningOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from xdsl.traits import OpTrait


class ParallelCombiningOpTrait(OpTrait):
    """
    An op that may be in the region of `scf.forall.in_parallel`: it has no results, and
    updates one of the outputs that the runs share.
    """
