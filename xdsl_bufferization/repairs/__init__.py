"""
Faults of xDSL that are mended in place: its classes are given other methods.

Each repair is a module of this package with two functions. `is_broken` asks xDSL for
something that it gets wrong, and `mend` replaces what is at fault; where a later xDSL is
right, nothing is replaced. Repairs are made in a process that calls this package, and in no
other: by a command whose pipeline or target is one of the package's (`support/xdsl_opt.py`), or
for a context that was made for it (`support/reading.py`). With
`XDSL_BUFFERIZATION_NO_REPAIRS=1` in the environment xDSL's classes stay as they are.
`nested_effects.py` is no repair, but the effects of ops that a repair and the canonicalization
in `deallocation` ask for.

What can be mended without xDSL's classes is mended elsewhere: in the op classes of the
context (`dialects`), in the parser (`support/reading.py`) and in the printer
(`support/printing.py`).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from xdsl.builder import Builder, ImplicitBuilder, InsertOpInvT
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

VARIABLE = "XDSL_BUFFERIZATION_NO_REPAIRS"
"""The variable of the environment that leaves xDSL's classes as they are."""


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
    """The fault, as users see it."""
    why_in_place: str
    """Why a method of xDSL's has to be replaced."""
    repaired: str = "xdsl.dialects.builtin"
    """
    The module of xDSL with the fault, or ours that redefines its ops; a program without it
    needs no repair.
    """

    def is_broken(self) -> bool:
        """Whether xDSL, as it is now, has the fault."""
        with ImplicitBuilder(_Nowhere()):
            return import_module(f"{__name__}.{self.module}").is_broken()

    def mend(self) -> None:
        """Replace what is at fault."""
        import_module(f"{__name__}.{self.module}").mend()


REPAIRS = (
    Repair(
        "dense_printing",
        "dense<[0.0, -0.0]> is printed as dense<0.0>, and long lists of i1, i4 or i24 so "
        "that mlir-opt reads other numbers",
        "attributes print themselves, whatever the printer",
    ),
    Repair(
        "splats",
        "a splat takes memory and time for each of its elements",
        "constants are made and folded everywhere",
    ),
    Repair(
        "semi_affine_maps",
        "maps with products of dimensions and symbols end in a NotImplementedError",
        "the operators of affine expressions are called everywhere",
    ),
    Repair(
        "string_literals",
        "a string that does not end takes time that is exponential in its length",
        "all parsers share the lexer",
    ),
    Repair(
        "symbol_lookup",
        "each lookup of a symbol, and so the verifier of each call, scans all functions",
        "the verifiers of xDSL's ops call it",
    ),
    Repair(
        "dlti_entries",
        "#dlti.dl_entry<...> in a #dlti.dl_spec is not read",
        "attributes of another class would not be equal to xDSL's",
        repaired="xdsl.dialects.dlti",
    ),
    Repair(
        "unranked_arith",
        "ops of arith on unranked tensors are not read",
        "all elementwise ops of the dialect share the constraint of their operands",
        repaired="xdsl_bufferization.dialects.arith",
    ),
    Repair(
        "unranked_math",
        "ops of math on unranked tensors are not read",
        "all elementwise ops of the dialect share the constraint of their operands",
        repaired="xdsl_bufferization.dialects.math",
    ),
    Repair(
        "interpreter",
        "xdsl-run finds no implementation for ops whose class refines one of xDSL's",
        "interpreters are made by their users",
        repaired="xdsl.interpreter",
    ),
    Repair(
        "common_subexpressions",
        "cse takes quadratic time for equal ops that read memory, and for deep regions",
        "the pass makes its own driver",
        repaired="xdsl.transforms.common_subexpression_elimination",
    ),
)
"""All repairs."""


def apply(*, import_all: bool = False) -> None:
    """
    Mend what is broken in the modules of xDSL that are imported, or, with `import_all`, in all
    modules, since who asks for it may import them later.
    """
    for repair in REPAIRS:
        if import_all or repair.repaired in sys.modules:
            make(repair.module)


@cache
def make(module: str) -> None:
    """Make one repair, where it is needed and the environment allows it."""
    if os.environ.get(VARIABLE, "") not in ("", "0"):
        return
    (repair,) = (repair for repair in REPAIRS if repair.module == module)
    if repair.is_broken():
        repair.mend()
