"""
What ops of xDSL's dialects answer for the interfaces that are not about bufferization.

Each function registers the models for one dialect. They go by name, so they serve ops that
xDSL does not define too.

Source: the interfaces that each op of https://mlir.llvm.org/docs/Dialects/ lists
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
    with_dynamic,
)
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    WholeInsertion,
)
from xdsl_bufferization.support.names import op_name

# Destinations --------------------------------------------------------------------------


class LinalgDestination(DestinationStyleOpInterface):
    """A structured op's operands are its inputs, then its inits."""

    def inits(self, op: Operation) -> Sequence[int]:
        if op_name(op) in ("linalg.index", "linalg.yield"):
            return ()
        return range(_num_inputs(op), len(op.operands))


class InsertDestination(DestinationStyleOpInterface):
    """The second operand is the only init."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)


def _num_inputs(op: Operation) -> int:
    segments = _property(op, "operandSegmentSizes")
    if isinstance(segments, DenseArrayBase):
        return cast(DenseArrayBase[IntegerType], segments).get_values()[0]
    # Ops that need no segments have as many inits as inputs, or one init.
    if op_name(op) == "linalg.reduce":
        return len(op.operands) // 2
    return len(op.operands) - 1


# Subsets -------------------------------------------------------------------------------


class ExtractSliceSubset(SubsetExtractionOpInterface):
    """`tensor.extract_slice`"""

    def container(self, op: Operation) -> SSAValue:
        return op.operands[0]

    def subset(self, op: Operation) -> Hashable:
        return slice_of(op, first_dynamic=1)


class InsertSliceSubset(SubsetInsertionOpInterface):
    """`tensor.insert_slice` and `tensor.parallel_insert_slice`"""

    def subset(self, op: Operation) -> Hashable:
        return slice_of(op, first_dynamic=2)

    def extraction_operands(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands[1:]

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        properties = {
            name: attribute
            for name in ("static_offsets", "static_sizes", "static_strides")
            if (attribute := _property(op, name)) is not None
        }
        segments = cast(
            DenseArrayBase[IntegerType], _property(op, "operandSegmentSizes")
        )
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(
            i32, segments.get_values()[1:]
        )
        extraction = tensor.ExtractSliceOp.create(
            operands=op.operands[1:],
            result_types=(op.operands[0].type,),
            properties=properties,
        )
        return builder.insert(extraction).result


def slice_of(op: Operation, first_dynamic: int) -> Slice:
    """
    The offsets, sizes and strides of an op that has them as operands from
    `first_dynamic` on, and as arrays with `DYNAMIC_INDEX` for each operand. Integer
    constants among the operands count as the number they are.
    """
    values = map(_known, op.operands[first_dynamic:])

    def mixed(name: str) -> tuple[Size, ...]:
        static = cast(DenseArrayBase[IntegerType], _property(op, name)).get_values()
        return tuple(
            next(values) if number == DYNAMIC_INDEX else number for number in static
        )

    # The operands come in this order, too.
    return Slice(
        mixed("static_offsets"), mixed("static_sizes"), mixed("static_strides")
    )


def _known(value: SSAValue) -> Size:
    if isinstance(value.owner, arith.ConstantOp) and isinstance(
        number := value.owner.value, IntegerAttr
    ):
        return number.value.data
    return value


def _property(op: Operation, name: str) -> Attribute | None:
    # In old generic syntax, and for ops that xDSL does not define, an attribute.
    return op.properties.get(name, op.attributes.get(name))


# Copies ---------------------------------------------------------------------------------


class Copy(CopyOpInterface):
    """From the first operand to the second."""


# Sizes ---------------------------------------------------------------------------------


class SizesOfInits(ReifyRankedShapedTypeOpInterface):
    """Each result has the sizes of the init to which it is tied."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        style = DestinationStyleOpInterface.of(op)
        assert style is not None
        return [
            sizes_of(op.operands[init], builder)
            for init in style.inits(op)
            if isinstance(op.operands[init].type, TensorType)
        ]


class SizesFromOperands(ReifyRankedShapedTypeOpInterface):
    """The operands from `first` on are the unknown sizes."""

    def __init__(self, first: int = 0):
        object.__setattr__(self, "first", first)

    first: int

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        shape = cast(TensorType[Attribute], op.results[0].type).get_shape()
        return (with_dynamic(shape, op.operands[self.first :]),)


# Registration --------------------------------------------------------------------------


def register_linalg() -> None:
    """Register the models for `linalg`."""
    register_model("linalg.*", LinalgDestination())
    register_model("linalg.*", SizesOfInits())
    register_model("linalg.copy", Copy())
    register_model("linalg.copy", WholeInsertion())
    for name in ("pack", "unpack"):
        register_model(f"linalg.{name}", InsertDestination())


def register_tensor() -> None:
    """Register the models for `tensor`."""
    for name in ("insert", "insert_slice"):
        register_model(f"tensor.{name}", InsertDestination())
        register_model(f"tensor.{name}", SizesOfInits())
    register_model("tensor.extract_slice", ExtractSliceSubset())
    register_model("tensor.insert_slice", InsertSliceSubset())
    register_model("tensor.parallel_insert_slice", InsertSliceSubset())
    for name in ("empty", "generate"):
        register_model(f"tensor.{name}", SizesFromOperands())
    register_model("tensor.splat", SizesFromOperands(1))
