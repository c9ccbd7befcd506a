"""
Casts of memrefs, the same memory under another type; and other ops of `memref` that xDSL lacks, or
reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnySignlessIntegerType,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import verify_dynamic_index_list
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
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import (
    ANY_MEMREF,
    verify_element_types,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
    refined,
)
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    strides_and_offset,
)
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    memref_type,
    ranked_memref,
    ranked_shape,
)

_CAST = "$source attr-dict `:` type($source) `to` type($dest)"


@read_in_custom_form(_CAST)
class CastOp(memref.CastOp):
    """
    The same memory under a compatible type.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcast-memrefcastop
    """


@read_in_custom_form(_CAST)
@refined({"source": ANY_MEMREF, "dest": ANY_MEMREF})
class MemorySpaceCastOp(memref.MemorySpaceCastOp):
    """
    The same memory, as one of another memory space; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefmemory_space_cast-memrefmemoryspacecastop
    """

    def verify_(self) -> None:
        source, dest = memref_type(self.source.type), self.dest.type
        if _without_memory_space(source) != _without_memory_space(dest):
            raise VerifyException(
                f"source and result differ in more than their memory space: {source} and "
                f"{dest}"
            )


def _without_memory_space(type: MemRef) -> Sequence[Attribute]:
    if isinstance(type, MemRefType):
        return type.element_type, type.shape, type.layout
    return (type.element_type,)


@read_in_custom_form(
    memref.ReinterpretCastOp.get_irdl_definition().assembly_format or ""
)
@refined({"source": ANY_MEMREF})
class ReinterpretCastOp(memref.ReinterpretCastOp):
    """
    The same memory with any offset, sizes and strides; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreinterpret_cast-memrefreinterpretcastop
    """

    def verify_(self) -> None:
        source, result = memref_type(self.source.type), self.result.type
        verify_element_types("source and result", source, result)
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"source and result differ in memory space: {source} and {result}"
            )
        strides, offset = strides_and_offset(result)
        _verify_numbers("offset", self.static_offsets, self.offsets, [offset])
        _verify_numbers("size", self.static_sizes, self.sizes, result.get_shape())
        _verify_numbers("stride", self.static_strides, self.strides, strides)


def _verify_numbers(
    kind: str,
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
    of_result: Sequence[int | None],
) -> None:
    """Each number that the type of the result has must be written in the op, too."""
    written = static.get_values()
    verify_dynamic_index_list(written, dynamic, DYNAMIC_INDEX, f" in the {kind}s")
    if len(written) != len(of_result):
        raise VerifyException(
            f"expected {len(of_result)} {kind} values, but got {len(written)}"
        )
    for number, expected in zip(written, of_result, strict=True):
        if expected not in (None, DYNAMIC_INDEX, number):
            shown = "dynamic" if number == DYNAMIC_INDEX else number
            raise VerifyException(
                f"expected a result with {kind} {shown} instead of {expected}"
            )


@irdl_op_definition
class ReshapeOp(PureOp):
    """
    The same memory with another shape, whose sizes are the elements of `shape`.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreshape-memrefreshapeop
    """

    name = "memref.reshape"

    source = operand_def(ANY_MEMREF)
    shape = operand_def(MemRefType[AnySignlessIntegerType | IndexType])
    result = result_def(ANY_MEMREF)

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
        source, result = memref_type(self.source.type), self.result.type
        verify_element_types("source and result", source, result)
        for role, type in (("source", source), ("result", result)):
            if isinstance(type, MemRefType) and not has_identity_layout(
                cast(Attribute, type)
            ):
                raise VerifyException(f"the {role} {type} must not have a layout")
        lengths = ranked_shape(self.shape)
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


@read_in_custom_form("$source attr-dict `:` type($source)")
@refined({"source": ANY_MEMREF})
class RankOp(memref.RankOp):
    """
    How many dimensions a memref has; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefrank-memrefrankop
    """

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=(source,), result_types=(IndexType(),))


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
        source = ranked_memref(self.source.type)
        result = self.result.type
        for role, type in (("source", source), ("result", result)):
            if type.get_num_dims() != 1 or not has_identity_layout(type):
                raise VerifyException(
                    f"the {role} {type} must have one dimension and no layout"
                )
        verify_element_types("source and result", source, result)
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


@read_in_custom_form("$source attr-dict `:` type($source) `->` type($aligned_pointer)")
@refined({"source": ANY_MEMREF})
class ExtractAlignedPointerAsIndexOp(memref.ExtractAlignedPointerAsIndexOp):
    """
    The address of a memref's memory; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefextract_aligned_pointer_as_index-memrefextractalignedpointerasindexop
    """

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=(source,), result_types=(IndexType(),))


@irdl_op_definition
class TransposeOp(PureOp):
    """
    The same memory with the dimensions of the memref permuted.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memreftranspose-memreftransposeop
    """

    name = "memref.transpose"

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

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


@read_in_custom_form("attr-dict ($ops^ `:` type($ops))?")
class AllocaScopeReturnOp(memref.AllocaScopeReturnOp):
    """
    The end of the region of `memref.alloca_scope`, with the results of that.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca_scopereturn-memrefallocascopereturnop
    """
