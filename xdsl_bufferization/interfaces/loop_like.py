"""
Loops: their induction variables, and the values that they carry.

    %r = scf.for %i = %lb to %ub step %s iter_args(%a = %init) -> (tensor<8xf32>) {
      ...
      scf.yield %b : tensor<8xf32>
    }
    // induction variable %i: lower %lb, upper %ub, step %s
    // carried: init %init, iteration argument %a, yielded value %b, result %r

Analyses that compare iterations ask for no more than that, so a loop of any dialect is analysed
tile by tile once its model answers. Each answer takes time in proportion to the number of
induction variables.

Source: MLIR's LoopLikeOpInterface, https://mlir.llvm.org/docs/Interfaces/

The loops of an op that computes its results element by element, or by sums over elements.

    linalg.conv_2d_nchw_fchw ins(%x, %w) outs(%y)     // loops n f h w c kh kw
    //   %x[n, c, h + kh, w + kw], %w[f, c, kh, kw], %y[n, f, h, w]; c, kh, kw are summed up

Source: MLIR's TilingInterface and LinalgOp interface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar, NamedTuple

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    Questions,
    answers,
    instance_of,
    sequence_of,
)
from xdsl_bufferization.support.attributes import constant_integer


class InductionVariable(NamedTuple):
    """
    A block argument that is `lower` in the first iteration, grows by `step`, and stays below
    `upper`. Bounds and step are `None` where no one number or value is known.
    """

    value: SSAValue
    lower: SSAValue | int | None = None
    upper: SSAValue | int | None = None
    step: SSAValue | int | None = None
    """Greater than zero."""

    @property
    def numbers(self) -> range | None:
        """The numbers that the variable takes; `None` unless bounds and step are constants."""
        lower, upper, step = map(_number, (self.lower, self.upper, self.step))
        if lower is None or upper is None or step is None or step <= 0:
            return None
        return range(lower, upper, step)


class LoopCarried(NamedTuple):
    """A value that the loop carries from one iteration to the next."""

    argument: BlockArgument
    """The iteration argument: the init in the first iteration."""
    yielded: SSAValue | None
    """
    The iteration argument of the next iteration, or the result after the last one. `None` if
    iterations share the argument: they write parts of it, and the result is what is there then.
    """
    result: OpResult
    """The init if there is no iteration."""


class LoopLikeOpInterface(OpInterface):
    """
    An op with one region of one block, its body, which is executed once for each value of its
    induction variables.

    Iterations may run in parallel. If they do not, of two iterations the later one has the
    larger number in the first induction variable that differs between them.

    MLIR: `LoopLikeOpInterface`.
    """

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable] | None:
        """
        The induction variables, the outermost first: no two iterations have the same values of
        all of them. `None`, the default, if that is not known.

        MLIR: `getLoopInductionVars`, `getLoopLowerBounds`, `getLoopUpperBounds`, `getLoopSteps`.
        """
        return None

    def carried(self, op: Operation, operand: int) -> LoopCarried | None:
        """
        The value that the loop carries, by the index of the operand that is its init. `None`,
        the default, for other operands.

        MLIR: `getTiedLoopRegionIterArg`, `getTiedLoopYieldedValue`, `getTiedLoopResult`.
        """
        return None

    questions: ClassVar[Questions] = answers(
        induction_variables=sequence_of(
            InductionVariable, "InductionVariable"
        ).or_none(),
        carried=instance_of(LoopCarried, "a LoopCarried").or_none(),
    )


def induction_variables(op: Operation) -> Sequence[InductionVariable] | None:
    """The induction variables; `None` if they are not known, or the op is no loop."""
    model = LoopLikeOpInterface.of(op)
    return None if model is None else model.induction_variables(op)


def induction_variable(value: SSAValue) -> InductionVariable | None:
    """The induction variable that the value is; `None` for other values."""
    if not isinstance(value, BlockArgument):
        return None
    loop = value.block.parent_op()
    variables = None if loop is None else induction_variables(loop)
    return next((v for v in variables or () if v.value is value), None)


def trip_count(op: Operation) -> int | None:
    """The number of iterations; `None` if it is not known, or the op is no loop."""
    variables = induction_variables(op)
    if variables is None:
        return None
    count = 1
    for variable in variables:
        if (numbers := variable.numbers) is None:
            return None
        count *= len(numbers)
    return count


def runs_at_least_once(op: Operation) -> bool:
    """Whether the op is a loop whose constant bounds show that it has an iteration."""
    variables = induction_variables(op)
    return variables is not None and all(map(_has_number, variables))


def _has_number(variable: InductionVariable) -> bool:
    lower, upper = _number(variable.lower), _number(variable.upper)
    return lower is not None and upper is not None and lower < upper


def _number(value: SSAValue | int | None) -> int | None:
    return constant_integer(value) if isinstance(value, SSAValue) else value


class LoopNest(NamedTuple):
    """The loops of an op, numbered from the outermost."""

    operands: Sequence[Sequence[int | None]]
    """
    By operand and dimension: the loop whose variable is the index, or `None` for any other
    index. Empty for an operand that is no tensor.
    """
    tileable: AbstractSet[int]
    """
    The loops that occur in no other index, so that a part of their iterations needs a part of
    each dimension that they index, and elements of no other part.
    """
    reductions: Sequence[int]
    """The loops that index no init, in the order in which their iterations are summed up."""

    def dimensions(self, operand: int, loop: int) -> Sequence[int]:
        """The dimensions of an operand that the loop indexes."""
        return [d for d, found in enumerate(self.operands[operand]) if found == loop]

    def can_be_split(self, loop: int) -> bool:
        """
        Whether the op may be computed part of the loop by part, each with the result of the part
        before as its init. A sum keeps its order only if the loop is the outermost reduction.
        """
        return loop in self.tileable and (
            loop not in self.reductions or loop == self.reductions[0]
        )


class LoopNestOpInterface(OpInterface):
    """
    An op in destination-passing style that, with the same properties and regions, computes a
    part of the iterations of one of its loops from parts of its operands.
    """

    @abstractmethod
    def loop_nest(self, op: Operation) -> LoopNest | None:
        """The loops of the op; `None` if its parts are not computed alike."""
