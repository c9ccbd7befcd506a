"""
Splits chains at the peak, as long as the peak falls.

In each round, the tensors that are live at a peak and have one use are candidates, the largest
first. The chain of the first one with which the function gets better is computed in parts: its peak
is lower, or as high at fewer places. All dimensions and destinations are tried, the best is taken,
and the others are undone. A round tries about `MAX_SPLIT_TRIALS` programs, and costs are computed
from decisions, so the time is that of as many analyses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

from xdsl.dialects import func, scf
from xdsl.ir import OpResult, SSAValue

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.support.limits import (
    MAX_SPLIT_CHAINS,
    MAX_SPLIT_TENSORS,
    MAX_SPLIT_TRIALS,
)
from xdsl_bufferization.support.shaped_types import is_static_tensor, ranked_shape
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.search import Candidates, Limits, Score, Search
from xdsl_bufferization.tensors.split.chains import (
    Chain,
    chain_through,
)
from xdsl_bufferization.tensors.split.tiled_chain import compute_in_parts, destinations


def split_at_peak(program: AnalysedModule, max_parts: int) -> None:
    """
    Split chains of an analysed module in at most so many parts each, where the peak of a function
    falls and it copies and moves no more.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if any(isinstance(op, (ToTensorOp, ToBufferOp)) for op in walk([program.module])):
        # Memory may be written between the place of an op and that of its chain.
        return
    for function in program.remember(Costs).functions:
        _Split(program, function, max_parts).run()


class _Split:
    """Splits the chains of one function."""

    def __init__(self, program: AnalysedModule, function: func.FuncOp, max_parts: int):
        self._program = program
        self._function = function
        self._max_parts = max_parts
        self._loops: set[scf.ForOp] = set()
        self._new: scf.ForOp | None = None
        """The loop of the last candidate."""
        self._best: scf.ForOp | None = None
        """The loop of the best candidate, if one is better."""

    def run(self) -> None:
        changes = self._program.changes
        position = changes.position
        peak = self._program.remember(Costs).peak(self._function)
        for _ in MAX_SPLIT_CHAINS.steps():
            if not self._improve():
                break
            now = self._program.remember(Costs).peak(self._function)
            if now < peak:
                position, peak = changes.position, now
        if changes.position > position:
            # Fewer places with the same peak are no gain in the end.
            changes.undo(position)
            self._program.has_changed()

    def _improve(self) -> bool:
        """Split the first chain that makes the function better; whether there is one."""
        costs = self._program.remember(Costs)
        search = Search(
            self._program,
            {self._function: self._candidates([*self._ways()])},
            Limits(costs.functions, costs),
            _height,
            self._split,
        )
        scores = {self._function: _height(self._function, costs)}
        if not search.run(scores, Log(())) or self._best is None:
            return False
        self._loops.add(self._best)
        return True

    def _candidates(self, of_tensors: Sequence[Sequence[_Way]]) -> Candidates[_Way]:
        """All ways to split the chains through one tensor, then the next if none is better."""
        self._best = None
        tries = 0
        for ways in of_tensors:
            if MAX_SPLIT_TRIALS.exceeded_by(tries + 1):
                return
            for way in ways:
                tries += 1
                _, _, is_better = yield way
                if is_better:
                    self._best = self._new
            if self._best is not None:
                return

    def _split(self, ways: Mapping[func.FuncOp, _Way]) -> None:
        """Split a chain in this way."""
        changes = self._program.changes
        for chain, parts, destination in ways.values():
            self._new = compute_in_parts(chain, parts, destination, changes)
        self._program.has_changed()

    def _ways(self) -> Iterator[Sequence[_Way]]:
        """The ways to split the chains through each tensor."""
        for value in self._tensors():
            yield [
                _Way(chain, parts, destination)
                for chain, parts in self._chains(value)
                for destination in destinations(chain)
            ]

    def _tensors(self) -> Sequence[OpResult]:
        """Tensors that are live at a peak, outside of the loops that have been made."""
        live = [v for v in self._live_at_peaks() if v.op.parent_op() not in self._loops]
        return MAX_SPLIT_TENSORS.first(sorted(live, key=_size, reverse=True))

    def _chains(self, value: OpResult) -> Iterator[tuple[Chain, int]]:
        """The chains through a tensor, with the numbers of parts."""
        for dimension, extent in enumerate(ranked_shape(value)):
            divisors = (n for n in range(self._max_parts, 1, -1) if not extent % n)
            parts = next(divisors, 0)
            chain = parts and chain_through(value, dimension)
            if chain:
                yield chain, parts

    def _live_at_peaks(self) -> Iterator[OpResult]:
        """The tensors of one use that are live where the peak is."""
        decided = self._program.remember(Costs).decided_of(self._function)
        profile, points = decided.profile, decided.uses.points
        peak, steps = profile.peak, profile.steps
        spans = [(a, b) for (a, bytes_), (b, _) in pairwise(steps) if bytes_ == peak]
        for op in points.at:
            for result in () if op is None else op.results:
                user = result.get_user_of_unique_use()
                if (
                    op is not None
                    and user is not None
                    and is_static_tensor(result.type)
                    and points.is_reached(user)
                ):
                    start = points.position(op) * SCALE
                    end = points.end(user) * SCALE
                    if any(start < b and a <= end for a, b in spans):
                        yield result


def _height(function: func.FuncOp, costs: Costs) -> Score:
    """The peak in bytes, and the number of places at which as much is live."""
    profile = costs.profile(function)
    peak = profile.peak
    return peak, sum(bytes_ == peak for _, bytes_ in profile.steps)


class _Way(NamedTuple):
    """A chain, the number of its parts, and the tensor that the parts are inserted into."""

    chain: Chain
    parts: int
    destination: SSAValue | None


def _size(value: OpResult) -> int:
    """The number of elements."""
    return prod(ranked_shape(value))
