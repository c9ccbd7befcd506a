"""
How ops on tensors make contents out of those of other tensors, or out of little.

    %r = arith.select %c, %a, %b : tensor<4xf32>          // forwards %a or %b, element by element
    %s = tensor.cast %r : tensor<4xf32> to tensor<?xf32>  // forwards %r
    %e = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %c = tensor.collapse_shape %e [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>  // %t's

- `ElementwiseMappable`: ops on numbers that also take tensors, and then work on each element by
  itself. Source: MLIR's traits Elementwise, Scalarizable, Vectorizable and Tensorizable,
  https://mlir.llvm.org/docs/Traits/
- `ForwardingOpInterface`: ops that forward one of their operands, element by element. A reshape is
  none: its elements have other positions in the result.
- `Reshape`: a view with the elements of its operand in other dimensions, as a part of memory.
  Invariant: a reshape and its inverse, one after the other, are the same buffer. Takes time in
  proportion to the rank.
- `MoveOpInterface`: ops that only move elements, such as `linalg.transpose` and
  `linalg.broadcast`.
- `InsertionsOpInterface`: ops that put tensors together, as insertions into one destination.
- `RequiredLayoutOpInterface`: ops that need the buffer of an operand to have a certain layout.
- `RematerializationOpInterface`: ops whose result can be computed again where it is used, instead
  of being copied. Source: P. Briggs, K. Cooper, L. Torczon, "Rematerialization", PLDI 1992,
  https://doi.org/10.1145/143095.143143
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    Questions,
    answers,
    operand_indices,
)
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.interfaces.tiling import Box
from xdsl_bufferization.support.attributes import reassociation_attribute
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_tensor


class ElementwiseMappable(OpInterface):
    """
    An op such that the elements of its results, tensors of one shape, are what the same op
    makes of the elements of its operands at the same position, and of those operands that are
    no tensors.

    MLIR: `ElementwiseMappable`.
    """


def is_elementwise_mappable(op: Operation) -> bool:
    """
    Whether the op is such an op: all ops of arith and math are, except for constants, and
    those of other dialects that have the interface.
    """
    if op.regions or op.successors:
        return False
    dialect, _, name = op_name(op).partition(".")
    if dialect in ("arith", "math"):
        return (dialect, name) != ("arith", "constant")
    return ElementwiseMappable.of(op) is not None


class ForwardingOpInterface(OpInterface):
    """
    An op whose result, a tensor, is one of its operands: in place, each element has the same
    position in both, whatever their types say.
    """

    @abstractmethod
    def forwarded(self, op: Operation) -> Sequence[int]:
        """The operands that the result may be."""

    questions: ClassVar[Questions] = answers(forwarded=operand_indices)


def is_forwarding(op: Operation) -> bool:
    """Whether the op only forwards operands, each element at its position."""
    return ForwardingOpInterface.of(op) is not None


def cast_source(value: SSAValue) -> SSAValue | None:
    """The one operand that the value always is; `None` if its op is no cast."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    model = ForwardingOpInterface.of(op)
    operands = () if model is None else model.forwarded(op)
    return op.operands[operands[0]] if len(operands) == 1 else None


class Reshape(NamedTuple):
    """The groups of dimensions that are merged or split, and the shapes before and after."""

    groups: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def inverse(self) -> Reshape:
        """The reshape back to the shape before it."""
        return self._replace(before=self.after, after=self.before)


def reshape(
    groups: Sequence[Sequence[int]], before: Sequence[int], after: Sequence[int]
) -> Reshape | None:
    """
    The reshape with these groups; `None` if a group has several unknown sizes, so that its
    inverse may lead to others.
    """
    expanded = max(before, after, key=len)
    if any([expanded[d] for d in group].count(DYNAMIC_INDEX) > 1 for group in groups):
        return None
    return Reshape(tuple(map(tuple, groups)), tuple(before), tuple(after))


def collapse_shape(
    source: SSAValue, type: TensorType[Attribute], groups: Sequence[Sequence[int]]
) -> tensor.CollapseShapeOp:
    """The op that merges each group of dimensions of the source."""
    return tensor.CollapseShapeOp.create(
        operands=(source,),
        result_types=(type,),
        properties={"reassociation": reassociation_attribute(groups)},
    )


def expand_shape(
    source: SSAValue,
    type: TensorType[Attribute],
    groups: Sequence[Sequence[int]],
    sizes: Sequence[SSAValue],
) -> tensor.ExpandShapeOp:
    """The op that splits dimensions of the source into groups, given the dynamic sizes of these."""
    attribute = reassociation_attribute(groups)
    return tensor.ExpandShapeOp(source, sizes, attribute, type.get_shape(), type)


class Move(NamedTuple):
    """Where the elements of a result come from."""

    source: SSAValue
    """A ranked tensor, or the element that all elements of the result are."""
    map: AffineMap | None
    """From the indices of an element to its indices in the source; `None` for an element."""


class MoveOpInterface(OpInterface):
    """An op with one result, a ranked tensor, that may only move elements."""

    @abstractmethod
    def move(self, op: Operation) -> Move | None:
        """
        Where the elements of the result come from; `None` if the op computes them, or if there
        is no affine map.
        """


def move_of(op: Operation) -> Move | None:
    """Where the elements of the op's result come from, if it only moves elements."""
    model = MoveOpInterface.of(op)
    return None if model is None else model.move(op)


class InsertionsOpInterface(OpInterface):
    """
    An op that copies tensors into parts of its one result, a new tensor.

    As insertions, which answer for `SubsetInsertionOpInterface`, the tensors may be
    computed in the result in the first place.
    """

    @abstractmethod
    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert ops that make the same tensor with insertions into an empty tensor.

        Each operand is inserted after all else that its insertion does not depend on, such
        as padding. The result has the type of the op's result; `None` if there are no such
        ops, and nothing has been inserted.
        """

    def parts(self, op: Operation) -> Sequence[Box] | None:
        """
        For each operand that is a tensor the part of the result that it is copied to. `None`, the
        default, if that is not known, or if the parts are not all of the result and there is no
        `padding`.
        """
        return None

    def padding(self, op: Operation) -> SSAValue | None:
        """
        The scalar that all elements of the result are that are in none of the `parts`, if there
        are such. By default there are none.
        """
        return None


class RequiredLayoutOpInterface(OpInterface):
    """An op that copies the buffer of an operand unless it has the layout that it needs."""

    @abstractmethod
    def requires_identity(self, op: Operation, operand: int) -> bool:
        """Whether the buffer of the operand, a tensor, has to have the identity layout."""


class RematerializationOpInterface(OpInterface):
    """An op with one result, a ranked tensor, whose contents may be cheap to compute again."""

    @abstractmethod
    def bytes_read(self, op: Operation) -> int | None:
        """
        The bytes of tensors that the op reads to compute the contents; `None` if they are
        unknown, or if computing is what takes the time.
        """

    def bytes_written(self, op: Operation) -> int | None:
        """The bytes that the op writes, by default those of its result; `None` if unknown."""
        return bytes_of_contents(op.results[0])

    def rematerialize(self, op: Operation, builder: Builder) -> SSAValue:
        """
        Insert ops that compute the contents again; a tensor of the type of the result.

        By default the op is cloned. Inits that are tensors are replaced by empty tensors,
        so an op that reads an init must not leave it to the default.
        """
        operands = list(op.operands)
        style = DestinationStyleOpInterface.of(op)
        for init in () if style is None else style.inits(op):
            if is_tensor(operands[init]):
                operands[init] = empty_like(operands[init], builder)
        clone = op.clone()
        for index, operand in enumerate(operands):
            clone.operands[index] = operand
        return builder.insert(clone).results[0]


def empty_like(value: SSAValue, builder: Builder) -> SSAValue:
    """
    A new empty tensor of the type and the sizes of a ranked tensor, in its memory space if
    it is a `bufferization.alloc_tensor` itself.
    """
    owner = value.owner
    if isinstance(owner, Operation) and (
        isinstance(owner, tensor.EmptyOp)
        or (
            op_name(owner) == "bufferization.alloc_tensor"
            and not any(map(is_tensor, owner.operands))
        )
    ):
        return builder.insert(owner.clone()).results[0]
    dynamic = [s for s in sizes_of(value, builder) if isinstance(s, SSAValue)]
    return builder.insert(tensor.EmptyOp(dynamic, value.type)).tensor
