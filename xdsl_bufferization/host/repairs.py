"""
Faults of xDSL that are mended in place: its classes are given other methods.

Each repair asks xDSL for something that it gets wrong, and replaces what is at fault; where a
later xDSL is right, nothing is replaced. Repairs are made in a process that calls this package,
and in no other: by a command whose pipeline or target is one of the package's (`universe.py`), or
for a context that was made for it (`support/reading.py`). With `XDSL_BUFFERIZATION_NO_REPAIRS=1`
in the environment xDSL's classes stay as they are.

What can be mended without xDSL's classes is mended elsewhere: in the op classes of the
context (`dialects`), in the parser (`support/reading.py`) and in the printer (`printing.py`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import NamedTuple

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


class Mending(NamedTuple):
    """How a repair is made."""

    is_broken: Callable[[], bool]
    """Whether xDSL, as it is now, has the fault."""
    mend: Callable[[], None]
    """Replaces what is at fault."""


@dataclass(frozen=True)
class Repair:
    """A fault of xDSL, and the place of its `Mending`."""

    module: str
    """The module in this folder, which is imported when xDSL's is."""
    name: str
    """The name of the `Mending` there."""
    repaired: str = "xdsl.dialects.builtin"
    """
    The module of xDSL with the fault, or ours that redefines its ops; a program without it
    needs no repair.
    """

    def is_broken(self) -> bool:
        """Whether xDSL, as it is now, has the fault."""
        with ImplicitBuilder(_Nowhere()):
            return self._mending().is_broken()

    def mend(self) -> None:
        """Replace what is at fault."""
        self._mending().mend()

    def _mending(self) -> Mending:
        return resolve_name(f"xdsl_bufferization.host.{self.module}:{self.name}")


REPAIRS = (
    # dense<[0.0, -0.0]> is printed as dense<0.0>, and long lists of i1, i4 or i24 so that
    # mlir-opt reads other numbers. Attributes print themselves, whatever the printer.
    Repair("builtin_repairs", "dense_printing"),
    # A splat takes memory and time for each of its elements. Constants are made and folded
    # everywhere.
    Repair("builtin_repairs", "splats"),
    # Maps with products of dimensions and symbols end in a NotImplementedError. The operators
    # of affine expressions are called everywhere.
    Repair("builtin_repairs", "semi_affine_maps"),
    # A string that does not end takes time that is exponential in its length. All parsers share
    # the lexer.
    Repair("builtin_repairs", "string_literals"),
    # Each lookup of a symbol, and so the verifier of each call, scans all functions. The
    # verifiers of xDSL's ops call it.
    Repair("builtin_repairs", "symbol_lookup"),
    # #dlti.dl_entry<...> in a #dlti.dl_spec is not read. Attributes of another class would not
    # be equal to xDSL's.
    Repair("dialect_repairs", "dlti_entries", "xdsl.dialects.dlti"),
    # Ops of arith and math on unranked tensors are not read. All elementwise ops of a dialect
    # share the constraint of their operands.
    Repair("dialect_repairs", "unranked_arith", "xdsl_bufferization.dialects.arith"),
    Repair("dialect_repairs", "unranked_math", "xdsl_bufferization.dialects.math"),
    # xdsl-run finds no implementation for ops whose class refines one of xDSL's. Interpreters
    # are made by their users.
    Repair("dialect_repairs", "interpreter", "xdsl.interpreter"),
    # cse takes quadratic time for equal ops that read memory, and for deep regions. The pass
    # makes its own driver.
    Repair(
        "common_subexpressions",
        "common_subexpressions",
        "xdsl.transforms.common_subexpression_elimination",
    ),
)
"""All repairs, with the fault as users see it, and why a method of xDSL's has to be replaced."""


def apply(*, import_all: bool = False) -> None:
    """
    Mend what is broken in the modules of xDSL that are imported, or, with `import_all`, in all
    modules, since who asks for it may import them later.
    """
    for repair in REPAIRS:
        if import_all or repair.repaired in sys.modules:
            make(repair.name)


@cache
def make(name: str) -> None:
    """Make one repair, where it is needed and the environment allows it."""
    if os.environ.get(VARIABLE, "") not in ("", "0"):
        return
    (repair,) = (repair for repair in REPAIRS if repair.name == name)
    if repair.is_broken():
        repair.mend()
