"""
xDSL's `memref` dialect with the ops that it lacks, with custom syntax where it has none, and with
ops that take unranked memrefs, as MLIR's do. The ops that only programs with ops of the dialect
have are here: accesses other than a load or a store, scopes of allocas, and promises that memory
is not shared.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
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
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.memref.ops import (
    AllocaOp,
    AllocaScopeReturnOp,
    AllocOp,
    CastOp,
    CopyOp,
    ExtractAlignedPointerAsIndexOp,
    GlobalOp,
    MemorySpaceCastOp,
    RankOp,
    ReallocOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    ATOMIC_KINDS,
    SAME,
    PrefetchingOp,
    inferred,
    parse_block,
    parse_result_types,
    prefetching,
    words,
)
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.support.shaped_types import element_type, ranked_memref


@read_in_custom_form(
    "custom<Kind>($kind) $value `,` $memref `[` $indices `]` attr-dict `:` "
    "`(` type($value) `,` type($memref) `)` `->` type($result)",
    Kind=words("operation", ATOMIC_KINDS),
)
class AtomicRMWOp(memref.AtomicRMWOp):
    """
    Changes an element at once; xDSL's op, which is read in custom form, too, and printed in
    generic form.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefatomic_rmw-memrefatomicrmwop
    """


@prefetching("`[` $indices `]`")
@irdl_op_definition
class PrefetchOp(PrefetchingOp):
    """
    A hint that an element of a memref will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefprefetch-memrefprefetchop
    """

    name = "memref.prefetch"

    memref = operand_def(MemRefType)


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


@read_in_custom_form(
    "$memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict "
    "custom<Element>(ref(type($memref)), type($result))",
    Element=inferred(lambda types: [*map(element_type, types)]),
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
        element_type = ranked_memref(self.memref.type).element_type
        types = (*self.atomic_body.block.arg_types, self.result.type)
        if types != (element_type, element_type):
            raise VerifyException(
                f"the result and the argument of the region must be of type {element_type}"
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


@read_in_custom_form(
    "$memrefs attr-dict `:` type($memrefs) "
    "custom<Same>(ref(type($memrefs)), type($distinct))",
    Same=SAME,
)
@irdl_op_definition
class DistinctObjectsOp(PureOp):
    """
    The same memrefs, with the promise that no two of them share memory.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefdistinct_objects-memrefdistinctobjectsop
    """

    name = "memref.distinct_objects"

    memrefs = var_operand_def(MemRefType)
    distinct = var_result_def(MemRefType)

    def verify_(self) -> None:
        if not self.memrefs:
            raise VerifyException("expected at least one memref")
        if self.operand_types != self.result_types:
            raise VerifyException("the results must have the types of the operands")


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
