"""
The slices that ops name, whether a slice is all of its tensor, and sizes: of buffers, as operands
of new ops, and of tensors, whether they are the same.

Sizes may be dynamic. Two of them are known to be equal if both can be traced back to the
same constant, to the same value, or to the same dimension of the same tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    ShapedType,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.loop_like import LoopLikeOpInterface
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.sizes import (
    Expression,
    Symbol,
    number_of,
    size_like,
    size_of,
)
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.memrefs.sizes.computation import SizeComputation
from xdsl_bufferization.support.attributes import constant_integer, integers
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_SIZE_STEPS
from xdsl_bufferization.support.regions import index_of, op_result
from xdsl_bufferization.support.shaped_types import is_rank_reduced, ranked_shape

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes


STATIC_NAMES = "static_offsets", "static_sizes", "static_strides"
"""The arrays of a slice."""


def verify_slice(op: Operation, container: SSAValue, part: SSAValue) -> None:
    """
    Raise `BufferizationError` unless an op as in `slice_of` has an offset, a size and a stride
    for each dimension of the tensor, and sizes that are those of the part, which xDSL does
    not verify.
    """
    rank = len(ranked_shape(container))
    for name, numbers in zip(STATIC_NAMES, static_slice(op), strict=True):
        if (found := len(numbers)) != rank:
            words = name.removeprefix("static_")
            raise BufferizationError(
                op, f"has {found} {words} for a tensor of rank {rank}"
            )
    if not is_rank_reduced(ranked_shape(part), integers(op, "static_sizes")):
        raise BufferizationError(
            op,
            f"has sizes other than those of the slice, which is a {part.type}",
            hint="the type of the slice has the same sizes, dynamic ones where these are "
            "operands, except that it may leave out dimensions of size 1",
        )


def slice_of(op: Operation, first_dynamic: int) -> Slice:
    """
    The slice of an op that has offsets, sizes and strides as operands from `first_dynamic`
    on, and as arrays with `DYNAMIC_INDEX` for each operand. Operands that are constants
    count as the numbers they are.
    """
    values = iter(op.operands[first_dynamic:])
    # The operands come in this order, too.
    return Slice(*(_mixed(numbers, values) for numbers in static_slice(op)))


def static_slice(
    op: Operation,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Offsets, sizes and strides; `DYNAMIC_INDEX` where an operand gives them."""
    offsets, sizes, strides = (integers(op, name) for name in STATIC_NAMES)
    return offsets, sizes, strides


def _mixed(numbers: tuple[int, ...], values: Iterator[SSAValue]) -> tuple[Size, ...]:
    """The numbers, with the next of the values in place of each `DYNAMIC_INDEX`."""
    if DYNAMIC_INDEX not in numbers:
        return numbers
    return tuple(
        _number_or_value(next(values)) if number == DYNAMIC_INDEX else number
        for number in numbers
    )


def _number_or_value(value: SSAValue) -> Size:
    number = constant_integer(value)
    return value if number is None else number


def is_whole(part: Slice, value: SSAValue, *, through_loops: bool = True) -> bool:
    """
    Whether the slice of the ranked tensor `value` leaves no element out: it is as large as the
    tensor, so that it can only start at the first element, as it must be within the bounds.

    Without `through_loops` no size is traced through a loop: while the program is being
    rewritten, a loop around the slice may have been rewritten already or not, and the
    answer has to be the same.
    """
    tracer = _Tracer(through_loops)
    return all(stride == 1 for stride in part.strides) and all(
        size == static
        or tracer.origin(size_expression(size))
        == tracer.origin(_size(value, dimension))
        for dimension, (size, static) in enumerate(
            zip(part.sizes, ranked_shape(value), strict=True)
        )
    )


def _size(value: SSAValue, dimension: int) -> Expression:
    """The size of the ranked tensor in the dimension."""
    size = size_of(value, dimension)
    assert size is not None
    return size


def size_expression(size: Size) -> Expression:
    """The size, offset or stride as an expression."""
    return Expression.constant(size) if isinstance(size, int) else number_of(size)


def traced_sizes(value: SSAValue, builder: Builder) -> Sequence[Size]:
    """
    The sizes of a ranked tensor, traced back as far as they are known, so that they do not
    depend on the op that computes the tensor, if possible; ops are inserted if need be.
    """
    return [traced_size(value, dim, builder) for dim in range(len(ranked_shape(value)))]


def traced_size(value: SSAValue, dim: int, builder: Builder) -> Size:
    """One of these sizes."""
    origin = _Tracer(through_loops=True).origin(_size(value, dim))
    number = origin.number
    return SizeComputation(builder).value(origin) if number is None else number


class _Tracer:
    """Traces sizes back, for a limited number of steps."""

    def __init__(self, through_loops: bool):
        self._through_loops = through_loops
        self._steps_left: int = MAX_SIZE_STEPS

    def origin(self, size: Expression, until: Expression | None = None) -> Expression:
        """
        The number, integer or size that the size is known to be equal to, traced back no further
        than `until`.
        """
        while size != until and self._steps_left and (symbol := size.symbol):
            self._steps_left -= 1
            source = self._source(symbol)
            if source is None or not _is_one_size(source):
                break
            size = source
        if not self._steps_left:
            MAX_SIZE_STEPS.met()
        return size

    def _source(self, symbol: Symbol) -> Expression | None:
        # Few programs need it.
        from xdsl_bufferization.memrefs.sizes.size_analysis import computed_size

        value = symbol.value
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            return None if parent is None else self._carried(parent, symbol)
        result = op_result(value)
        size = computed_size(result, symbol.dimension)
        return self._carried(result.op, symbol) if size is None else size

    def _carried(self, op: Operation, symbol: Symbol) -> Expression | None:
        """
        The size of a loop's init, for its result or its iteration argument: if the tensor
        that each iteration yields is known to be as large as the init, or as large as the
        iteration argument.
        """
        model = LoopLikeOpInterface.of(op) if self._through_loops else None
        if model is None or symbol.dimension is None:
            return None
        value, results = symbol.value, len(op.results)
        position = index_of(value)
        if isinstance(value, BlockArgument):
            position -= len(value.block.args) - results
        init = len(op.operands) - results + position
        carried = model.carried(op, init) if position >= 0 else None
        if carried is None:
            return None
        size = size_like(symbol, op.operands[init])
        if carried.yielded is None or size is None:
            return size
        argument = size_like(symbol, carried.argument)
        end = size_like(symbol, carried.yielded)
        if end is None:
            return None
        end = self.origin(end, until=argument)
        return size if end == argument or end == self.origin(size) else None


def _is_one_size(size: Expression) -> bool:
    """Whether it is a number, an index, or the size of a tensor in a dimension."""
    if (symbol := size.symbol) is None:
        return size.number is not None
    return isinstance(symbol.value.type, TensorType | IndexType)


def buffer_size(buffer: SSAValue, dim: int, bufferizer: Bufferizer) -> Size:
    """The size of the ranked buffer in the dimension; inserts ops if it is dynamic."""
    size = ranked_shape(buffer)[dim]
    return bufferizer.dim(buffer, dim) if size == DYNAMIC_INDEX else size


def buffer_sizes(buffer: SSAValue, bufferizer: Bufferizer) -> Sequence[Size]:
    """The size of the ranked buffer in each dimension."""
    rank = len(ranked_shape(buffer))
    return [buffer_size(buffer, dim, bufferizer) for dim in range(rank)]


def are_of_one_size(a: SSAValue, b: SSAValue, state: AnalysisState) -> bool:
    """
    Whether two tensors provably have one type and the same sizes. `state` remembers the sizes of
    its program.
    """
    if a.type != b.type or not isinstance(a.type, ShapedType):
        return False
    return a.type.has_static_shape() or sizes_in(state).are_equal(a, b)


def sizes_in(state: AnalysisState) -> Sizes:
    """The sizes of the program, which `state` remembers as long as the program does not change."""
    # Most programs have no dynamic sizes.
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

    return state.memoize("sizes", Sizes)
