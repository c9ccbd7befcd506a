"""The costs of a program: from the decisions, or from a clone that is rewritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_types import UnknownCostError
from xdsl_bufferization.tensors.costs.decided import (
    DecidedFunction,
    costs_of_functions,
    decided_functions,
)
from xdsl_bufferization.tensors.costs.figures import (
    Copies,
    Cost,
    FunctionCosts,
    LiveMemory,
    alive_above,
    peak_of,
)
from xdsl_bufferization.tensors.costs.moves import moves_of


class Costs:
    """
    The costs of a program, which stays as it is, and may be changed afterwards.

    Raises `BufferizationError` if it cannot be bufferized.
    """

    def __init__(self, program: AnalysedModule):
        self._functions = _costs(program)

    @property
    def functions(self) -> Iterable[func.FuncOp]:
        """The functions of the program."""
        return self._functions

    def copies(self, function: func.FuncOp) -> Copies:
        """The copies in a function of the program."""
        return self._functions[function].copies

    def of(self, function: func.FuncOp) -> Cost:
        """The cost of a function of the program."""
        return self._functions[function].cost

    def spaces_of_results(self, function: func.FuncOp) -> Sequence[Attribute]:
        """The memory space of each result that is a memref."""
        return self._functions[function].spaces_of_results

    def live_memory(
        self, function: func.FuncOp
    ) -> Mapping[Attribute, Sequence[LiveMemory]]:
        """By memory space: the memory that a function of the program allocates."""
        return self._functions[function].live

    def peak(self, function: func.FuncOp) -> int:
        """The peak of a function in the default memory space, as far as known or assumed."""
        return self.of(function).peaks.get(DEFAULT_SPACE, 0)

    def depends_on_sizes(self, function: func.FuncOp) -> bool:
        """Whether the peak of a function depends on sizes that are known at run time only."""
        return bool(self.of(function).run_time_peaks)

    @property
    def depending_on_order(self) -> Sequence[func.FuncOp]:
        """The functions whose peak may be lower if their ops run in another order."""
        return [f for f in self._functions if self.peak(f) > (self.footprint(f) or 0)]

    def footprint(self, function: func.FuncOp) -> int | None:
        """
        The bytes of the default memory space that are live at a time in whatever order the ops
        run, as far as that follows from the decisions.
        """
        footprints = self._functions[function].footprints
        return None if footprints is None else footprints.get(DEFAULT_SPACE, 0)

    def least_peak(self, function: func.FuncOp) -> int | None:
        """
        The peak of a function if no order of its ops has a lower one, since one op needs all of
        it; `None` if the peak may depend on the order, or on sizes that are not known.
        """
        if self.depends_on_sizes(function):
            return None
        peak = self.peak(function)
        return peak if peak <= (self.footprint(function) or 0) else None

    def ops_at_peaks(self, function: func.FuncOp) -> Iterator[Operation]:
        """The ops whose memory is alive when most is allocated in its memory space."""
        for live in self.live_memory(function).values():
            for memory in alive_above(live, peak_of(live) - 1):
                if memory.op is not None:
                    yield memory.op


def costs_if_bufferizable(program: AnalysedModule) -> Costs | None:
    """The costs of the program as it is now; `None` if it cannot be bufferized."""
    try:
        costs = program.remember(Costs)
        program.check_rewrite()
    except BufferizationError:
        return None
    return costs


def memory_as_decided(program: AnalysedModule) -> Sequence[DecidedFunction]:
    """
    The memory that the functions of the program will need; see `decided_functions`.

    Raises `UnknownCostError` if no costs are known, and `BufferizationError` if the program
    cannot be bufferized.
    """
    return decided_functions(program.decisions)


def _costs(program: AnalysedModule) -> Mapping[func.FuncOp, FunctionCosts]:
    try:
        return costs_of_functions(program.remember(memory_as_decided))
    except UnknownCostError:
        return _costs_when_rewritten(program)


def _costs_when_rewritten(
    program: AnalysedModule,
) -> Mapping[func.FuncOp, FunctionCosts]:
    clone = program.on_buffers
    # Few programs have ops of unknown costs.
    from xdsl_bufferization.tensors.costs.rewritten import costs_on_buffers

    return {
        op: costs_on_buffers(on_buffers, clone.origin, moves_of(op))
        for op, on_buffers in clone.ops.items()
        if isinstance(op, func.FuncOp) and isinstance(on_buffers, func.FuncOp)
    }
