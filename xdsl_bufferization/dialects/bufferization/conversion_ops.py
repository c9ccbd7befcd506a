"""
Ops of the `bufferization` dialect that make tensors of memrefs and memrefs of tensors:
`to_buffer`, its former name `to_memref`, and `to_tensor`.

An op that xDSL has, too, is a subclass of xDSL's class, so that passes that match that class
find it; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import (
    ANY_BUFFER_LIKE,
    ANY_TENSOR_LIKE,
    verify_element_types,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    Redefinition,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    unit_properties,
)
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor_like,
    is_tensor_type,
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
