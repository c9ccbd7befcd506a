"""
The `bufferization` dialect: what stands between tensors and memrefs.

Ops that xDSL has too are subclasses of xDSL's, so that passes which match xDSL's classes
find them; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    FunctionType,
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
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
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects import bufferization_traits as answers
from xdsl_bufferization.dialects.superset import Redefinition, share_traits, superset
from xdsl_bufferization.dialects.syntax import (
    parse_attributes,
    parse_flags,
    parse_typed_operands,
    print_conversion,
    print_flags,
    print_typed_operands,
    unit_properties,
)
from xdsl_bufferization.shaped_types import (
    MemRef,
    Tensor,
    are_cast_compatible,
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
    shape_of,
    tensor_type_of,
)

ANY_TENSOR: AttrConstraint[Tensor] = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr
ANY_MEMREF: AttrConstraint[MemRef] = MemRefType.constr() | AnyUnrankedMemRefTypeConstr


@irdl_op_definition
class AllocTensorOp(Redefinition, xdsl_bufferization.AllocTensorOp):
    """
    A new tensor in a buffer of its own.

    Its sizes are those of the result type, the unknown ones given by `dynamic_sizes`; its
    contents are those of `copy`, or undefined. The buffer is in `memory_space`, by
    default the one of `copy`'s buffer. `size_hint` is the expected number of non-zero
    elements of a sparse tensor.

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
        answers.AllocTensorEffects(),
        answers.AllocTensorCanonicalization(),
        answers.AllocTensorShape(),
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
class CloneOp(Redefinition, xdsl_bufferization.CloneOp):
    """
    A memref with the contents of another one: a copy, or the same memory. Neither of the
    two may be written afterwards.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationclone-bufferizationcloneop
    """

    name = "bufferization.clone"

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    traits = traits_def(
        answers.CloneEffects(),
        answers.CloneCanonicalization(),
        answers.CloneAllocation(),
        answers.CloneCopy(),
    )

    def __init__(
        self, input: SSAValue | Operation, result_type: Attribute | None = None
    ):
        source = SSAValue.get(input)
        IRDLOperation.__init__(
            self, operands=(source,), result_types=(result_type or source.type,)
        )

    def verify_(self) -> None:
        source, target = self.input.type, self.output.type
        if source != target and not are_cast_compatible(source, target):
            raise VerifyException(f"cannot cast {source} to {target}")


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """
    Frees each of `memrefs` whose condition holds and that shares no memory with any of
    `retained`; memory that several of them share is freed once.

    The result is, for each retained memref, whether it is owned now: whether the
    condition holds for one of `memrefs` that shares memory with it.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationdealloc-bufferizationdeallocop
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(i1)
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(answers.DeallocCanonicalization(), answers.DeallocResultTypes())

    def __init__(
        self,
        memrefs: Sequence[SSAValue | Operation] = (),
        conditions: Sequence[SSAValue | Operation] = (),
        retained: Sequence[SSAValue | Operation] = (),
    ):
        super().__init__(
            operands=(memrefs, conditions, retained),
            result_types=((i1,) * len(retained),),
        )

    def verify_(self) -> None:
        memrefs, conditions = len(self.memrefs), len(self.conditions)
        if memrefs != conditions:
            raise VerifyException(
                "needs one condition for each memref to deallocate, but has "
                f"{conditions} for {memrefs}"
            )
        retained, results = len(self.retained), len(self.updated_conditions)
        if retained != results:
            raise VerifyException(
                f"needs one result for each retained memref, but has {results} for "
                f"{retained}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memrefs: Sequence[SSAValue] = ()
        conditions: Sequence[SSAValue] = ()
        retained: Sequence[SSAValue] = ()
        if parser.parse_optional_punctuation("("):
            memrefs = parse_typed_operands(parser)
            parser.parse_keyword("if")
            position = parser.pos
            names = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )
            conditions = parser.resolve_operands(names, (i1,) * len(names), position)
        if parser.parse_optional_keyword("retain"):
            parser.parse_punctuation("(")
            retained = parse_typed_operands(parser)
        op = cls(memrefs, conditions, retained)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.memrefs:
            printer.print_string(" ")
            print_typed_operands(printer, self.memrefs)
            printer.print_string(" if (")
            printer.print_list(self.conditions, printer.print_operand)
            printer.print_string(")")
        if self.retained:
            printer.print_string(" retain ")
            print_typed_operands(printer, self.retained)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """
    Frees the buffer in which the tensor is, or its sparse storage.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationdealloc_tensor-bufferizationdealloctensorop
    """

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,))


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
        answers.MaterializeCanonicalization(),
        answers.MaterializeDestination(),
        answers.MaterializeShape(),
        answers.MaterializeSubset(),
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
        Pure(), answers.ToBufferFolder(), answers.ToBufferCanonicalization()
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
        answers.ToTensorFolder(),
        answers.ToTensorCanonicalization(),
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


Bufferization = superset(
    xdsl_bufferization.Bufferization,
    replacing=[
        AllocTensorOp,
        CloneOp,
        DeallocOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToMemrefOp,
        ToTensorOp,
    ],
)

share_traits(AllocTensorOp, xdsl_bufferization.AllocTensorOp)
share_traits(CloneOp, xdsl_bufferization.CloneOp)
share_traits(MaterializeInDestinationOp, xdsl_bufferization.MaterializeInDestinationOp)
share_traits(ToBufferOp, xdsl_bufferization.ToBufferOp)
share_traits(ToTensorOp, xdsl_bufferization.ToTensorOp)
