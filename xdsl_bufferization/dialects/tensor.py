"""
xDSL's `tensor` dialect with `tensor.generate` and `tensor.rank`, which it lacks.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorTypeConstr,
    AnyUnrankedTensorTypeConstr,
    IndexType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import (
    HasCanonicalizationPatternsTrait,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.superset import superset


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """
    A tensor each of whose elements is what the body yields for its position.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgenerate-tensorgenerateop
    """

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType())
    body = region_def("single_block")
    result = result_def(AnyTensorTypeConstr)

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    def __init__(
        self,
        dynamic_extents: Sequence[SSAValue | Operation],
        body: Region,
        result_type: TensorType[Attribute],
    ):
        super().__init__(
            operands=(dynamic_extents,), regions=(body,), result_types=(result_type,)
        )

    def verify_(self) -> None:
        type = self.result.type
        unknown = type.get_shape().count(DYNAMIC_INDEX)
        if len(self.dynamic_extents) != unknown:
            raise VerifyException(
                f"needs {unknown} dynamic sizes for {type}, but has "
                f"{len(self.dynamic_extents)}"
            )
        block = self.body.block
        if any(argument.type != IndexType() for argument in block.args):
            raise VerifyException("the body's arguments must be of type index")
        if len(block.args) != type.get_num_dims():
            raise VerifyException(
                f"the body must have {type.get_num_dims()} arguments, one for each "
                f"dimension, but has {len(block.args)}"
            )
        yielded = block.last_op
        if not isinstance(yielded, tensor.YieldOp) or yielded.operand_types != (
            type.element_type,
        ):
            raise VerifyException(
                f"the body must end with a tensor.yield of one {type.element_type}"
            )


class RankCanonicalization(HasCanonicalizationPatternsTrait):
    """A rank that is known."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl_bufferization.transforms.canonicalization_patterns.tensor import (
            RankOfRanked,
        )

        return (RankOfRanked(),)


@irdl_op_definition
class RankOp(IRDLOperation):
    """
    How many dimensions a tensor has.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorrank-tensorrankop
    """

    name = "tensor.rank"

    tensor = operand_def(AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr)
    result = result_def(IndexType())

    traits = traits_def(Pure(), RankCanonicalization())

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,), result_types=(IndexType(),))


Tensor = superset(tensor.Tensor, adding=[GenerateOp, RankOp])
