"""
Faults of xDSL 0.74 that are mended in place: its classes are given other methods.

Each repair is a module of this package with two functions. `is_broken` asks xDSL for
something that it gets wrong, and `mend` replaces what is at fault; where a later xDSL is
right, nothing is replaced. Those for no dialect are made when `xdsl-opt` finds the package,
the others when the dialect is used. With `XDSL_BUFFERIZATION_NO_REPAIRS=1` in the environment
xDSL stays as it is.

What of this is a fault of xDSL's text is described, with a patch for xDSL, in `docs/upstream`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from xdsl.builder import Builder, ImplicitBuilder, InsertOpInvT
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.repairs.imports import when_imported

VARIABLE = "XDSL_BUFFERIZATION_NO_REPAIRS"
"""The variable of the environment that leaves xDSL as it is."""


class _Nowhere(Builder):
    """Keeps ops that are created out of the program that a caller may be building."""

    def __init__(self) -> None:
        super().__init__(InsertPoint.at_end(Block()))

    def insert(
        self, op: InsertOpInvT, insertion_point: InsertPoint | None = None
    ) -> InsertOpInvT:
        return op


@dataclass(frozen=True)
class Repair:
    """A fault of xDSL, and the module that mends it."""

    module: str
    """The module in this package."""
    fault: str
    """What xDSL 0.74 does, as users see it."""
    dialect: str | None = None
    """The dialect whose use needs the repair; `None` for what every program may need."""
    imported: str | None = None
    """The module of xDSL without which the repair is not needed, if not all import it."""

    def is_broken(self) -> bool:
        """Whether xDSL, as it is now, has the fault."""
        with ImplicitBuilder(_Nowhere()):
            return import_module(f"{__name__}.{self.module}").is_broken()

    def mend(self) -> None:
        """Replace what is at fault."""
        import_module(f"{__name__}.{self.module}").mend()

    def make(self) -> None:
        """Mend what is broken."""
        if self.is_broken():
            self.mend()


REPAIRS = (
    Repair(
        "dense_literals",
        "dense<0xFF800000> : tensor<4xf32>, which is -inf, is read as 4.28657869e+09, and "
        "hex strings of i1, i4 or i24 as other numbers",
    ),
    Repair(
        "dense_printing",
        "dense<[0.0, -0.0]> is printed as dense<0.0>, and long lists of i1, i4 or i24 so "
        "that mlir-opt reads other numbers",
    ),
    Repair("splats", "a splat takes memory and time for each of its elements"),
    Repair(
        "semi_affine_maps",
        "maps with products of dimensions and symbols end in a NotImplementedError",
    ),
    Repair(
        "symbol_lookup",
        "each lookup of a symbol, and so the verifier of each call, scans all functions",
    ),
    Repair(
        "interpreter",
        "xdsl-run finds no implementation for ops whose class refines one of xDSL's",
        imported="xdsl.interpreter",
    ),
    Repair(
        "common_subexpressions",
        "cse takes quadratic time for equal ops that read memory",
        imported="xdsl.transforms.common_subexpression_elimination",
    ),
    Repair(
        "affine_ops",
        "attributes of affine.apply, affine.min, loads and stores are not printed, and the "
        "dimensions in affine.load %m[%i] are read as symbols",
        dialect="affine",
    ),
    Repair(
        "func_declarations",
        "attributes of arguments and results of functions without a body are lost",
        dialect="func",
    ),
    Repair(
        "linalg_copy",
        "linalg.copy from f32 to f64 has a body that yields f32",
        dialect="linalg",
    ),
    Repair(
        "linalg_named_ops",
        "linalg.matmul is printed without its indexing maps, and attributes of named ops "
        "as `attrs = {...}`, which mlir-opt 22 refuses",
        dialect="linalg",
    ),
    Repair(
        "linalg_attributes",
        "attributes of linalg.transpose, linalg.broadcast and linalg.reduce are not printed, "
        "and those in front of the indexing maps of linalg.generic not read",
        dialect="linalg",
    ),
    Repair(
        "dlti_entries",
        "#dlti.dl_entry<...> in a #dlti.dl_spec is not read",
        dialect="dlti",
    ),
    Repair(
        "scf_result_types",
        "scf.for, scf.if and scf.while with one result are not read unless its type is in "
        "parentheses",
        dialect="scf",
    ),
    Repair(
        "scf_canonicalization",
        "canonicalize moves ops that no dialect defines out of scf.for, and fails on, or "
        "erases, ends of scf.execute_region other than scf.yield",
        dialect="scf",
    ),
    Repair(
        "tensor_empty",
        "attributes of tensor.empty are neither read nor printed",
        dialect="tensor",
    ),
)
"""All repairs, in the order in which they are made."""


@cache
def apply(dialect: str | None = None) -> None:
    """Mend what is broken and needed for the dialect, or for any program."""
    if os.environ.get(VARIABLE, "") not in ("", "0"):
        return
    for repair in REPAIRS:
        if repair.dialect != dialect:
            continue
        if repair.imported is None:
            repair.make()
        else:
            when_imported(repair.imported, repair.make)
