"""
Ops of the `bufferization` dialect that allocate, copy and free memory: `alloc_tensor`, `clone`,
`dealloc` and `dealloc_tensor`.

Ops that xDSL has too are subclasses of the classes of xDSL, so that passes which match
those find them; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.builder import Builder
from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    MessageConstraint,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.bufferization import traits as answers
from xdsl_bufferization.dialects.constraints import ANY_MEMREF, ANY_TENSOR
from xdsl_bufferization.dialects.superset import Redefinition
from xdsl_bufferization.dialects.syntax import (
    parse_typed_operands,
    print_typed_operands,
)
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.support.shaped_types import are_cast_compatible


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


class CloneAllocation(AllocationOpInterface):
    """Freed with `memref.dealloc`, copied with another clone."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        return builder.insert(memref.DeallocOp.get(allocated))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        return builder.insert(CloneOp(allocated)).output


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
        CloneAllocation(),
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

    traits = traits_def(answers.DeallocResultTypes())

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
