"""How affine loops and conditionals bufferize, as those of scf; and what affine maps compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineExpr,
)

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.loop_like import InductionVariable
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.interfaces.sizes import (
    IndexArithmeticOpInterface,
)
from xdsl_bufferization.memrefs.sizes.arithmetic import LinearArithmetic
from xdsl_bufferization.models.shared.region_ops import (
    ConditionalModel,
    LoopModel,
    YieldModel,
)
from xdsl_bufferization.support.attributes import attribute, known_attribute


class ForModel(LoopModel):
    """`affine.for`: its inits are after the operands of its bounds."""

    def first_init(self, op: Operation) -> int:
        return len(op.operands) - len(op.results)

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable]:
        step = attribute(op, "step")
        return (
            InductionVariable(
                op.regions[0].block.args[0],
                _constant_result(op, "lowerBoundMap"),
                _constant_result(op, "upperBoundMap"),
                step.value.data if isinstance(step, IntegerAttr) else None,
            ),
        )


class MinArithmetic(IndexArithmeticOpInterface):
    """`affine.min`: no more than the least constant among the results of its map."""

    def upper_bound(self, op: Operation) -> int | None:
        constants = (
            r.value for r in _results(op, "map") if isinstance(r, AffineConstantExpr)
        )
        return min(constants, default=None)


def _results(op: Operation, name: str) -> Sequence[AffineExpr]:
    return known_attribute(op, name, AffineMapAttr).data.results


def _constant_result(op: Operation, name: str) -> int | None:
    """The result of a bound's map, if it is one constant."""
    match _results(op, name):
        case (AffineConstantExpr(value=number),):
            return number
        case _:
            return None


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("affine.apply", LinearArithmetic())
    register_model("affine.for", ForModel())
    register_model("affine.if", ConditionalModel())
    register_model("affine.min", MinArithmetic())
    register_model("affine.yield", YieldModel())
    register_model("affine.*", BufferEffectsOpInterface())
    register_model("affine.*", RegionBranchOpInterface())
