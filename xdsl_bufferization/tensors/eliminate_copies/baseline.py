"""
The costs that functions must not exceed: those of the program as it came, or after
`eliminate-empty-tensors` where that is no worse.

    %l = tensor.extract_slice %u[0] [62] [1]      // computing %s in %u copies %l and %r: worse
    %r = tensor.extract_slice %u[2] [62] [1]
    %s = linalg.add ins(%l, %r) outs(%empty)
    %n = tensor.insert_slice %s into %u[1] [62] [1]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Attribute

from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.figures import Cost
from xdsl_bufferization.tensors.costs.run_time_peaks import raised


class Baseline:
    """
    By function, what it costs if nothing is changed, and what it may cost: `max_peak_increase`
    percent more memory at the peak than before, and no more copies or bytes.

    `came` are the costs of the program as it came, `after` those after
    `eliminate-empty-tensors`.
    """

    def __init__(
        self,
        functions: Iterable[func.FuncOp],
        came: Costs,
        after: Costs,
        max_peak_increase: int,
    ):
        self.costs: dict[func.FuncOp, Cost] = {}
        """The cost of each function, with empty tensors eliminated where that is no worse."""
        self.limits: dict[func.FuncOp, Cost] = {}
        """The limits of each function."""
        self._bases: dict[func.FuncOp, Mapping[Attribute, int]] = {}
        """The peaks that percentages are of."""
        self.made_worse: AbstractSet[func.FuncOp]
        """The functions for which `eliminate-empty-tensors` is not done."""
        self._spaces = {f: came.spaces_of_results(f) for f in functions}
        worse: set[func.FuncOp] = set()
        for function in self._spaces:
            former, cost = came.of(function), after.of(function)
            self.limits[function] = _raised(
                former, former, _bases(former, former), max_peak_increase
            )
            if self.is_exceeded(function, after):
                worse.add(function)
                cost = former
            self.costs[function] = cost
            self._bases[function] = bases = _bases(cost, former)
            self.limits[function] = _raised(cost, former, bases, max_peak_increase)
        self.made_worse = worse

    def limits_of(self, functions: Iterable[func.FuncOp]) -> Mapping[func.FuncOp, Cost]:
        """The limits of each of these functions."""
        return {function: self.limits[function] for function in functions}

    def is_exceeded(self, function: func.FuncOp, costs: Costs) -> bool:
        """Whether a function costs more than it may, or returns memory of another space."""
        return (
            not costs.of(function).is_no_more_than(self.limits[function])
            or costs.spaces_of_results(function) != self._spaces[function]
        )

    def percent_for(self, function: func.FuncOp, cost: Cost) -> int | None:
        """The least `max_peak_increase` that allows these peaks; `None` if none does."""
        percent = 0
        for space, peak in cost.peaks.items():
            base = self._bases[function].get(space, 0)
            if peak and not base:
                return None
            if peak:
                percent = max(percent, -(-100 * peak // base) - 100)
        return percent

    def is_improved(self, function: func.FuncOp, costs: Costs) -> bool:
        """Whether a function copies less, or uses less memory than as it came."""
        former, cost = self.costs[function], costs.of(function)
        return (
            cost.copies != former.copies
            or any(cost.peaks.get(s, 0) < peak for s, peak in former.peaks.items())
            or (function in self.made_worse and cost != former)
        )


def _bases(cost: Cost, former: Cost) -> Mapping[Attribute, int]:
    """The lower ones of the peaks of two costs, for each space of the first."""
    return {s: min(peak, former.peaks.get(s, 0)) for s, peak in cost.peaks.items()}


def _raised(
    cost: Cost, former: Cost, bases: Mapping[Attribute, int], percent: int
) -> Cost:
    """
    The cost with peaks that are so much higher than the bases, or stay; where they depend on sizes
    that are known at run time only, than the former ones.
    """
    peaks: Mapping[Attribute, int] = {
        space: max(peak, bases[space] * (100 + percent) // 100)
        for space, peak in cost.peaks.items()
    }
    run_time_peaks = cost.run_time_peaks
    if percent:
        run_time_peaks = {
            s: raised(peak, percent) for s, peak in former.run_time_peaks.items()
        }
    return cost._replace(peaks=peaks, run_time_peaks=run_time_peaks)
