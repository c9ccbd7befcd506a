"""
xDSL's `cf` dialect, with the weights of branches, whose operands are verified.

Source: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import OptPropertyDef
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import refined, with_custom_form
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import (
    has_unknown_properties,
    print_in_generic_form_if,
)


@with_custom_form(
    "$cond (`weights` `(` $branch_weights^ `)`)? `,` "
    "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
    "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict",
)
@refined(properties={"branch_weights": OptPropertyDef(DenseArrayBase.constr(i32))})
class ConditionalBranchOp(cf.ConditionalBranchOp):
    """
    One of two branches; xDSL's op, with weights.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfcond_br-cfcondbranchop
    """

    @property
    def branch_weights(self) -> Attribute | None:
        """The weights of the branches, which say how often either is taken."""
        return self.properties.get("branch_weights")

    def verify_(self) -> None:
        _verify_forwarded(self, self.then_block, self.then_arguments)
        _verify_forwarded(self, self.else_block, self.else_arguments)


class BranchOp(cf.BranchOp):
    """
    A branch; xDSL's op, with what it forwards verified.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfbr-cfbranchop
    """

    def verify_(self) -> None:
        _verify_forwarded(self, self.successor, self.arguments)


class SwitchOp(cf.SwitchOp):
    """
    One of several branches; xDSL's op, with what it forwards verified.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfswitch-cfswitchop
    """

    def verify_(self) -> None:
        _verify_forwarded(self, self.default_block, self.default_operands)
        sizes = self.case_operand_segments.get_values()
        if len(sizes) != len(self.case_blocks) or sum(sizes) != len(self.case_operands):
            raise VerifyException(
                f"case_operand_segments of '{self.name}' do not fit its cases"
            )
        operands = iter(self.case_operands)
        for block, size in zip(self.case_blocks, sizes, strict=True):
            _verify_forwarded(self, block, [*islice(operands, size)])


def _verify_forwarded(op: Operation, block: Block, values: Sequence[SSAValue]) -> None:
    """Raise `VerifyException` if the block does not take the values."""
    wanted = [argument.type for argument in block.args]
    found = [value.type for value in values]
    if wanted != found:
        raise VerifyException(
            f"'{op.name}' forwards ({', '.join(map(str, found))}) to a block that takes "
            f"({', '.join(map(str, wanted))})"
        )


print_in_generic_form_if(has_unknown_properties, [ConditionalBranchOp.name])

EXTENSION = Extension([BranchOp, ConditionalBranchOp, SwitchOp])
