"""
Where the memory of a tensor comes from, whichever operands are in place.

    %a = tensor.cast %t                     // origin %t
    %b = tensor.insert %f into %a[%i]       // origin %t: the same memref, or a copy
    %c = arith.select %p, %b, %u            // origins %t and %u
    %d = tensor.extract_slice %c[0] [4] [1] // origin %d, which is partial; roots %t and %u

A tensor is traced back through the operands that are equivalent to it when in place. Where
that ends are its *origins*: it is the same memref as one of them, or a copy. An origin is

- *whole* if no operand aliases it, as the result of `tensor.empty`;
- *partial* if it may overlap other tensors in another way, as a slice does. The whole
  tensors that it may be a part of are its *roots*.

A tensor with more than `MAX_ORIGINS` of either may be any tensor. Tracing takes linear time.

`SourcesGiven` says where the buffers of tensors come from, given which tensors are equivalent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.contents import is_forwarding
from xdsl_bufferization.one_shot.facts.numbering import Components
from xdsl_bufferization.one_shot.facts.program import ProgramState, TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.limits import MAX_ORIGINS


@dataclass(slots=True)
class _Traced:
    """Where the memory of a tensor comes from, by the numbers of tensors; `None` is anywhere."""

    origins: frozenset[int] | None = None
    roots: frozenset[int] | None = None
    is_partial: bool = False
    """Whether it may be a part of its roots."""
    is_reshaped: bool = False
    """Whether it has elements in other positions than its origin has them."""
    has_stopped: bool = False
    """Whether origins or roots are unknown as they exceed `MAX_ORIGINS`."""


class Origins(ProgramState):
    """
    The origins and roots of the tensors of a program.

    Different whole tensors share no memory. Two tensors with the same single origin are
    the same memref, or share no memory if an operand between them is out of place.

    Tensors are named by their number. An origin or root is `None` if it may be any tensor.
    """

    def __init__(self, program: TensorProgram):
        super().__init__(program)
        self._traced: dict[int, _Traced] = {}
        self.start(program.whole)

    def start(self, part: Components) -> None:
        """Trace the tensors of the components again."""
        program = self.program
        self._sources = SourcesGiven(self)
        for value in part.values:
            own = frozenset((value.number,))
            traced = self._traced[value.number] = _Traced()
            if not value.sources:
                traced.origins = traced.roots = own
            elif value.owner is None:
                # A block argument may be another tensor in each iteration.
                traced.origins, traced.is_partial = own, True
        for info in part.post_order:
            for result in info.op.results:
                value = program.values.get(result)
                if value is not None and value.sources and value in part:
                    self._trace(value)
            for group in program.aliasing_results(info):
                if group.values[0] in part:
                    self._share(*group)

    def same_buffer_or_disjoint(self, a: ValueInfo, b: ValueInfo) -> bool:
        """Whether the two are the same memref, or share no memory."""
        origins = self._traced[a.number].origins
        return a is b or (
            origins is not None
            and len(origins) == 1
            and origins == self._traced[b.number].origins
        )

    def have_same_elements(self, a: ValueInfo, b: ValueInfo) -> bool:
        """
        Whether the two are the same buffer, each element at the same position, or disjoint.
        """
        return a is b or (
            self.same_buffer_or_disjoint(a, b)
            and (
                _are_of_one_shape(a.value.type, b.value.type)
                or not any(self._traced[v.number].is_reshaped for v in (a, b))
            )
        )

    def are_same_or_disjoint(self, a: ValueInfo, b: ValueInfo) -> bool:
        """
        Whether the two share all of their memory, or none; never a part of it.

        False for tensors without a common origin.
        """
        if a is b:
            return True
        origins_a, origins_b = (self._traced[v.number].origins for v in (a, b))
        if origins_a is None or origins_b is None or origins_a.isdisjoint(origins_b):
            return False
        return all(
            x == y
            or not (self._traced[x].is_partial or self._traced[y].is_partial)
            or self._have_no_common_root(x, y)
            for x in origins_a
            for y in origins_b
        )

    def are_disjoint(self, a: ValueInfo, b: ValueInfo) -> bool:
        """Whether the two share no memory, whichever operands are in place."""
        return self._have_no_common_root(a.number, b.number)

    def stopped_at_limit(self, value: ValueInfo) -> bool:
        """Whether the tensor may be any other only as tracing stops at `MAX_ORIGINS`."""
        return self._traced[value.number].has_stopped

    def _have_no_common_root(self, a: int, b: int) -> bool:
        roots_a, roots_b = self._traced[a].roots, self._traced[b].roots
        return (
            roots_a is not None and roots_b is not None and roots_a.isdisjoint(roots_b)
        )

    def _trace(self, value: ValueInfo) -> None:
        traced = self._traced[value.number]
        sources = [self._traced[operand.value.number] for operand, _ in value.sources]
        traced.roots = _union(source.roots for source in sources)
        if all(
            alias.relation is BufferRelation.EQUIVALENT
            for _, alias in self._sources.of(value)
        ):
            traced.origins = _union(source.origins for source in sources)
            traced.is_reshaped = not all(
                _keeps_positions(operand, value) and not source.is_reshaped
                for (operand, _), source in zip(value.sources, sources, strict=True)
            )
        else:
            traced.origins = frozenset((value.number,))
            traced.is_partial = True
        traced.has_stopped = (
            traced.origins is None
            and all(s.has_stopped or s.origins is not None for s in sources)
        ) or (
            traced.roots is None
            and all(s.has_stopped or s.roots is not None for s in sources)
        )

    def _share(self, values: Sequence[ValueInfo], relation: BufferRelation) -> None:
        """Note that the values share memory, whatever operands they alias."""
        traced = [self._traced[value.number] for value in values]
        if relation is BufferRelation.EQUIVALENT and not any(
            value.sources for value in values
        ):
            for other in traced:
                other.origins, other.roots = traced[0].origins, traced[0].roots
            return
        roots = _union(other.roots for other in traced)
        for other in traced:
            other.roots, other.is_partial = roots, True

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        known_a, known_b = map(self.program.values.get, (a, b))
        return (
            known_a is not None
            and known_b is not None
            and (self.same_buffer_or_disjoint(known_a, known_b))
        )


def _keeps_positions(source: TensorOperand, value: ValueInfo) -> bool:
    """
    Whether each element has the same position in both: so it is if the op writes the
    operand, or forwards it to or from a region. Equal types are not enough, as two
    reshapes show.
    """
    return (
        source.writes
        or source.owner is not value.owner
        or bool(source.owner.op.regions)
        or is_forwarding(source.owner.op)
    )


def _are_of_one_shape(a: Attribute, b: Attribute) -> bool:
    return a == b and isinstance(a, TensorType) and a.has_static_shape()


def _union(sets: Iterable[frozenset[int] | None]) -> frozenset[int] | None:
    """The union of the sets, unless it is too large or one of them was."""
    union: frozenset[int] = frozenset()
    for other in sets:
        if other is None:
            return None
        # Most often there is one set, which is shared rather than copied.
        union = union | other if union else other
        if MAX_ORIGINS.exceeded_by(len(union)):
            return None
    return union


class SourcesGiven:
    """
    The sources of tensors, each with how its buffer relates to the tensor's.

    How it relates may depend on which tensors are equivalent: a loop's result is in the buffer
    of its init if each iteration yields its argument. The model is asked about
    an operand once, when the first result that may share its buffer is, so the tensors in the
    op's regions have to be in their classes by then.
    """

    def __init__(self, state: ProgramState):
        self._state = state
        self._aliases: dict[TensorOperand, Mapping[SSAValue, AliasingValue]] = {}
        """By operand of an op with regions, then by value."""

    def of(self, value: ValueInfo) -> Iterator[tuple[TensorOperand, AliasingValue]]:
        """The operands whose buffer the tensor may share, and how it relates to each."""
        for operand, alias in value.sources:
            if may_depend(operand, value):
                yield operand, self._of_operand(operand).get(value.value, alias)
            else:
                yield operand, alias

    def _of_operand(self, operand: TensorOperand) -> Mapping[SSAValue, AliasingValue]:
        if operand not in self._aliases:
            info = operand.owner
            assert info.model is not None
            self._aliases[operand] = {
                alias.value: alias
                for alias in info.model.aliasing_values(
                    info.op, operand.index, self._state
                )
            }
        return self._aliases[operand]


def sources_may_depend(program: TensorProgram) -> bool:
    """Whether how any tensor relates to its sources may depend on which are equivalent."""
    return any(info.op.regions and not info.is_known for info in program.ops)


def may_depend(operand: TensorOperand, value: ValueInfo) -> bool:
    """Whether how the two relate may depend on which tensors are equivalent."""
    info = operand.owner
    return not info.is_known and info is value.owner and bool(info.op.regions)
