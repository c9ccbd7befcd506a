"""
Removes copies, and the memory that is not needed without them.

Source: the pass `copy-removal` that MLIR had until LLVM 12
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.former.memory_accesses import MemoryAccesses
from xdsl_bufferization.former.superfluous_copies import (
    Replacement,
    Reuse,
    SuperfluousCopies,
    plan_replacement,
    unused_views,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.memrefs.buffers.returned_buffers import constant_globals
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk

_ROUNDS = 4
"""
How often all copies that are left are tried again: one copy less may make others
superfluous.
"""


def remove_copies(module: ModuleOp) -> None:
    """Remove the copies of the module that are superfluous."""
    constants = constant_globals(module)
    removals: list[tuple[_Removal, Sequence[Operation]]] = []
    for function in functions_in(module):
        copies = [op for op in walk([function]) if CopyOpInterface.of(op) is not None]
        if copies:
            removals.append((_Removal(function, constants), copies))
    # No function changes before all are known to be valid.
    for removal, copies in removals:
        removal.run(copies)


def _keep_alignment(reuse: Reuse) -> None:
    """Align the allocation that remains at least like the one that is removed."""
    removed, kept = reuse.removed.op, without_casts(reuse.kept).owner
    if not isinstance(kept, memref.AllocOp | memref.AllocaOp):
        return
    wanted, found = removed.properties.get("alignment"), kept.alignment
    if isinstance(wanted, IntegerAttr) and (
        found is None or found.value.data < wanted.value.data
    ):
        kept.alignment = wanted


class _Removal:
    """The copies of one function."""

    def __init__(self, function: Operation, constants: AbstractSet[Operation]):
        self._accesses = MemoryAccesses(function, constants)
        self._superfluous = SuperfluousCopies(self._accesses)
        self._erased: set[Operation] = set()
        """A copy may be what allocates the memory that another one no longer needs."""

    def run(self, copies: Iterable[Operation]) -> None:
        """Remove the copies that are superfluous."""
        copies = [*copies]
        for _ in range(_ROUNDS):
            left = [copy for copy in copies if not self._remove(copy)]
            if len(left) == len(copies):
                return
            copies = left

    def _remove(self, copy: Operation) -> bool:
        if copy in self._erased:
            return True
        model = CopyOpInterface.expect(copy)
        source, target = model.source(copy), model.target(copy)
        if without_casts(source) is without_casts(target) and not copy.results:
            self._erase([copy])
            return True
        for reuse in self._superfluous.reuses(copy):
            replacement = self._replacement(reuse)
            if replacement is not None:
                self._apply(reuse, replacement)
                for value in (source, target):
                    for view in unused_views(value):
                        Rewriter.erase_op(view)
                return True
        return False

    def _replacement(self, reuse: Reuse) -> Replacement | None:
        points = self._accesses.points
        anchor = reuse.copy
        first = self._accesses.first_use.get(reuse.removed, math.inf)
        if first < points.position(anchor):
            user = points.at[int(first)] if first == int(first) else None
            control_class = points.control_class(anchor)
            anchor = (
                None if user is None else points.ancestor_in_class(control_class, user)
            )
            anchor = anchor or reuse.removed.op
        without = {reuse.copy, *reuse.deallocs}
        return plan_replacement(reuse.removed, reuse.kept, anchor, without, points)

    def _apply(self, reuse: Reuse, replacement: Replacement) -> None:
        accesses = self._accesses
        for op in (reuse.copy, *reuse.deallocs):
            accesses.forget(op)
        accesses.join([reuse.kept], reuse.removed)
        _keep_alignment(reuse)
        kept = replacement.apply(accesses.points)
        for op in replacement.moved:
            for value in op.operands:
                accesses.uses(value, accesses.points.position(op))
        first = accesses.first_use.get(reuse.removed, math.inf)
        while True:
            accesses.uses(kept, first)
            if not isinstance(kept.owner, memref.CastOp):
                break
            kept, first = kept.owner.source, accesses.points.position(kept.owner)
        erased = dict.fromkeys((*reuse.deallocs, reuse.copy, reuse.removed.op))
        self._erased.update(erased)
        for op in erased:
            Rewriter.erase_op(op)

    def _erase(self, copies: Iterable[Operation]) -> None:
        for copy in copies:
            self._accesses.forget(copy)
            Rewriter.erase_op(copy)


@dataclass(frozen=True)
class CopyRemovalPass(BufferizationPass):
    """
    Remove each copy whose source and target can be one buffer, and the allocation and
    deallocation of the other one. Either the target is allocated for the copy, and becomes the
    source; or the source is allocated for the contents that are copied then, and becomes the
    target.

    The pass may run before or after memory is freed. It takes any op with
    `CopyOpInterface`: `memref.copy`, `linalg.copy`, `bufferization.clone`.
    """

    name = "copy-removal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_copies(op)
