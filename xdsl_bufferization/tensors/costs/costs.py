"""
The costs of a program as decided: what a bufferization allocates, copies and keeps alive.

All of that follows from the tensor program: which operands are copied, which memory each model says
its op needs, and in which order ops run. Takes time linear in the program, and for each buffer in
proportion to the values that it may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_uses import (
    BufferUses,
    SpaceOf,
    space_of_buffer,
)
from xdsl_bufferization.tensors.costs.decided_buffers import DecidedProgram
from xdsl_bufferization.tensors.costs.profile import (
    Allocation,
    Cost,
    Profile,
    moves_of,
    profiles,
)


class DecidedFunction:
    """A function with a body that has been analysed, and the memory that it will need."""

    def __init__(
        self,
        function: func.FuncOp,
        analysis: OneShotAnalysis,
        uses: BufferUses,
        program: DecidedProgram,
    ):
        self.function = function
        self.analysis = analysis
        self.uses = uses
        """The uses of its buffers."""
        self.allocations: Sequence[Allocation] = [*uses.allocations(program.space_of)]
        """The memory of known size that it allocates."""
        self.profiles: Mapping[Attribute, Profile] = profiles(self.allocations)
        """The same by memory space."""
        self.spaces_of_results: Sequence[Attribute] = _spaces_of_results(
            function, program.space_of if program.infers else lambda _: None
        )
        """The memory space of each result that is a buffer."""
        info = analysis.program.info(function)
        ops = () if info is None else analysis.program.ops_within(info)
        self._moves = moves_of((o.op for o in ops), uses.bytes)

    @property
    def profile(self) -> Profile:
        """The memory of the default memory space."""
        return self.profiles.get(DEFAULT_SPACE) or Profile()

    @cached_property
    def cost(self) -> Cost:
        """Copies, peaks and moves."""
        peaks = {space: of.peak_of_sizes for space, of in self.profiles.items()}
        return Cost(self.uses.copies, peaks, self._moves)

    @property
    def is_known(self) -> bool:
        """Whether all that is allocated has a known size."""
        return all(self.uses.size(b) is not None for b, _ in self.uses.allocated)

    @property
    def depends_on_order(self) -> bool:
        """Whether the peak may be lower if the ops run in another order."""
        return self.profile.peak > self.profile.footprint

    @property
    def least_peak(self) -> int | None:
        """
        The peak if no order of the ops has a lower one, since one op needs all of it; `None` if
        the peak may depend on the order, or on sizes that are not known.
        """
        if self.cost.depends_on_sizes or self.depends_on_order:
            return None
        return self.profile.peak

    def ops_at_peaks(self) -> Iterator[Operation]:
        """The ops whose memory is alive when most is allocated in its memory space."""
        for profile in self.profiles.values():
            for allocation in profile.above(profile.peak - 1):
                if allocation.op is not None:
                    yield allocation.op


def _spaces_of_results(function: func.FuncOp, space_of: SpaceOf) -> Sequence[Attribute]:
    end = next(iter(returns_of(function)), None)
    return [
        DEFAULT_SPACE if end is None else space_of_buffer(end.operands[index], space_of)
        for index, type in enumerate(function.function_type.outputs)
        if is_memref_type(type) or is_tensor_type(type)
    ]


class Costs(dict[func.FuncOp, DecidedFunction]):
    """
    The memory of the functions with a body of a program, callees first. The program stays as it is,
    and may be changed afterwards.

    Raises `BufferizationError` if it cannot be bufferized.
    """

    def __init__(self, program: AnalysedModule):
        super().__init__()
        decided = DecidedProgram(program.decisions)
        for analysis in program.analyses:
            for info in analysis.program.ops:
                if (
                    isinstance(function := info.op, func.FuncOp)
                    and function.body.blocks
                ):
                    uses = decided.uses_in(function, analysis)
                    self[function] = DecidedFunction(function, analysis, uses, decided)

    def of(self, function: func.FuncOp) -> Cost:
        """The cost of a function."""
        return self[function].cost

    def peak(self, function: func.FuncOp) -> int:
        """The peak of a function in the default memory space, as far as known or assumed."""
        return self[function].profile.peak

    @property
    def depending_on_order(self) -> Sequence[func.FuncOp]:
        """The functions whose peak may be lower if their ops run in another order."""
        return [f for f, decided in self.items() if decided.depends_on_order]


def costs_if_bufferizable(program: AnalysedModule) -> Costs | None:
    """The costs of the program as it is now; `None` if it cannot be bufferized."""
    try:
        costs = program.remember(Costs)
        program.check_rewrite()
    except BufferizationError:
        return None
    return costs
