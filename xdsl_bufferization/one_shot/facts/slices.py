"""
Slices of one tensor that may have an element in common.

    %b = tensor.extract_slice %t[%i] [4] [1]      // [%i, %i + 4)
    %k = arith.addi %i, %c4
    %c = tensor.extract_slice %t[%k] [4] [1]      // [%i + 4, %i + 8): disjoint
    %d = tensor.extract_slice %t[%k] [4] [2]      // interleaves with no slice at %i of stride 1

Slices are disjoint if they are in one dimension. Offsets are linear functions of one value
(`linear`), and that value may be two numbers in two iterations:

    scf.for %i = %c0 to %n step %c4 {
      read %t[%i] [4], write %a[%i + 4] [4] // disjoint in one iteration, not in the next
      read %t[%i] [4], write %a[%i] [4]     // 4 elements, and %i grows by 4: never read again
      read %t[%i] [5], write %a[%i] [5]     // the next iteration reads %t[%i + 4], which is written
    }

Takes time in proportion to the rank, and to the induction variables of a loop.

`Parts` has the parts of tensors that operands touch:

    %a = tensor.extract_slice %t[%i] [4] [1]      // %a is a part of %t
    %b = tensor.extract_slice %a[%j] [2] [1]      // within %t[%i] [4], too
    %x = tensor.extract %b[%k]                    // reads %b[%k] [1], within %a[%j] [2], %t[%i] [4]

Takes time in proportion to the slices of slices, no more than `MAX_TRACED_OPS`.

`linear` makes integers linear functions `factor * base + constant` of one value:

    %b = arith.addi %i, %c4
    %c = affine.apply (d0) -> (d0 * 2) (%b)    // 2 * %i + 8

Offsets of slices are compared in this form: that of `%b` is four more than that of `%i`,
whatever `%i` is.

Front ends clamp the offset of each slice whose bounds they do not know (`jax.lax.dynamic_slice`).
Clamps to bounds that an induction variable keeps anyway are looked through:

    scf.for %l = %c0 to %c12 step %c1 : i32 {
      %i = arith.index_cast %l : i32 to index
      %a = arith.maxsi %i, %c0 : index
      %b = arith.minsi %a, %c11 : index      // always the number that %l is

Bounds and step of the loop have to be constants. A constant of 10 instead of 11 makes `%b`
another number in the last iteration, so `%b` stays what it is.

Takes constant time: no more than `MAX_INDEX_OPS` ops and `MAX_CLAMPS` clamps are looked through.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces import sizes
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.interfaces.loop_like import (
    InductionVariable,
    induction_variable,
    induction_variables,
)
from xdsl_bufferization.interfaces.sizes import (
    Clamp,
    LinearForm,
    clamp_of,
    linear_in_operand,
    upper_bound_of,
)
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.limits import MAX_CLAMPS, MAX_TRACED_OPS


class When(Enum):
    """When two slices are accessed."""

    SAME_ITERATION = "in one iteration of all loops: a value is one number"
    ANY_ITERATIONS = "in any two iterations: a value may be two numbers"


def may_overlap(a: Slice, b: Slice, when: When | Operation) -> bool:
    """
    Whether two slices of one tensor may have an element in common. If `when` is a loop, `a` is
    accessed in a later iteration of it than `b`, or in any other if iterations run in parallel.
    """
    if len(a.offsets) != len(b.offsets):
        return True
    dimensions = zip(_ranges(a), _ranges(b), strict=True)
    if isinstance(when, When):
        same_values = when is When.SAME_ITERATION
        return not any(_are_disjoint(x, y, same_values) for x, y in dimensions)
    return not _moves_on(when, [*dimensions])


class _Range(NamedTuple):
    """A slice in one dimension."""

    offset: SSAValue | int
    size: SSAValue | int
    stride: SSAValue | int


def _ranges(part: Slice) -> Iterator[_Range]:
    return map(_Range, part.offsets, part.sizes, part.strides)


def _are_disjoint(a: _Range, b: _Range, same_values: bool) -> bool:
    start, other = linear(a.offset), linear(b.offset)
    distance = other.minus(start)
    if (
        distance is None
        or (start.base is not None and not same_values)
        or not (isinstance(a.stride, int) and a.stride > 0)
        or not (isinstance(b.stride, int) and b.stride > 0)
    ):
        return False
    if a.stride == b.stride and distance % a.stride:
        # The slices interleave.
        return True
    size, stride = (a.size, a.stride) if distance >= 0 else (b.size, b.stride)
    return isinstance(size, int) and (size - 1) * stride < abs(distance)


def _moves_on(loop: Operation, dimensions: list[tuple[_Range, _Range]]) -> bool:
    """
    Whether each induction variable, which grows by the loop's step, moves the first slice past
    the end of the second in some dimension.
    """
    variables = induction_variables(loop)
    if variables is None:
        return False
    model = BufferizableOpInterface.of(loop)
    in_order = model is not None and not model.is_parallel(loop, 0)
    # The first variable that differs between two iterations is larger in the later one.
    return all(
        any(
            _starts_after(a, b, variable)
            and (in_order or _starts_after(b, a, variable))
            for a, b in dimensions
        )
        for variable in variables
    )


def _starts_after(later: _Range, earlier: _Range, variable: InductionVariable) -> bool:
    """
    Whether the first range, for any larger value of the variable, starts at, or after, the
    end of the second.
    """
    a, b = linear(later.offset), linear(earlier.offset)
    ahead = a.minus(b)
    if (
        ahead is None
        or a.base is not variable.value
        or a.factor <= 0
        or variable.step is None
        or not isinstance(later.stride, int)
        or later.stride < 1
        or earlier.stride != 1
    ):
        return False
    if earlier.size is variable.step:
        return ahead >= 0
    step, bound = linear(variable.step).number, upper_bound_of(earlier.size)
    return (
        step is not None
        and step > 0
        and bound is not None
        and bound <= a.factor * step + ahead
    )


class Parts:
    """The parts of tensors that reads and writes touch."""

    def __init__(self, program: TensorProgram):
        self._program = program
        self._extracted: dict[ValueInfo, tuple[ValueInfo, Hashable] | None] = {}

    def start(self) -> None:
        """Forget what is remembered."""
        self._extracted.clear()

    def extracted(self, value: ValueInfo) -> tuple[ValueInfo, Hashable] | None:
        """The tensor that the value is extracted from, and the subset; `None` if it is not."""
        if value not in self._extracted:
            self._extracted[value] = self._extraction(value)
        return self._extracted[value]

    def _extraction(self, value: ValueInfo) -> tuple[ValueInfo, Hashable] | None:
        op = value.value.owner
        if not isinstance(op, Operation):
            return None
        extraction = SubsetExtractionOpInterface.of(op)
        if extraction is None:
            return None
        container = self._program.values.get(extraction.container(op))
        return None if container is None else (container, extraction.subset(op))

    def read(
        self, operand: TensorOperand, *, all_of_it: bool = False
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """
        Tensors that the operand is a part of, each with a slice of it that holds all that
        is read. With `all_of_it`, the first slice, if any, is all that the operand is.
        """
        info = operand.owner
        part = info.model and info.model.read_part(info.op, operand.index)
        return self._parts(operand, part, all_of_it)

    def written(
        self, operand: TensorOperand, *, all_of_it: bool = False
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        """Like `read`, each slice with all that is written."""
        info = operand.owner
        part = info.model and info.model.written_part(info.op, operand.index)
        return self._parts(operand, part, all_of_it)

    def _parts(
        self, operand: TensorOperand, part: Slice | None, all_of_it: bool
    ) -> Iterator[tuple[ValueInfo, Slice]]:
        # First the operand itself, if the part of it is known.
        value = operand.value
        if part is not None:
            yield value, part
        for _ in MAX_TRACED_OPS.steps():
            if (extracted := self.extracted(value)) is not None and isinstance(
                subset := extracted[1], Slice
            ):
                value = extracted[0]
                yield value, subset
                all_of_it = False
                continue
            if len(value.sources) != 1 or value.owner is None:
                return
            ((source, alias),) = value.sources
            if all_of_it and alias.relation is not BufferRelation.EQUIVALENT:
                return
            value = source.value


def linear(value: SSAValue | int) -> LinearForm:
    """The value as a linear function of the earliest value that it is traced back to."""
    return sizes.linear(value, _step)


def _step(value: SSAValue) -> LinearForm | None:
    """The value in terms of an operand of its op, or of the induction variable that it is."""
    form = linear_in_operand(value)
    if form is not None or clamp_of(value) is None:
        return form
    variable = unclamped(value)
    return None if variable is value else LinearForm(variable, 1, 0)


def induction_range(value: SSAValue) -> range | None:
    """
    The numbers that an induction variable takes, if the bounds and the step of its loop are
    constants and it takes any; `None` for other values.
    """
    variable = induction_variable(value)
    return None if variable is None else variable.numbers or None


def unclamped(value: SSAValue) -> SSAValue:
    """
    The induction variable that the value always equals, as a number, after casts to `index`
    and clamps; or else the value.
    """
    clamps: list[Clamp] = []
    variable = value
    while (clamp := clamp_of(variable)) is not None:
        if MAX_CLAMPS.exceeded_by(len(clamps) + 1):
            return value
        clamps.append(clamp)
        variable = clamp.value
    numbers = induction_range(variable)
    if numbers is None or any(_changes(clamp, numbers) for clamp in clamps):
        return value
    return variable


def _changes(clamp: Clamp, numbers: range) -> bool:
    """Whether the clamp changes one of the numbers."""
    return (clamp.lower is not None and numbers[0] < clamp.lower) or (
        clamp.upper is not None and numbers[-1] > clamp.upper
    )
