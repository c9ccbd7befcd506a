"""
Ops of the `bufferization` dialect that copy and free memrefs: `clone` and `dealloc`.

An op that xDSL has, too, is a subclass of xDSL's class, so that passes that match that class
find it; see `Redefinition`.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    ANY_MEMREF,
    Redefinition,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    inferred,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    memref_type,
    shape_of,
)


class CloneEffects(MemoryEffect):
    """Reads the input, allocates and writes the output."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {
            EffectInstance(MemoryEffectKind.READ, op.operands[0]),
            EffectInstance(MemoryEffectKind.ALLOC, op.results[0]),
            EffectInstance(MemoryEffectKind.WRITE, op.results[0]),
        }


class CloneCopy(CopyOpInterface):
    """From the operand to the result."""

    def target(self, op: Operation) -> SSAValue:
        return op.results[0]


@irdl_op_definition
class CloneOp(Redefinition, xdsl_bufferization.CloneOp):
    """
    A memref with the contents of another one, as a copy or as an alias. Neither of the two
    may be written afterwards.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationclone-bufferizationcloneop
    """

    name = "bufferization.clone"

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    traits = traits_def(
        CloneEffects(),
        CloneCopy(),
    )

    def __init__(
        self, input: SSAValue | Operation, result_type: Attribute | None = None
    ):
        source = SSAValue.get(input)
        IRDLOperation.__init__(
            self, operands=(source,), result_types=(result_type or source.type,)
        )

    def verify_(self) -> None:
        source = memref_type(self.input.type)
        target = self.output.type
        if source.element_type != target.element_type or not are_shapes_compatible(
            shape_of(source), shape_of(target)
        ):
            raise VerifyException(f"cannot copy {source} to {target}")


class DeallocResultTypes(InferTypeOpInterface):
    """One `i1` for each retained memref."""

    def infer_result_types(self, op: Operation) -> Sequence[Attribute]:
        # Each memref to deallocate has a condition, and everything else is retained.
        conditions = sum(operand.type == i1 for operand in op.operands)
        return (i1,) * (len(op.operands) - 2 * conditions)


@with_custom_form(
    "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? "
    "(`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict "
    "custom<Ownership>(ref(type($retained)), type($updated_conditions))",
    Ownership=inferred(lambda retained: (i1,) * len(retained)),
)
@irdl_op_definition
class DeallocOp(IRDLOperation):
    """
    Frees each of `memrefs` whose condition holds and that aliases none of `retained`;
    memory of several of them is freed once.

    The results are the ownership of each retained memref: whether the condition of a
    memref that aliases it holds.

    https://mlir.llvm.org/docs/Dialects/BufferizationOps/#bufferizationdealloc-bufferizationdeallocop
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(i1)
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(DeallocResultTypes())

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
