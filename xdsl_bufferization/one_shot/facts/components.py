"""
Alias components: sets of tensors that can share memory, whatever is decided.

    %b = linalg.exp ins(%x) outs(%a)     // {%a, %b} and {%x}: %x is read, and never the memory
                                         // of %b

Tensors of different components are never in one alias set, so what is decided about one
component does not depend on another. After a change, only the components of tensors that ops
use which have changed have to be decided again. An op whose model looks at the rest of the
program before it answers joins the tensors that it uses, has as results, or has asked about.

What a loop reads before it writes it depends on all writes in its body (`tiles.py`). So the
tensors that loops around a changed op carry belong to what has changed.

Finding components takes time linear in the ops that use their tensors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.support.reachability import reachable


@dataclass
class ChangedOps:
    """The ops that have been changed in a program, and their former operands."""

    placed: set[Operation] = field(default_factory=set[Operation])
    """Ops that have been added, moved or removed, with those in their regions."""
    changed: set[Operation] = field(default_factory=set[Operation])
    """Ops that have other operands or properties."""
    former: set[SSAValue] = field(default_factory=set[SSAValue])
    """Operands that ops had before, or have now."""


@dataclass
class Components:
    """All tensors of some components, with the ops that use or define them."""

    ops: Sequence[OpInfo]
    """In program order, an op before those in its regions."""
    post_order: Sequence[OpInfo]
    """In program order, an op after those in its regions."""
    values: Collection[ValueInfo]
    """In program order; memrefs that are given out of tensors come last."""
    is_whole: bool
    """Whether these are all components of the program."""

    def operands(self, info: OpInfo) -> Sequence[TensorOperand]:
        """The operands of the op that are among the tensors."""
        if self.is_whole:
            return info.operands
        return [operand for operand in info.operands if operand.value in self.values]

    def __contains__(self, value: ValueInfo) -> bool:
        return self.is_whole or value in self.values


def connected(
    seeds: Iterable[ValueInfo],
    info_of: Mapping[Operation, OpInfo],
    values: Mapping[SSAValue, ValueInfo],
) -> set[ValueInfo]:
    """The tensors in the components of the seeds."""
    # Sources of changed ops may be tensors that have been removed.
    return {
        *reachable(
            seeds,
            lambda value: (
                neighbour
                for neighbour in _neighbours(value, info_of, values)
                if values.get(neighbour.value) is neighbour
            ),
        )
    }


def _neighbours(
    value: ValueInfo,
    info_of: Mapping[Operation, OpInfo],
    values: Mapping[SSAValue, ValueInfo],
) -> Iterator[ValueInfo]:
    for operand, _ in value.sources:
        yield operand.value
    for use in value.value.uses:
        user = info_of.get(use.operation)
        if user is None:
            continue
        yield from _joined(user, values)
        operand = user.operand(use.index)
        if operand is not None:
            yield from (values[alias.value] for alias in operand.aliases)
            yield from operand.memrefs
    definer = value.region.parent if value.owner is None else value.owner
    if definer is not None:
        yield from _joined(definer, values)
        for group in definer.groups or ():
            if value in group.values:
                yield from group.values


def _joined(info: OpInfo, values: Mapping[SSAValue, ValueInfo]) -> Iterator[ValueInfo]:
    """The tensors that the op joins since its model looks at the rest of the program."""
    if info.consulted is not None:
        tensors = tensors_of(info.op), info.consulted, carried_around(info)
        for value in chain(*tensors):
            if (known := values.get(value)) is not None:
                yield known


def tensors_of(op: Operation) -> Iterator[SSAValue]:
    """The operands of the op, its results, and the arguments of its blocks."""
    yield from op.operands
    yield from results_and_arguments(op)


def results_and_arguments(op: Operation) -> Iterator[SSAValue]:
    """The results of the op, and the arguments of its blocks."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.args


def carried_around(info: OpInfo) -> Iterator[SSAValue]:
    """The tensors of ops around the op that may run it several times."""
    region = info.region
    while (parent := region.parent) is not None:
        if region.is_repetitive:
            yield from tensors_of(parent.op)
        region = parent.region
