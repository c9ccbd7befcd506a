"""
Casts of memrefs, the same memory under another type; and other ops of `memref` that xDSL lacks, or
reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/

xDSL's `memref.alloc` and `memref.alloca`, which are erased where nothing is read from them.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/

xDSL's `memref.copy`, for more memrefs, and erased where it does nothing.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcopy-memrefcopyop

`memref.global`, which xDSL reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/#memrefglobal-memrefglobalop
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnySignlessIntegerType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import verify_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    OptPropertyDef,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    ANY_MEMREF,
    VISIBILITY,
    PureOp,
    canonicalized_by,
    read_in_custom_form,
    refined,
    verify_element_types,
)
from xdsl_bufferization.dialects.shared.syntax import UnprintedDirective
from xdsl_bufferization.host.printing import print_with_defaults
from xdsl_bufferization.host.releases import erase_op
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    strides_and_offset,
)
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    are_shapes_compatible,
    memref_type,
    ranked_memref,
    ranked_shape,
    shape_of,
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


@irdl_custom_directive
class Map(UnprintedDirective):
    """`(i, j) -> (j, i)`, a map without `affine_map`."""

    map: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.map.set(state, AffineMapAttr(parser.parse_affine_map()))


@read_in_custom_form(
    "$source custom<Map>($permutation) attr-dict `:` type($source) `to` type($result)",
    Map=Map,
)
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


@read_in_custom_form("attr-dict ($ops^ `:` type($ops))?")
class AllocaScopeReturnOp(memref.AllocaScopeReturnOp):
    """
    The end of the region of `memref.alloca_scope`, with the results of that.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca_scopereturn-memrefallocascopereturnop
    """


class UnreadAllocation(RewritePattern):
    """
    An allocation is erased if it is only stored to, cast, reallocated and freed:

        %m = memref.alloc() : memref<4xf32>
        memref.store %f, %m[%i] : memref<4xf32>
        memref.dealloc %m : memref<4xf32>

    A store of the allocation itself to other memory keeps it, since it escapes there.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.AllocOp | memref.AllocaOp, rewriter: PatternRewriter, /
    ):
        users = _users_if_unread(op.memref)
        if users is None:
            return
        for user in reversed(users):
            erase_op(rewriter, user)
        erase_op(rewriter, op)


def _users_if_unread(allocation: SSAValue) -> list[Operation] | None:
    """
    The ops that use the allocation or memrefs made from it, each after those that it depends
    on; `None` if one of them may read it, or let it escape.
    """
    users: dict[Operation, None] = {}
    worklist = [allocation]
    while worklist:
        value = worklist.pop()
        for use in value.uses:
            user = use.operation
            if user.name in ("memref.cast", "memref.realloc"):
                worklist.append(user.results[0])
            elif not isinstance(user, memref.DeallocOp) and not (
                isinstance(user, memref.StoreOp) and user.value is not value
            ):
                return None
            users[user] = None
    return [*users]


def _patterns() -> tuple[RewritePattern, ...]:
    return (UnreadAllocation(),)


class AllocOp(memref.AllocOp):
    """
    Memory on the heap; xDSL's op, which is erased with its stores where nothing reads it.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloc-memrefallocop
    """

    traits = canonicalized_by(memref.AllocOp, _patterns)


class AllocaOp(memref.AllocaOp):
    """
    Memory on the stack; xDSL's op, which is erased with its stores where nothing reads it.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca-memrefallocaop
    """

    traits = canonicalized_by(memref.AllocaOp, _patterns)


class CopyOfNothing(RewritePattern):
    """A copy of a memref to itself, or without elements, is erased."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter, /):
        sources, destinations = {*_casts(op.source)}, {*_casts(op.destination)}
        if not sources.isdisjoint(destinations) or any(
            _is_empty(value) for value in sources | destinations
        ):
            erase_op(rewriter, op)


def _casts(value: SSAValue) -> Iterator[SSAValue]:
    """The memref, and those that it is a cast of."""
    yield value
    while isinstance(value.owner, memref.CastOp):
        value = value.owner.source
        yield value


def _is_empty(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type, ShapedType) and 0 in type.get_shape()


@read_in_custom_form(
    "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
)
@refined({"source": ANY_MEMREF, "destination": ANY_MEMREF})
class CopyOp(memref.CopyOp):
    """
    Copies the contents of one memref to another of the same shape; xDSL's op, for
    unranked memrefs and for sizes that are static on one side only, too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcopy-memrefcopyop
    """

    traits = canonicalized_by(memref.CopyOp, lambda: (CopyOfNothing(),))

    def verify_(self) -> None:
        source = memref_type(self.source.type)
        destination = memref_type(self.destination.type)
        verify_element_types("source and destination", source, destination)
        if not are_shapes_compatible(shape_of(source), shape_of(destination)):
            raise VerifyException(
                f"source and destination differ in their shape: {source} and "
                f"{destination}"
            )


@refined(
    properties={
        "sym_visibility": OptPropertyDef(VISIBILITY),
        "initial_value": OptPropertyDef(
            base(UnitAttr) | base(DenseIntOrFPElementsAttr) | base(DenseResourceAttr)
        ),
    }
)
class GlobalOp(memref.GlobalOp):
    """
    Memory with a name; xDSL's op, for memory that is visible elsewhere or defined there, too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefglobal-memrefglobalop
    """

    def verify_(self) -> None:
        if self.alignment is None:
            return
        alignment = self.alignment.value.data
        if alignment < 1 or alignment & (alignment - 1):
            raise VerifyException(
                f"Alignment attribute {alignment} is not a power of 2"
            )

    @staticmethod
    def get(
        sym_name: StringAttr,
        sym_type: Attribute,
        initial_value: Attribute,
        sym_visibility: StringAttr | None = None,
        constant: UnitAttr | None = None,
        alignment: int | IntegerAttr[IntegerType] | None = None,
    ) -> GlobalOp:
        """
        The op of this class, private unless the visibility says otherwise; xDSL's op
        cannot have all initial values.
        """
        if isinstance(alignment, int):
            alignment = IntegerAttr(alignment, i64)
        return GlobalOp.build(
            properties={
                "sym_name": sym_name,
                "type": sym_type,
                "initial_value": initial_value,
                "sym_visibility": sym_visibility or StringAttr("private"),
                "constant": constant,
                "alignment": alignment,
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        visibility = parser.parse_optional_str_literal()
        if visibility is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant"):
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error(f"{type} is no memref")
        properties["type"] = type
        if parser.parse_optional_punctuation("="):
            properties["initial_value"] = _parse_initial_value(parser, type)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.build(properties=properties, attributes=attributes)


print_with_defaults({"sym_visibility": StringAttr("public")}, [GlobalOp.name])


def _parse_initial_value(parser: Parser, type: MemRefType[Attribute]) -> Attribute:
    """`uninitialized`, or a literal of the type of the memref."""
    tensor = cast(Any, TensorType(type.element_type, type.shape))
    if parser.parse_optional_keyword("uninitialized"):
        return UnitAttr()
    if parser.parse_optional_keyword("dense"):
        return parser.parse_dense_int_or_fp_elements_attr(tensor)
    parser.parse_keyword("dense_resource")
    with parser.in_angle_brackets():
        return DenseResourceAttr.from_params(parser.parse_identifier(), tensor)
