"""
Ops of the `bufferization` dialect on tensors: those that make tensors of memrefs and memrefs of
tensors, `to_buffer`, its former name `to_memref`, and `to_tensor`; and those that say of tensors
where they are in memory: `alloc_tensor`, `dealloc_tensor` and `materialize_in_destination`.

An op that xDSL has, too, is a subclass of xDSL's class, so that passes that match that class
find it; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.builder import Builder
from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    MessageConstraint,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    ANY_BUFFER_LIKE,
    ANY_MEMREF,
    ANY_TENSOR,
    ANY_TENSOR_LIKE,
    Redefinition,
    verify_element_types,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    unit_properties,
)
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
)
from xdsl_bufferization.interfaces.subset import WholeInsertion
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    Tensor,
    are_shapes_compatible,
    is_memref_type,
    is_tensor_like,
    is_tensor_type,
    ranked_shape,
    shape_of,
    tensor_type_of,
)
from xdsl_bufferization.support.tensor_like import BufferLikeType


class ToBufferBase(Redefinition, xdsl_bufferization.ToBufferOp, ABC):
    """The op under either of its names."""

    tensor = operand_def(ANY_TENSOR_LIKE)
    memref = result_def(ANY_BUFFER_LIKE)
    read_only = opt_prop_def(UnitAttr)

    traits = traits_def(
        Pure(),
    )

    def __init__(
        self,
        tensor: SSAValue | Operation,
        memref_type: Attribute,
        read_only: bool = False,
    ):
        IRDLOperation.__init__(
            self,
            operands=(tensor,),
            result_types=(memref_type,),
            properties=unit_properties(read_only=read_only),
        )

    def verify_(self) -> None:
        _verify_same_contents(self.tensor.type, self.memref.type)


@irdl_custom_directive
class TensorToMemRef(CustomDirective):
    """
    `tensor<4xf32> to memref<4xf32>`; or the short form of MLIR's first releases, with the memref
    type only.
    """

    tensor: TypeDirective
    memref: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        type = parser.parse_type()
        if is_memref_type(type):
            tensor_type, memref_type = tensor_type_of(type), type
        elif is_tensor_like(type):
            parser.parse_keyword("to")
            tensor_type, memref_type = type, parser.parse_type()
        else:
            parser.raise_error("expected a tensor or memref type", position, parser.pos)
        self.tensor.set(state, (tensor_type,))
        self.memref.set(state, (memref_type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.tensor.print(printer, state, op)
        printer.print_string(" to")
        self.memref.print(printer, state, op)


_with_to_buffer_form = with_custom_form(
    "$tensor (`read_only` $read_only^)? attr-dict `:` "
    "custom<TensorToMemRef>(type($tensor), type($memref))",
    TensorToMemRef=TensorToMemRef,
)


@_with_to_buffer_form
@irdl_op_definition
class ToBufferOp(ToBufferBase):
    """
    The buffer of a tensor. With `read_only`, neither the buffer nor an alias of it is
    written.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationto_buffer-bufferizationtobufferop
    """

    name = "bufferization.to_buffer"


@_with_to_buffer_form
@irdl_op_definition
class ToMemrefOp(ToBufferBase):
    """The former name of `bufferization.to_buffer`, to which `canonicalize` renames it."""

    name = "bufferization.to_memref"


class ToTensorResultTypes(InferTypeOpInterface):
    """A tensor of the memref's shape."""

    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        type = op.operands[0].type
        assert is_memref_type(type)
        return (tensor_type_of(type),)


@irdl_custom_directive
class MemRefToTensor(CustomDirective):
    """
    `memref<4xf32> to tensor<4xf32>`; or the short form without the tensor type, which follows from
    the memref type.
    """

    memref: TypeDirective
    tensor: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        type = parser.parse_type()
        if not is_memref_type(type) and not isinstance(type, BufferLikeType):
            parser.raise_error("expected a memref type", position, parser.pos)
        self.memref.set(state, (type,))
        if parser.parse_optional_keyword("to") is None and is_memref_type(type):
            self.tensor.set(state, (tensor_type_of(type),))
        else:
            self.tensor.set(state, (parser.parse_type(),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.memref.print(printer, state, op)
        printer.print_string(" to")
        self.tensor.print(printer, state, op)


@with_custom_form(
    "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` "
    "custom<MemRefToTensor>(type($memref), type($tensor))",
    MemRefToTensor=MemRefToTensor,
)
@irdl_op_definition
class ToTensorOp(Redefinition, xdsl_bufferization.ToTensorOp):
    """
    The contents of a memref as a tensor.

    `writable` allows bufferization to write the memref. `restrict` promises that no other
    tensor is made from the memref or from an alias of it.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationto_tensor-bufferizationtotensorop
    """

    name = "bufferization.to_tensor"

    memref = operand_def(ANY_BUFFER_LIKE)
    tensor = result_def(ANY_TENSOR_LIKE)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    traits = traits_def(
        Pure(),
        ToTensorResultTypes(),
    )

    def __init__(
        self,
        memref: SSAValue | Operation,
        restrict: bool = False,
        writable: bool = False,
        *,
        result_type: Attribute | None = None,
    ):
        buffer = SSAValue.get(memref)
        if result_type is None:
            if not is_memref_type(buffer.type):
                raise ValueError(f"expected a memref, got {buffer.type}")
            result_type = tensor_type_of(buffer.type)
        IRDLOperation.__init__(
            self,
            operands=(buffer,),
            result_types=(result_type,),
            properties=unit_properties(restrict=restrict, writable=writable),
        )

    def verify_(self) -> None:
        _verify_same_contents(self.tensor.type, self.memref.type)


def _verify_same_contents(tensor: Attribute, memref: Attribute) -> None:
    if not is_tensor_type(tensor) or not is_memref_type(memref):
        return  # Another dialect knows what is compatible.
    verify_element_types("tensor and memref", tensor, memref)
    if shape_of(tensor) != shape_of(memref):
        raise VerifyException(
            f"tensor and memref differ in their shape: {tensor} and {memref}"
        )


class AllocTensorEffects(MemoryEffect):
    """Allocates the result: may be erased if unused, but not merged with another one."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.ALLOC, op.results[0])}


class AllocTensorShape(ReifyRankedShapedTypeOpInterface):
    """The dynamic sizes, or the sizes of the copied tensor."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        shape = ranked_shape(op.results[0])
        for operand in op.operands:
            if isinstance(operand.type, TensorType):
                return (sizes_of(operand, builder),)
        return (get_dynamic_index_list(shape, op.operands, DYNAMIC_INDEX),)


@irdl_op_definition
class AllocTensorOp(Redefinition, xdsl_bufferization.AllocTensorOp):
    """
    A new tensor in a buffer of its own.

    It has the sizes of the result type, with `dynamic_sizes` for the dynamic ones, and the
    contents of `copy`, or undefined ones. The buffer is in `memory_space`, by default in the
    memory space of `copy`'s buffer. `size_hint` is the expected number of non-zero elements of
    a sparse tensor.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationalloc_tensor-bufferizationalloctensorop
    """

    name = "bufferization.alloc_tensor"

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    dynamic_sizes = var_operand_def(IndexType())
    copy = opt_operand_def(T)
    size_hint = opt_operand_def(IndexType())
    memory_space = opt_prop_def(Attribute)
    tensor = result_def(MessageConstraint(T, "must have the type of 'copy'"))

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? "
        "(`size_hint` `=` $size_hint^)? attr-dict `:` type($tensor)"
    )

    traits = traits_def(
        AllocTensorEffects(),
        AllocTensorShape(),
    )

    def __init__(
        self,
        result_type: Attribute,
        dynamic_sizes: Sequence[SSAValue | Operation] | None = None,
        copy: SSAValue | Operation | None = None,
        size_hint: SSAValue | Operation | None = None,
        memory_space: Attribute | None = None,
    ):
        IRDLOperation.__init__(
            self,
            operands=(dynamic_sizes, copy, size_hint),
            result_types=(result_type,),
            properties={"memory_space": memory_space},
        )

    def verify_(self) -> None:
        sizes = len(self.dynamic_sizes)
        if self.copy is not None:
            if sizes:
                raise VerifyException(
                    f"takes no dynamic sizes with 'copy', which has them, but has {sizes}"
                )
            return
        if not isinstance(self.tensor.type, TensorType):
            raise VerifyException(
                "needs 'copy' to know the sizes of an unranked tensor"
            )
        unknown = self.tensor.type.get_shape().count(DYNAMIC_INDEX)
        if sizes != unknown:
            raise VerifyException(
                f"needs {unknown} dynamic sizes for {self.tensor.type}, but has {sizes}"
            )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """
    Frees the buffer of a tensor, or its sparse storage.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationdealloc_tensor-bufferizationdealloctensorop
    """

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,))


class MaterializeEffects(MemoryEffect):
    """Writes the destination if that is a memref; tensors are values, not memory."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        destination = op.operands[1]
        if is_memref_type(destination.type):
            return {EffectInstance(MemoryEffectKind.WRITE, destination)}
        return set()


class MaterializeSubset(WholeInsertion):
    """Overwrites all of the destination, which is a tensor or a memref."""

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        destination = op.operands[1]
        if not is_memref_type(destination.type):
            return destination
        if "restrict" not in op.properties:
            # Other tensors may be in that memory.
            return None
        return builder.insert(ToTensorOp(destination, True, True)).tensor


@with_custom_form(
    "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` "
    "functional-type(operands, results)",
)
@irdl_op_definition
class MaterializeInDestinationOp(
    Redefinition, xdsl_bufferization.MaterializeInDestinationOp
):
    """
    Writes the contents of `source` into the buffer of `dest`.

    If `dest` is a tensor, the result is the updated tensor. If it is a memref, there is no
    result, and `writable` must be set; `restrict` promises that no other tensor is made
    from that memref.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationmaterialize_in_destination-bufferizationmaterializeindestinationop
    """

    name = "bufferization.materialize_in_destination"

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    result = opt_result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    traits = traits_def(
        MaterializeEffects(),
        MaterializeSubset(),
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        restrict: bool = False,
        writable: bool = False,
    ):
        destination = SSAValue.get(dest)
        IRDLOperation.__init__(
            self,
            operands=(source, destination),
            result_types=(
                destination.type if is_tensor_type(destination.type) else None,
            ),
            properties=unit_properties(restrict=restrict, writable=writable),
        )

    def verify_(self) -> None:
        source = cast(Tensor, self.source.type)
        destination = cast(Tensor | MemRef, self.dest.type)
        verify_element_types("source and destination", source, destination)
        from_shape, to_shape = shape_of(source), shape_of(destination)
        if (from_shape is None) != (to_shape is None) or not are_shapes_compatible(
            from_shape, to_shape
        ):
            raise VerifyException(
                f"source and destination differ in their shape: {source} and "
                f"{destination}"
            )
        if is_memref_type(destination):
            if self.result is not None:
                raise VerifyException("has no result when the destination is a memref")
            if self.writable is None:
                raise VerifyException(
                    "needs 'writable' when the destination is a memref"
                )
            return
        if self.result is None:
            raise VerifyException("needs a result when the destination is a tensor")
        if self.result.type != destination:
            raise VerifyException(
                f"the result type {self.result.type} is not the destination's type "
                f"{destination}"
            )
        for flag in ("restrict", "writable"):
            if flag in self.properties:
                raise VerifyException(f"'{flag}' is for memref destinations only")
