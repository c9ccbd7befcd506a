"""Where the buffers of tensors come from, given which tensors are equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import AliasingValue
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.states import KnownEquivalences


class SourcesGiven:
    """
    The sources of tensors, each with how its buffer relates to the tensor's.

    How it relates may depend on which tensors are equivalent: a loop's result is in the buffer
    of its init if each iteration yields its argument. The model is asked about
    an operand once, when the first result that may share its buffer is, so the tensors in the
    op's regions have to be in their classes by then.
    """

    def __init__(
        self,
        program: TensorProgram,
        is_equivalent: Callable[[SSAValue, SSAValue], bool],
    ):
        self._state = KnownEquivalences(program, is_equivalent)
        self._aliases: dict[TensorOperand, Mapping[SSAValue, AliasingValue]] = {}
        """By operand of an op with regions, then by value."""

    def of(self, value: ValueInfo) -> Iterator[tuple[TensorOperand, AliasingValue]]:
        """The operands whose buffer the tensor may share, and how it relates to each."""
        for operand, alias in value.sources:
            if may_depend(operand, value):
                yield operand, self._of_operand(operand).get(value.value, alias)
            else:
                yield operand, alias

    def _of_operand(self, operand: TensorOperand) -> Mapping[SSAValue, AliasingValue]:
        if operand not in self._aliases:
            info = operand.owner
            assert info.model is not None
            self._aliases[operand] = {
                alias.value: alias
                for alias in info.model.aliasing_values(
                    info.op, operand.index, self._state
                )
            }
        return self._aliases[operand]


def sources_may_depend(program: TensorProgram) -> bool:
    """Whether how any tensor relates to its sources may depend on which are equivalent."""
    return any(info.op.regions and not info.is_known for info in program.ops)


def may_depend(operand: TensorOperand, value: ValueInfo) -> bool:
    """Whether how the two relate may depend on which tensors are equivalent."""
    info = operand.owner
    return not info.is_known and info is value.owner and bool(info.op.regions)
