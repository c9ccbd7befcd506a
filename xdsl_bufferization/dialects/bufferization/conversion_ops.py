"""
Ops of the `bufferization` dialect that stand between tensors and memrefs: `to_tensor`,
`to_buffer` and `materialize_in_destination`.

Ops that xDSL has too are subclasses of the classes of xDSL, so that passes which match
those find them; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from abc import ABC
from typing import Self, cast

from xdsl.builder import Builder
from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects.builtin import (
    FunctionType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.bufferization import traits as answers
from xdsl_bufferization.dialects.constraints import ANY_MEMREF, ANY_TENSOR
from xdsl_bufferization.dialects.superset import Redefinition
from xdsl_bufferization.dialects.syntax import (
    parse_attributes,
    parse_flags,
    print_conversion,
    print_flags,
    unit_properties,
)
from xdsl_bufferization.interfaces.subset import WholeInsertion
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    Tensor,
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
    shape_of,
    tensor_type_of,
)


class MaterializeSubset(WholeInsertion):
    """Overwrites all of the destination, a tensor or a memref."""

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        destination = op.operands[1]
        if not is_memref_type(destination.type):
            return destination
        if "restrict" not in op.properties:
            # There may be other tensors in that memory.
            return None
        return builder.insert(ToTensorOp(destination, True, True)).tensor


@irdl_op_definition
class MaterializeInDestinationOp(
    Redefinition, xdsl_bufferization.MaterializeInDestinationOp
):
    """
    Puts the contents of `source` where `dest` is: into the buffer in which that tensor
    will be, then the result is the updated tensor, or into that memref, then there is no
    result and `writable` must be set. `restrict` promises that no other tensor is made
    from that memref.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationmaterialize_in_destination-bufferizationmaterializeindestinationop
    """

    name = "bufferization.materialize_in_destination"

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    result = opt_result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = None

    traits = traits_def(
        answers.MaterializeEffects(),
        answers.MaterializeDestination(),
        answers.MaterializeShape(),
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
        if source.element_type != destination.element_type:
            raise VerifyException(
                f"source and destination differ in their element type: {source} and "
                f"{destination}"
            )
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

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("in")
        properties = parse_flags(parser, "restrict", "writable")
        dest = parser.parse_unresolved_operand()
        attributes = parse_attributes(parser, properties, "restrict", "writable")
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, FunctionType):
            parser.raise_error("expected a function type", position, parser.pos)
        return cls.create(
            operands=parser.resolve_operands(
                (source, dest), type.inputs.data, position
            ),
            result_types=type.outputs.data,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.source)
        printer.print_string(" in")
        print_flags(printer, self, "restrict", "writable")
        printer.print_string(" ")
        printer.print_operand(self.dest)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)


class ToBufferBase(Redefinition, xdsl_bufferization.ToBufferOp, ABC):
    """
    The buffer in which a tensor will be. With `read_only`, neither that nor anything made
    from it is written.
    """

    tensor = operand_def(ANY_TENSOR)
    memref = result_def(ANY_MEMREF)
    read_only = opt_prop_def(UnitAttr)

    assembly_format = None

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
        _verify_same_contents(cast(Tensor, self.tensor.type), self.memref.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        properties = parse_flags(parser, "read_only")
        attributes = parse_attributes(parser, properties, "read_only")
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if is_memref_type(type):
            # The short form, in which the dialect was written at first.
            tensor_type, memref_type = tensor_type_of(type), type
        elif is_tensor_type(type):
            parser.parse_keyword("to")
            tensor_type, memref_type = type, parser.parse_type()
        else:
            parser.raise_error("expected a tensor or memref type", position, parser.pos)
        return cls.create(
            operands=(parser.resolve_operand(name, tensor_type),),
            result_types=(memref_type,),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_conversion(printer, self, "read_only")


@irdl_op_definition
class ToBufferOp(ToBufferBase):
    """
    The buffer in which a tensor will be. With `read_only`, neither that nor anything made
    from it is written.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationto_buffer-bufferizationtobufferop
    """

    name = "bufferization.to_buffer"


@irdl_op_definition
class ToMemrefOp(ToBufferBase):
    """The former name of `bufferization.to_buffer`, which `canonicalize` makes of it."""

    name = "bufferization.to_memref"


@irdl_op_definition
class ToTensorOp(Redefinition, xdsl_bufferization.ToTensorOp):
    """
    The contents of a memref as a tensor.

    `writable` allows bufferization to write the memref. `restrict` promises that no other
    tensor is made from the memref or from one that shares its memory.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationto_tensor-bufferizationtotensorop
    """

    name = "bufferization.to_tensor"

    memref = operand_def(ANY_MEMREF)
    tensor = result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = None

    traits = traits_def(
        Pure(),
        answers.ToTensorResultTypes(),
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
        _verify_same_contents(self.tensor.type, cast(MemRef, self.memref.type))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        properties = parse_flags(parser, "restrict", "writable")
        attributes = parse_attributes(parser, properties, "restrict", "writable")
        parser.parse_punctuation(":")
        position = parser.pos
        memref_type = parser.parse_type()
        if not is_memref_type(memref_type):
            parser.raise_error("expected a memref type", position, parser.pos)
        # Without the result type: the short form, in which it follows from the memref's.
        explicit = parser.parse_optional_keyword("to") is not None
        return cls.create(
            operands=(parser.resolve_operand(name, memref_type),),
            result_types=(
                parser.parse_type() if explicit else tensor_type_of(memref_type),
            ),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_conversion(printer, self, "restrict", "writable")


def _verify_same_contents(tensor: Tensor, memref: MemRef) -> None:
    if tensor.element_type != memref.element_type:
        raise VerifyException(
            f"tensor and memref differ in their element type: {tensor} and {memref}"
        )
    if shape_of(tensor) != shape_of(memref):
        raise VerifyException(
            f"tensor and memref differ in their shape: {tensor} and {memref}"
        )
