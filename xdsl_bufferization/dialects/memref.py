"""
xDSL's `memref` dialect with `memref.reshape`, which it lacks, and `memref.rank` of unranked
memrefs.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnySignlessIntegerType,
    AnyUnrankedMemRefTypeConstr,
    IndexType,
    MemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.superset import Redefinition, superset
from xdsl_bufferization.memref_types import has_identity_layout
from xdsl_bufferization.shaped_types import MemRef as AnyMemRef

_ANY_MEMREF: AttrConstraint[AnyMemRef] = (
    MemRefType.constr() | AnyUnrankedMemRefTypeConstr
)


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    The same memory with another shape, whose sizes are the elements of `shape`.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreshape-memrefreshapeop
    """

    name = "memref.reshape"

    source = operand_def(_ANY_MEMREF)
    shape = operand_def(MemRefType[AnySignlessIntegerType | IndexType])
    result = result_def(_ANY_MEMREF)

    traits = traits_def(Pure())

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
        source, result = cast(AnyMemRef, self.source.type), self.result.type
        if source.element_type != result.element_type:
            raise VerifyException(
                f"source and result differ in their element type: {source} and {result}"
            )
        for role, type in (("source", source), ("result", result)):
            if isinstance(type, MemRefType) and not has_identity_layout(
                cast(Attribute, type)
            ):
                raise VerifyException(f"the {role} {type} must not have a layout")
        lengths = cast(MemRefType[Attribute], self.shape.type).get_shape()
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


@irdl_op_definition
class RankOp(Redefinition, memref.RankOp):
    """
    How many dimensions a memref has; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefrank-memrefrankop
    """

    name = "memref.rank"

    source = operand_def(_ANY_MEMREF)
    rank = result_def(IndexType())

    def __init__(self, source: SSAValue | Operation):
        IRDLOperation.__init__(self, operands=(source,), result_types=(IndexType(),))

    def verify_(self) -> None:
        """The types of the fields say it all, but the base's rule is another one."""


MemRef = superset(memref.MemRef, replacing=[RankOp], adding=[ReshapeOp])
