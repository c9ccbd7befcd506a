"""
Fewer comparisons of memrefs in `bufferization.dealloc`, which is split into ops on fewer memrefs.

    bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %d)

becomes, if `%m` and `%n` are two allocations, so that they need not be compared,

    bufferization.dealloc (%m : memref<4xf32>) if (%c)
    bufferization.dealloc (%n : memref<4xf32>) if (%d)

Source: the pass `buffer-deallocation-simplification` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.ir import OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.memrefs.buffers.buffer_flow import base_of
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import (
    BufferAliases,
    Identity,
    is_memory,
)
from xdsl_bufferization.support.attributes import constant_integer, is_true
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import block_of, defining_op, walk


class BufferDeallocationSimplificationPass(BufferizationPass):
    """
    Split each `bufferization.dealloc` into ops on memrefs that may alias, and drop memrefs
    that are not to be freed, memrefs that are certainly retained, and retained memrefs that
    alias none of those to be freed.
    """

    name = "buffer-deallocation-simplification"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # No function changes before all are known to be valid.
        found: list[tuple[BufferAliases, Sequence[DeallocOp]]] = []
        for function in functions_in(op):
            deallocs = [
                op_
                for op_ in walk([function])
                if isinstance(op_, DeallocOp) and not is_simple(op_)
            ]
            if deallocs:
                found.append((BufferAliases(function), deallocs))
        for aliases, deallocs in found:
            simplify(deallocs, aliases)


class Retained:
    """
    The memrefs that some deallocs retain, by what they may be. Deallocs at one
    terminator retain the same memrefs, and each memref may have many origins.
    """

    def __init__(self, retained: Sequence[SSAValue], aliases: BufferAliases):
        self.memrefs = [*dict.fromkeys(retained)]
        """Each once."""
        self._aliases = aliases
        self._by_identity: dict[Identity, dict[int, None]] = {}
        for index, value in enumerate(self.memrefs):
            for identity in aliases.identities(value):
                self._by_identity.setdefault(identity, {})[index] = None

    def that_may_be(self, value: SSAValue) -> Iterator[int]:
        """The indices of the retained memrefs that `value` may alias."""
        if not self.memrefs:
            return
        candidates: dict[int, None] = {}
        for identity in self._aliases.aliases(value):
            candidates.update(self._by_identity.get(identity, {}))
            if len(candidates) == len(self.memrefs):
                break
        for index in sorted(candidates):
            other = self.memrefs[index]
            if not (self._is_newer(value, other) or self._is_newer(other, value)):
                yield index

    def _is_newer(self, value: SSAValue, other: SSAValue) -> bool:
        """
        Whether the memref was allocated when the other one was there already, such as one
        that a loop carries: unless that was freed it is other memory, whatever executions
        of the allocation it may come from.
        """
        base = base_of(value)
        if not is_memory(base):
            return False
        ancestor = block_of(other).find_ancestor_op_in_block(defining_op(base))
        if ancestor is None:
            return False
        if not isinstance(other, OpResult):
            return True
        position = self._aliases.flow.position
        # Blocks that cannot be reached have no positions.
        return ancestor in position and position[other.op] < position[ancestor]


class DeallocSimplification:
    """Replaces one `bufferization.dealloc`, which retains the memrefs `retained`."""

    def __init__(self, op: DeallocOp, aliases: BufferAliases, retained: Retained):
        self.op = op
        self.aliases = aliases
        self.builder = builder_for(op)
        self.owned: list[list[SSAValue]] = [[] for _ in retained.memrefs]
        """By retained memref the conditions under which it is owned: any of these."""
        self._conditions = [*map(_folded, op.conditions)]
        self._retained = retained
        self._kept = retained.memrefs

    def run(self) -> None:
        """Replace the op."""
        op = self.op
        freed = self._distinct_memrefs()
        for index in freed:
            if is_true(self._conditions[index]):
                for i in self._retained.that_may_be(op.memrefs[index]):
                    if self.aliases.must_alias(op.memrefs[index], self._kept[i]):
                        self.owned[i].append(self._conditions[index])
        parts: list[tuple[Sequence[int], Sequence[int]]] = []
        for group in self.aliases.groups([op.memrefs[i] for i in freed]):
            part: list[int] = []
            retained: set[int] = set()
            for index in (freed[i] for i in group):
                kept = [*self._retained.that_may_be(op.memrefs[index])]
                if self._is_retained(index, kept):
                    for i in kept:
                        self.owned[i].append(self._conditions[index])
                else:
                    part.append(index)
                    retained.update(kept)
            if part:
                parts.append((part, sorted(retained)))
        for to_free, to_retain in parts:
            self._build(to_free, to_retain)
        owned = zip(reversed(self._kept), reversed(self.owned), strict=True)
        known = {memref: self._any(flags) for memref, flags in owned}
        results = [known[memref] for memref in op.retained]
        Rewriter.replace_op(op, (), results)

    def _distinct_memrefs(self) -> Sequence[int]:
        """The memrefs that may be freed, each once, if one of its conditions holds."""
        by_value: dict[SSAValue, int] = {}
        for index, (value, flag) in enumerate(
            zip(self.op.memrefs, self.op.conditions, strict=True)
        ):
            if _is_false(flag):
                continue
            first = by_value.setdefault(value, index)
            if first != index:
                self._conditions[first] = self._any([self._conditions[first], flag])
        return [*by_value.values()]

    def _is_retained(self, index: int, kept: Sequence[int]) -> bool:
        """
        Whether the memref certainly is retained, and each retained memref that it may alias
        certainly is it, or is owned in any case.
        """
        value = self.op.memrefs[index]
        same = [self.aliases.must_alias(value, self._kept[i]) for i in kept]
        return any(same) and all(
            is_same or any(map(is_true, self.owned[i]))
            for i, is_same in zip(kept, same, strict=True)
        )

    def _build(self, freed: Sequence[int], retained: Sequence[int]) -> None:
        op = self.op
        dealloc = DeallocOp(
            [op.memrefs[i] for i in freed],
            [self._conditions[i] for i in freed],
            [self._kept[i] for i in retained],
        )
        dealloc.attributes |= op.attributes
        self.builder.insert(dealloc)
        for index, flag in zip(retained, dealloc.updated_conditions, strict=True):
            self.owned[index].append(flag)

    def _any(self, flags: Sequence[SSAValue]) -> SSAValue:
        flags = [flag for flag in flags if not _is_false(flag)]
        if not flags:
            false = arith.ConstantOp(BoolAttr.from_bool(False))
            return self.builder.insert(false).result
        if (true := next(filter(is_true, flags), None)) is not None:
            return true
        first, *others = dict.fromkeys(flags)
        for other in others:
            first = self.builder.insert(arith.OrIOp(first, other)).result
        return first


def simplify(deallocs: Iterable[DeallocOp], aliases: BufferAliases) -> None:
    """Simplify the deallocs of a function, whose `aliases` are known."""
    retained: dict[tuple[SSAValue, ...], Retained] = {}
    for op in deallocs:
        if (of_op := retained.get((*op.retained,))) is None:
            of_op = retained[(*op.retained,)] = Retained((*op.retained,), aliases)
        DeallocSimplification(op, aliases, of_op).run()


def is_simple(op: DeallocOp) -> bool:
    """Whether the op frees one memref without a comparison."""
    if op.retained or len(op.memrefs) != 1:
        return False
    (condition,) = op.conditions
    return _folded(condition) is condition and not _is_false(condition)


def _folded(condition: SSAValue) -> SSAValue:
    """The condition, or the operand that alone decides it: of `arith.ori` with a constant."""
    while isinstance(condition.owner, arith.OrIOp):
        a, b = condition.owner.operands
        if (known := constant_integer(a)) is not None:
            condition = a if known else b
        elif (known := constant_integer(b)) is not None:
            condition = b if known else a
        else:
            break
    return condition


def _is_false(value: SSAValue) -> bool:
    return constant_integer(value) == 0
