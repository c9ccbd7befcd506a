"""
Programs bufferized by mlir-opt and by us, and run.

The in-place decisions are compared first. Where they differ, or mlir-opt has none, our
result is compiled, run, and compared with what the program computes by definition
(`xdsl_bufferization.semantics`); where we copy more, mlir-opt's result is too.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from tests.peer import MlirTools, PeerError
from tests.peer.numpy_types import Array
from tests.peer.runner import Call, parse_module, print_generic, run_calls
from tests.programs.boundaries import compute_external, define_external
from tests.programs.generator import Function, Program
from tests.semantics import interpreter_of
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.support.diagnostics import BufferizationError

STRICT = OneShotOptions(bufferize_function_boundaries=True)
OPTIONS = replace(STRICT, allow_return_allocs_from_loops=True)
COPYING = replace(STRICT, copy_before_write=True)

PEER_STRICT = "bufferize-function-boundaries"
PEER_OPTIONS = f"{PEER_STRICT} allow-return-allocs-from-loops"
PEER_COPYING = f"{PEER_STRICT} copy-before-write"


class Outcome(StrEnum):
    """How our bufferization of a program compares with mlir-opt's."""

    EQUAL = "equal"
    FEWER = "fewer copies"
    OTHER = "as many copies, elsewhere"
    MISSING = "mlir-opt lacks a copy"
    """We copy as much or more, and what mlir-opt makes computes something else."""
    RACE = "mlir-opt lacks a refusal"
    """We refuse what several runs of a parallel region would write in one place."""
    ONLY_PEER_REFUSES = "only mlir-opt refuses"
    BOTH_REFUSE = "both refuse"
    MORE = "more copies"
    ONLY_WE_REFUSE = "only we refuse"
    WRONG = "wrong"
    """What we make computes something else, is not valid, or cannot be made."""


BAD = {Outcome.MORE, Outcome.RACE, Outcome.ONLY_WE_REFUSE, Outcome.WRONG}


@dataclass
class Comparison:
    """What came of one program."""

    program: Program
    outcome: Outcome = Outcome.EQUAL
    detail: str = ""
    """What is wrong, or the refusal."""
    source: ModuleOp | None = None
    """The program on tensors."""
    runs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The programs on memrefs to be run, each with whose it is."""

    def end(self, outcome: Outcome, detail: object = "") -> None:
        self.outcome = outcome
        self.detail = str(detail)


def compare(
    tools: MlirTools, programs: Sequence[Program], *, run_all: bool = False
) -> list[Comparison]:
    """
    Compare the bufferizations of each program; run ours even if decisions are equal if
    `run_all`, with other options too.

    Raises `PeerError` if mlir-opt does not accept a program before it is bufferized.
    """
    texts = [program.text for program in programs]
    flags = f"--one-shot-bufferize={PEER_OPTIONS}"
    comparisons = [Comparison(program) for program in programs]
    for comparison, generic, peer, annotated, strict in zip(
        comparisons,
        tools.opt_each(texts),
        tools.opt_each(texts, flags),
        tools.opt_each(texts, f"{flags} test-analysis-only"),
        tools.opt_each(texts, f"--one-shot-bufferize={PEER_STRICT}"),
        strict=True,
    ):
        if isinstance(generic, PeerError):
            raise generic
        try:
            _compare(comparison, generic, peer, annotated, strict, run_all=run_all)
        except (BufferizationError, VerifyException) as error:
            comparison.end(Outcome.WRONG, error)
        except Exception:  # whatever is wrong with what is tested
            comparison.end(Outcome.WRONG, traceback.format_exc())
    _run(tools, [c for c in comparisons if c.runs])
    return comparisons


def _accepts(module: ModuleOp, options: OneShotOptions) -> bool:
    try:
        OneShotBufferization(module.clone(), options).analyze()
    except BufferizationError:
        return False
    return True


def _compare(
    comparison: Comparison,
    generic: str,
    peer: str | PeerError,
    annotated: str | PeerError,
    strict: str | PeerError,
    *,
    run_all: bool,
) -> None:
    """Compare the decisions, and say what has to be run."""
    module = comparison.source = parse_module(generic)
    module.verify()
    one_shot = OneShotBufferization(module.clone(), OPTIONS)
    try:
        one_shot.analyze()
    except BufferizationError as error:
        if isinstance(peer, PeerError):
            outcome = Outcome.BOTH_REFUSE
        elif _accepts(module, replace(OPTIONS, check_parallel_regions=False)):
            outcome = Outcome.RACE
        else:
            outcome = Outcome.ONLY_WE_REFUSE
        comparison.end(outcome, error)
        return
    if not isinstance(strict, PeerError) and not _accepts(module, STRICT):
        comparison.end(Outcome.ONLY_WE_REFUSE, f"with {PEER_STRICT}")
        return

    if isinstance(peer, PeerError) or isinstance(annotated, PeerError):
        comparison.end(Outcome.ONLY_PEER_REFUSES, peer)
    else:
        one_shot.annotate()
        ours, theirs = decisions(print_generic(one_shot.module)), decisions(annotated)
        if ours != theirs:
            _count(comparison, ours, theirs)
        if comparison.outcome in (Outcome.MORE, Outcome.OTHER):
            comparison.runs.append(("mlir-opt", peer))
    if run_all or comparison.outcome is not Outcome.EQUAL:
        comparison.runs.append(("ours", _bufferized(module, OPTIONS)))
    if run_all:
        comparison.runs.append(("ours, all copies", _bufferized(module, COPYING)))
        if not isinstance(strict, PeerError):
            comparison.runs.append(("ours, strict", _bufferized(module, STRICT)))


def decisions(generic: str) -> list[str]:
    """What the annotations in the program say, in their order."""
    return re.findall(rf"{IN_PLACE_ATTRIBUTE} = \[(.*?)\]", generic)


def _count(comparison: Comparison, ours: Iterable[str], theirs: Iterable[str]) -> None:
    copies, peer_copies = (
        sum(decision.count("false") for decision in side) for side in (ours, theirs)
    )
    if copies < peer_copies:
        comparison.end(Outcome.FEWER)
    else:
        comparison.end(Outcome.OTHER if copies == peer_copies else Outcome.MORE)


def _bufferized(module: ModuleOp, options: OneShotOptions) -> str:
    result = module.clone()
    one_shot_bufferize(Context(), result, options)
    result.verify()
    return print_generic(result)


def _run(tools: MlirTools, comparisons: Sequence[Comparison]) -> None:
    """Run what is to be run, and compare with what the programs compute."""
    calls = [
        Call(text, function.name, inputs)
        for comparison in comparisons
        for text in _texts_to_run(comparison)
        for function, inputs in inputs_for(comparison.program)
    ]
    results = iter(run_calls(tools, calls))
    for comparison in comparisons:
        expected = [*_expected(comparison)]
        for whose, _ in comparison.runs:
            wrong = ""
            for wanted in expected:
                wrong = _difference(next(results), wanted) or wrong
            if not wrong:
                continue
            if whose == "mlir-opt":
                comparison.end(Outcome.MISSING, wrong)
            else:
                comparison.end(Outcome.WRONG, f"{whose}: {wrong}")


def _texts_to_run(comparison: Comparison) -> Iterator[str]:
    assert comparison.source is not None
    for _, text in comparison.runs:
        yield define_external(comparison.source, text)


def _expected(comparison: Comparison) -> Iterator[Sequence[Array]]:
    assert comparison.source is not None
    yield from computed(comparison.program, comparison.source)


def computed(program: Program, module: ModuleOp) -> Iterator[Sequence[Array]]:
    """
    What the program, as parsed, computes by definition: the results of each call of
    `inputs_for`.
    """
    interpreter = interpreter_of(module, external=compute_external)
    for function, inputs in inputs_for(program):
        callee = SymbolTable.lookup_symbol(module, function.name)
        assert callee is not None
        arguments = [array if array.ndim else array[()] for array in inputs]
        yield interpreter.call(callee, tuple(arguments))


def _difference(results: Sequence[Array] | PeerError, wanted: Sequence[Array]) -> str:
    """How the results are not those that are wanted, or nothing."""
    if isinstance(results, PeerError):
        return str(results)
    for result, value in zip(results, wanted, strict=True):
        if not np.array_equal(result, value, equal_nan=True):
            return f"{result} should be {value}"
    return ""


def inputs_for(program: Program) -> Iterator[tuple[Function, list[Array]]]:
    """
    Functions to call, and their arguments: all numbers differ, so that no wrong one goes
    unnoticed. Branches are taken in some calls and not in others, loops have none, some
    and many iterations, and each function is called again, after all memory is used.
    """
    dtype = program.dtype
    for i, condition in ((3, True), (2, False), (0, True), (1, False)):
        for function in filter(lambda function: function.has_body, program.functions):
            random = np.random.default_rng(i)
            numbers = iter(random.permutation(200).astype(dtype))
            tensors: list[Array] = []
            for shape in function.shapes:
                count = int(np.prod(shape, dtype=np.int64))
                elements = [next(numbers) for _ in range(count)]
                tensors.append(np.array(elements, dtype).reshape(shape))
            yield (
                function,
                [
                    *tensors,
                    np.array(i, np.int64),
                    np.array(next(numbers), dtype),
                    np.array(condition, np.bool_),
                ],
            )
