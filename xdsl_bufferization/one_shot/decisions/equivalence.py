"""
Equivalence classes: tensors that are known to be the same memref.

    %a = tensor.insert %f into %t[%i]          // %t, if in place
    %b = arith.select %c, %a, %t               // %t, as both choices are
    %d = tensor.extract_slice %t[0] [4] [1]    // a class of its own: a part of %t
    %r = scf.for ... iter_args(%x = %t) { ... scf.yield %y }    // %t, if %y is %x

Some equivalences follow from one decision, and are known right after it. The others are
found after all decisions, in one walk in post-order: what a loop's results are equivalent
to depends on what its body yields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import AliasingValue, BufferRelation
from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.sources import SourcesGiven, may_depend
from xdsl_bufferization.support.limits import MAX_LINKED_SOURCES


class EquivalenceClasses:
    """
    A union-find structure over the tensors of a program: those that are known to be the
    same memref, given `is_in_place`, the decisions so far.
    """

    def __init__(
        self, program: TensorProgram, is_in_place: Callable[[TensorOperand], bool]
    ):
        self._program = program
        self._is_in_place = is_in_place
        self._parents: dict[SSAValue, SSAValue] = {}
        """By tensor: another one in its class; none for the representative of a class."""

    def link_aliases(self, operand: TensorOperand) -> None:
        """Note what follows at once from the operand being in place."""
        for alias in operand.aliases:
            value = self._program.values[alias.value]
            if value.owner is not operand.owner:
                continue
            if not MAX_LINKED_SOURCES.exceeded_by(len(value.sources)):
                sources: Iterable[tuple[TensorOperand, AliasingValue]] = value.sources
                if may_depend(operand, value):
                    sources = SourcesGiven(self._program, self.are_equivalent).of(value)
                self._link(value, sources)

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which are undecided."""
        for value in part.values:
            self._parents.pop(value.value, None)

    def link_all(self, part: Components) -> None:
        """Note what follows from all decisions on the components, once all are made."""
        program = self._program
        sources = SourcesGiven(program, self.are_equivalent)
        for info in part.post_order:
            for result in info.op.results:
                value = program.values.get(result)
                if value is not None and value.sources and value in part:
                    self._link(value, sources.of(value))
            for group in program.aliasing_results(info):
                if (
                    group.relation is BufferRelation.EQUIVALENT
                    and group.values[0] in part
                ):
                    for a, b in zip(group.values, group.values[1:], strict=False):
                        self._union(a.value, b.value)
        for value in part.values:
            if value.owner is None and value.sources:
                self._link_block_argument(value)

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether both tensors are known to be the same memref."""
        return self._find(a) is self._find(b)

    def _find(self, value: SSAValue) -> SSAValue:
        parents = self._parents
        while (parent := parents.get(value)) is not None:
            if (grandparent := parents.get(parent)) is not None:
                parents[value] = grandparent
            value = parent
        return value

    def _union(self, a: SSAValue, b: SSAValue) -> None:
        a, b = self._find(a), self._find(b)
        if a is not b:
            self._parents[a] = b

    def _link(
        self,
        value: ValueInfo,
        sources: Iterable[tuple[TensorOperand, AliasingValue]],
    ) -> None:
        """
        Union a result with its must-alias source, or with all sources if these are already one
        class.
        """
        first = value.sources[0][0].value.value
        all_equivalent = True
        for operand, alias in sources:
            equivalent = (
                alias.relation is BufferRelation.EQUIVALENT
                and self._is_in_place(operand)
            )
            if equivalent and alias.definite:
                self._union(value.value, operand.value.value)
                return
            all_equivalent &= equivalent and self.are_equivalent(
                operand.value.value, first
            )
        if all_equivalent:
            self._union(value.value, first)

    def _link_block_argument(self, value: ValueInfo) -> None:
        """
        Link a block argument to a tensor if each branch forwards the same memref as that
        tensor, or the argument itself.
        """
        forwarded: set[SSAValue] = set()
        for operand, alias in value.sources:
            if alias.relation is not BufferRelation.EQUIVALENT or (
                not self._is_in_place(operand)
            ):
                return
            forwarded.add(self._find(operand.value.value))
        forwarded.discard(self._find(value.value))
        if len(forwarded) == 1:
            self._union(value.value, forwarded.pop())
