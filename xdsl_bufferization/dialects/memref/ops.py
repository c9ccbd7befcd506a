"""
Ops of `memref` that xDSL lacks, or reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import Self, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnySignlessIntegerType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import ANY_MEMREF
from xdsl_bufferization.dialects.shared.redefinition import (
    Redefinition,
    with_custom_form,
)
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.shaped_types import MemRef as AnyMemRef


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    The same memory with another shape, whose sizes are the elements of `shape`.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreshape-memrefreshapeop
    """

    name = "memref.reshape"

    source = operand_def(ANY_MEMREF)
    shape = operand_def(MemRefType[AnySignlessIntegerType | IndexType])
    result = result_def(ANY_MEMREF)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        shape: SSAValue | Operation,
        result_type: Attribute,
    ):
        super().__init__(operands=(source, shape), result_types=(result_type,))

    def verify_(self) -> None:
        source, result = cast(AnyMemRef, self.source.type), self.result.type
        if source.element_type != result.element_type:
            raise VerifyException(
                f"source and result differ in their element type: {source} and {result}"
            )
        for role, type in (("source", source), ("result", result)):
            if isinstance(type, MemRefType) and not has_identity_layout(
                cast(Attribute, type)
            ):
                raise VerifyException(f"the {role} {type} must not have a layout")
        lengths = cast(MemRefType[Attribute], self.shape.type).get_shape()
        if len(lengths) != 1:
            raise VerifyException(f"the shape {self.shape.type} must have rank 1")
        if not isinstance(result, MemRefType):
            return
        if lengths[0] == DYNAMIC_INDEX:
            raise VerifyException(
                "a shape of unknown length does not give a result of known rank"
            )
        if lengths[0] != result.get_num_dims():
            raise VerifyException(
                f"the shape has {lengths[0]} elements, but the result has rank "
                f"{result.get_num_dims()}"
            )


@with_custom_form("$source attr-dict `:` type($source)")
@irdl_op_definition
class RankOp(Redefinition, memref.RankOp):
    """
    How many dimensions a memref has; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefrank-memrefrankop
    """

    name = "memref.rank"

    source = operand_def(ANY_MEMREF)
    rank = result_def(IndexType())

    def __init__(self, source: SSAValue | Operation):
        IRDLOperation.__init__(self, operands=(source,), result_types=(IndexType(),))

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify; the base has others."""


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """
    A buffer of another size with the contents of `source`, up to the smaller of the two
    sizes; `source` must not be used afterwards.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefrealloc-memrefreallocop
    """

    name = "memref.realloc"

    source = operand_def(MemRefType)
    dynamic_result_size = opt_operand_def(IndexType())
    alignment = opt_prop_def(IntegerAttr[IntegerType])
    result = result_def(MemRefType)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` "
        "type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        result_type: Attribute,
        dynamic_result_size: SSAValue | Operation | None = None,
        alignment: int | None = None,
    ):
        super().__init__(
            operands=(source, dynamic_result_size),
            result_types=(result_type,),
            properties={
                "alignment": None if alignment is None else IntegerAttr(alignment, i64)
            },
        )

    def verify_(self) -> None:
        source = cast(MemRefType[Attribute], self.source.type)
        result = self.result.type
        for role, type in (("source", source), ("result", result)):
            if type.get_num_dims() != 1 or not has_identity_layout(type):
                raise VerifyException(
                    f"the {role} {type} must have one dimension and no layout"
                )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"source and result differ in their element type: {source} and {result}"
            )
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"source and result differ in memory space: {source} and {result}"
            )
        is_dynamic = result.get_shape()[0] == DYNAMIC_INDEX
        if is_dynamic != (self.dynamic_result_size is not None):
            raise VerifyException(
                f"needs a size if, and only if, the result {result} has a dynamic one"
            )
        alignment = None if self.alignment is None else self.alignment.value.data
        if alignment is not None and (alignment < 1 or alignment & (alignment - 1)):
            raise VerifyException(f"the alignment {alignment} is no power of two")


@with_custom_form("$source attr-dict `:` type($source) `->` type($aligned_pointer)")
@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(
    Redefinition, memref.ExtractAlignedPointerAsIndexOp
):
    """
    The address of a memref's memory; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefextract_aligned_pointer_as_index-memrefextractalignedpointerasindexop
    """

    name = "memref.extract_aligned_pointer_as_index"

    source = operand_def(ANY_MEMREF)
    aligned_pointer = result_def(IndexType())

    traits = traits_def(NoMemoryEffect())

    def __init__(self, source: SSAValue | Operation):
        IRDLOperation.__init__(self, operands=(source,), result_types=(IndexType(),))

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """
    The same memory with the dimensions of the memref permuted.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memreftranspose-memreftransposeop
    """

    name = "memref.transpose"

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parser.parse_unresolved_operand()
        map = parser.parse_affine_map()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        parser.parse_keyword("to")
        return cls.build(
            operands=(parser.resolve_operand(source, type),),
            result_types=(parser.parse_type(),),
            properties={"permutation": AffineMapAttr(map)},
            attributes=attributes,
        )


@with_custom_form("attr-dict ($ops^ `:` type($ops))?")
class AllocaScopeReturnOp(memref.AllocaScopeReturnOp):
    """
    The end of the region of `memref.alloca_scope`, with the results of that.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca_scopereturn-memrefallocascopereturnop
    """
