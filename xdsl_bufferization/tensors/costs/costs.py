"""The costs of a program, from the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.decided import DecidedFunction, decided_functions
from xdsl_bufferization.tensors.costs.figures import Copies, Cost
from xdsl_bufferization.tensors.costs.profile import Profile


class Costs:
    """
    The costs of the functions with a body of a program, which stays as it is, and may be changed
    afterwards.

    Raises `BufferizationError` if it cannot be bufferized.
    """

    def __init__(self, program: AnalysedModule):
        self.decided: Sequence[DecidedFunction] = decided_functions(program.decisions)
        """The memory of the functions, callees first."""
        self._functions = {decided.function: decided for decided in self.decided}

    @property
    def functions(self) -> Iterable[func.FuncOp]:
        """The functions."""
        return self._functions

    def decided_of(self, function: func.FuncOp) -> DecidedFunction:
        """The memory of a function."""
        return self._functions[function]

    def copies(self, function: func.FuncOp) -> Copies:
        """The copies in a function."""
        return self._functions[function].copies

    def of(self, function: func.FuncOp) -> Cost:
        """The cost of a function."""
        return self._functions[function].cost

    def spaces_of_results(self, function: func.FuncOp) -> Sequence[Attribute]:
        """The memory space of each result that is a buffer."""
        return self._functions[function].spaces_of_results

    def profiles(self, function: func.FuncOp) -> Mapping[Attribute, Profile]:
        """By memory space: the memory that a function allocates."""
        return self._functions[function].profiles

    def profile(self, function: func.FuncOp) -> Profile:
        """The memory of the default memory space that a function allocates."""
        return self._functions[function].profile

    def peak(self, function: func.FuncOp) -> int:
        """The peak of a function in the default memory space, as far as known or assumed."""
        return self.profile(function).peak

    def depends_on_sizes(self, function: func.FuncOp) -> bool:
        """Whether the peak of a function depends on sizes that are known at run time only."""
        return self.of(function).depends_on_sizes

    @property
    def depending_on_order(self) -> Sequence[func.FuncOp]:
        """The functions whose peak may be lower if their ops run in another order."""
        return [f for f in self._functions if self.peak(f) > self.profile(f).footprint]

    def least_peak(self, function: func.FuncOp) -> int | None:
        """
        The peak of a function if no order of its ops has a lower one, since one op needs all of
        it; `None` if the peak may depend on the order, or on sizes that are not known.
        """
        if self.depends_on_sizes(function):
            return None
        peak = self.peak(function)
        return peak if peak <= self.profile(function).footprint else None

    def ops_at_peaks(self, function: func.FuncOp) -> Iterator[Operation]:
        """The ops whose memory is alive when most is allocated in its memory space."""
        for profile in self.profiles(function).values():
            for allocation in profile.above(profile.peak - 1):
                if allocation.op is not None:
                    yield allocation.op


def costs_if_bufferizable(program: AnalysedModule) -> Costs | None:
    """The costs of the program as it is now; `None` if it cannot be bufferized."""
    try:
        costs = program.remember(Costs)
        program.check_rewrite()
    except BufferizationError:
        return None
    return costs
