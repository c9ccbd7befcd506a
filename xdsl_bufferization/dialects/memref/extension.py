"""
xDSL's `memref` dialect with the ops that it lacks, with custom syntax where it has none, and with
ops that take unranked memrefs, as MLIR's do. The ops that only programs with ops of the dialect
have are here: casts, accesses other than a load or a store, scopes of allocas, and promises that
memory is not shared.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloatConstr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SignlessIntegerConstraint,
    i32,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import verify_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    OpDef,
    OperandDef,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.memref.allocations import AllocaOp, AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.dialects.memref.globals import GlobalOp
from xdsl_bufferization.dialects.memref.ops import (
    AllocaScopeReturnOp,
    ExtractAlignedPointerAsIndexOp,
    RankOp,
    ReallocOp,
    ReshapeOp,
    TransposeOp,
)
from xdsl_bufferization.dialects.shared.constraints import ANY_MEMREF
from xdsl_bufferization.dialects.shared.redefinition import (
    Redefinition,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    parse_block,
    parse_hints,
    parse_indices,
    parse_name,
    parse_names,
    parse_result_types,
    parse_types,
)
from xdsl_bufferization.support.extensions import Extension
from xdsl_bufferization.support.memref_types import strides_and_offset
from xdsl_bufferization.support.shaped_types import MemRef

_CAST = "$source attr-dict `:` type($source) `to` type($dest)"


@with_custom_form(_CAST)
class CastOp(memref.CastOp):
    """
    The same memory under a compatible type.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcast-memrefcastop
    """


@with_custom_form(_CAST)
@irdl_op_definition
class MemorySpaceCastOp(Redefinition, memref.MemorySpaceCastOp):
    """
    The same memory, as one of another memory space; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefmemory_space_cast-memrefmemoryspacecastop
    """

    name = "memref.memory_space_cast"

    source = operand_def(ANY_MEMREF)
    dest = result_def(ANY_MEMREF)

    traits = traits_def(NoMemoryEffect())

    def __init__(self, source: SSAValue | Operation, dest: Attribute):
        IRDLOperation.__init__(self, operands=(source,), result_types=(dest,))

    def verify_(self) -> None:
        source, dest = cast(MemRef, self.source.type), self.dest.type
        if _without_memory_space(source) != _without_memory_space(dest):
            raise VerifyException(
                f"source and result differ in more than their memory space: {source} and "
                f"{dest}"
            )


def _without_memory_space(type: MemRef) -> Sequence[Attribute]:
    if isinstance(type, MemRefType):
        return type.element_type, type.shape, type.layout
    return (type.element_type,)


_REINTERPRET_CAST = memref.ReinterpretCastOp.get_irdl_definition()


@with_custom_form(_REINTERPRET_CAST.assembly_format or "")
class ReinterpretCastOp(memref.ReinterpretCastOp):
    """
    The same memory with any offset, sizes and strides; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreinterpret_cast-memrefreinterpretcastop
    """

    _definition = replace(
        _REINTERPRET_CAST,
        operands=[
            ("source", OperandDef(ANY_MEMREF)),
            *_REINTERPRET_CAST.operands[1:],
        ],
    )

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._definition

    def verify_(self) -> None:
        self._definition.verify(self)
        source, result = cast(MemRef, self.source.type), self.result.type
        if source.element_type != result.element_type:
            raise VerifyException(
                f"source and result differ in their element type: {source} and {result}"
            )
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
class AtomicRMWOp(Redefinition, memref.AtomicRMWOp):
    """
    Changes an element at once; xDSL's op, which is read in custom form, too, and printed in
    generic form.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefatomic_rmw-memrefatomicrmwop
    """

    name = "memref.atomic_rmw"

    T: ClassVar = VarConstraint("T", AnyFloatConstr | SignlessIntegerConstraint)

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr.constr(i64))
    result = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        kind = parse_name(parser)
        position = parser.pos
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        name = parser.parse_unresolved_operand()
        indices = parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        )
        operands = parser.resolve_operands((value, name), types, position)
        return cls.build(
            operands=(*operands, indices),
            result_types=parse_result_types(parser),
            properties={"kind": kind},
            attributes=attributes,
        )


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    A hint that an element of a memref will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefprefetch-memrefprefetchop
    """

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        indices = parse_indices(parser)
        hints = parse_hints(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=(parser.resolve_operand(name, parser.parse_type()), indices),
            properties=hints,
            attributes=attributes,
        )


class AllocaScopeOp(memref.AllocaScopeOp):
    """
    A region whose allocas live as long as it runs; xDSL's op, which is read in custom form,
    too, and printed in generic form.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca_scope-memrefallocascopeop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        types = parse_result_types(parser)
        region = parse_block(parser)
        last = region.blocks[-1]
        if not isinstance(last.last_op, memref.AllocaScopeReturnOp):
            last.add_op(memref.AllocaScopeReturnOp.build(operands=((),)))
        return cls.build(
            result_types=(types,),
            attributes=parser.parse_optional_attr_dict(),
            regions=(region,),
        )


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """
    Changes an element at once to what the region yields for it; the result is that.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefgeneric_atomic_rmw-memrefgenericatomicrmwop
    """

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    atomic_body = region_def("single_block")
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        element_type = cast("MemRefType[Attribute]", self.memref.type).element_type
        types = (*self.atomic_body.block.arg_types, self.result.type)
        if types != (element_type, element_type):
            raise VerifyException(
                f"the result and the argument of the region must be of type {element_type}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        indices = parse_indices(parser)
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error("memref type expected", position, parser.pos)
        region = parser.parse_region()
        return cls.build(
            operands=(parser.resolve_operand(name, type), indices),
            result_types=(type.element_type,),
            attributes=parser.parse_optional_attr_dict(),
            regions=(region,),
        )


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """
    The terminator of `memref.generic_atomic_rmw`, with the element to store.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefatomic_yield-memrefatomicyieldop
    """

    name = "memref.atomic_yield"

    result = operand_def()

    assembly_format = "$result attr-dict `:` type($result)"

    traits = traits_def(HasParent(GenericAtomicRMWOp), IsTerminator(), Pure())


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """
    The same memrefs, with the promise that no two of them share memory.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefdistinct_objects-memrefdistinctobjectsop
    """

    name = "memref.distinct_objects"

    memrefs = var_operand_def(MemRefType)
    distinct = var_result_def(MemRefType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not self.memrefs:
            raise VerifyException("expected at least one memref")
        if self.operand_types != self.result_types:
            raise VerifyException("the results must have the types of the operands")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        names = parse_names(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parse_types(parser)
        return cls.build(
            operands=(parser.resolve_operands(names, types, position),),
            result_types=(types,),
            attributes=attributes,
        )


EXTENSION = Extension(
    [
        AllocOp,
        AllocaOp,
        AllocaScopeOp,
        AtomicRMWOp,
        CopyOp,
        GlobalOp,
        AllocaScopeReturnOp,
        CastOp,
        MemorySpaceCastOp,
        ExtractAlignedPointerAsIndexOp,
        RankOp,
        AtomicYieldOp,
        DistinctObjectsOp,
        GenericAtomicRMWOp,
        PrefetchOp,
        ReallocOp,
        ReinterpretCastOp,
        ReshapeOp,
        TransposeOp,
    ]
)
