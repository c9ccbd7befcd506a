"""The search of `eliminate-copies`: no candidate next to the one that it keeps is better."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import OPTIONS
from tests.fuzzing.strategy import families_here
from tests.fuzzing.trials import read
from tests.peer import find_mlir_tools
from tests.programs import generate_program
from tests.slow import first_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.costs.costs import Costs, costs_if_bufferizable
from xdsl_bufferization.tensors.edits import Omitted
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies
from xdsl_bufferization.tensors.eliminate_copies.elimination import Elimination
from xdsl_bufferization.tensors.search import Score, traffic_and_peak


def random_module(seed: int) -> ModuleOp:
    """One function of one or two families, of at most twelve ops on tensors."""
    families = families_here()
    first = families[seed % len(families)]
    second = families[seed // len(families) % len(families)]
    ops = 4 + seed % 9
    program = generate_program(Random(seed), {first, second}, functions=1, ops=ops)
    return read(program.text, find_mlir_tools())


class Neighbours:
    """What `eliminate-copies` keeps of a function, and candidates with one edit more or less."""

    def __init__(self, elimination: Elimination):
        program, (function,) = elimination.program, elimination.limits.functions
        self._elimination = elimination
        self._function = function
        self.kept: Score = traffic_and_peak(function, program.remember(Costs))
        log = program.changes.undo(elimination.start)
        self.scores = [*self._try_all(elimination.left_out[function].best)]
        program.changes.redo(log, [function])
        elimination.choose_layouts(frozenset(program.improved))
        program.has_changed()

    def _try_all(self, best: Omitted) -> Iterator[Score]:
        elimination, pending = self._elimination, [best]
        for omitted in pending:
            elimination.program.has_changed()
            with suppress(BufferizationError):
                elimination.attempt({self._function: omitted})
                if omitted is best:
                    edits = *elimination.made(self._function), *best.edits
                    pending += [best._replace(edits=best.edits ^ {e}) for e in edits]
                costs = costs_if_bufferizable(elimination.program)
                if costs is not None and not elimination.limits.are_exceeded_by(
                    self._function, costs
                ):
                    yield traffic_and_peak(self._function, costs)
            elimination.program.changes.undo(elimination.start)


@pytest.mark.parametrize("seeds", first_of(20, range(1000), 50))
def test_no_edit_more_or_less_is_better(seeds: range, monkeypatch: pytest.MonkeyPatch):
    found: list[Neighbours] = []
    run = Elimination.run

    def compare(elimination: Elimination) -> None:
        run(elimination)
        # What is best for a function may depend on what is kept of those that it calls.
        if len(elimination.limits.functions) == 1:
            found.append(Neighbours(elimination))

    monkeypatch.setattr(Elimination, "run", compare)
    for seed in seeds:
        try:
            eliminate_copies(random_module(seed), OPTIONS)
        except BufferizationError:
            continue
        for neighbours in found:
            executed, _, peak = neighbours.kept
            assert not [
                score
                for score in neighbours.scores
                if (score[0], score[2]) < (executed, peak)
            ], seed
        found.clear()
