"""
The `bufferization` dialect: xDSL's, with ops that it lacks, with ops that accept what xDSL's
reject, and with canonicalization patterns. Here are the ops that copy and free memrefs, `clone` and
`dealloc`.

Commands that do not call this package have ops that read and verify everything that this package
prints, with the traits of xDSL's classes, so that `dce`, `cse` and `canonicalize` do to them what
xDSL alone does: it erases no `bufferization.to_tensor`, since it knows nothing of its effects.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import cast

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

from xdsl_bufferization.dialects.bufferization.tensor_ops import (
    AllocTensorOp,
    DeallocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToMemrefOp,
    ToTensorOp,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    ANY_MEMREF,
    Patterns,
    Redefinition,
    canonicalization,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    inferred,
)
from xdsl_bufferization.host.extensions import Extension, refined_class
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


__all__ = [
    "AllocTensorOp",
    "Bufferization",
    "CloneOp",
    "DeallocOp",
    "DeallocTensorOp",
    "MaterializeInDestinationOp",
    "ToBufferOp",
    "ToMemrefOp",
    "ToTensorOp",
]


def _patterns(name: str) -> Patterns:
    """The patterns of that name, imported on first use: most programs are not canonicalized."""
    return lambda: getattr(import_module(f"{__name__}.patterns"), name)


# The patterns build the ops, so they are added once the ops are defined.
for op, name in (
    (AllocTensorOp, "ALLOC_TENSOR"),
    (CloneOp, "CLONE"),
    (DeallocOp, "DEALLOC"),
    (MaterializeInDestinationOp, "MATERIALIZE"),
    (ToBufferOp, "TO_BUFFER"),
    (ToMemrefOp, "TO_BUFFER"),
    (ToTensorOp, "TO_TENSOR"),
):
    op.traits.add_trait(canonicalization(_patterns(name)))


def _without_effects(op: type[Operation]) -> type[Operation]:
    """The redefinition, with the traits of the class that it refines."""
    base = cast("type[Operation]", refined_class(op))
    members = {"__doc__": op.__doc__, "__module__": __name__, "traits": base.traits}
    return type(f"{op.__name__}WithoutEffects", (op,), members)


WITHOUT_EFFECTS = [
    _without_effects(op)
    for op in (
        AllocTensorOp,
        CloneOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToTensorOp,
    )
]
"""The redefinitions that every context has."""

# For imports by name, and pickle.
globals().update((op.__name__, op) for op in WITHOUT_EFFECTS)

EXTENSION = Extension(
    [
        AllocTensorOp,
        CloneOp,
        DeallocOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToMemrefOp,
        ToTensorOp,
    ],
    always=WITHOUT_EFFECTS,
)

Bufferization = EXTENSION.redefining(xdsl_bufferization.Bufferization)
