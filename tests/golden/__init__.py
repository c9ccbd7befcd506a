"""
Golden corpus: what each pipeline makes of each program, as figures and a hash of the text.

    python -m tests.golden           # compares with the figures that are committed
    python -m tests.golden --write   # writes them

A change that is meant to keep all outputs shows no difference; one that is meant to improve them
shows which figures got better and which got worse. The figures are static: what is in the text
counts once, also in a loop. Programs of the folder `shared/inputs` beside the checkout are compared
if it is there; their figures are committed with the others.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from typing import NamedTuple, TypeAlias

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.memory_on_buffers import FunctionOnBuffers
from tests.networks import NETWORKS
from tests.networks.files import INPUTS
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects

RANDOM_PROGRAMS = 300

PIPELINES: Mapping[str, str] = {
    "bufferize": "bufferize",
    "identity": "bufferize{function-boundary-type-conversion=identity-layout-map}",
    "arena": "bufferize{arena}",
    "static": "bufferize{arena=static}",
    "read-only": "bufferize{arguments=read-only}",
    "one-shot": "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline",
    "eliminated": "eliminate-copies,one-shot-bufferize{bufferize-function-boundaries},"
    "buffer-deallocation-pipeline",
}

Program: TypeAlias = tuple[str, str]
"""A name and a text."""


class Figures(NamedTuple):
    """What a pipeline makes of a program; all numbers are sums over its functions."""

    copies: int
    bytes: int
    """Bytes of the copies, as far as they are known or assumed."""
    allocations: int
    peak: int
    """Bytes that are allocated at a time, an arena included."""
    text: str
    """The first digits of a hash of the text."""

    def __str__(self) -> str:
        return " ".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> Figures | str:
        """The figures of a line, or the kind of refusal."""
        words = text.split()
        if len(words) == 1:
            return words[0]
        copies, size, allocations, peak = map(int, words[:4])
        return cls(copies, size, allocations, peak, words[4])


Result: TypeAlias = Figures | str
"""Figures, or the class of the error that ended the pipeline."""

Corpus: TypeAlias = Mapping[tuple[str, str], Result]
"""By names of program and pipeline."""


def programs(random: int = RANDOM_PROGRAMS) -> Iterator[Program]:
    """All programs of the corpus that are there, with so many random ones."""
    tests = PROJECT / "tests"
    folders = (
        (tests / "filecheck", "**/*.mlir"),
        (PROJECT / "examples", "**/*.mlir"),
        (tests / "jax", "*.mlir"),
        (tests / "fuzzing" / "found", "*.mlir"),
        (INPUTS, "*.mlir"),
        (INPUTS, "*/*.mlir"),
        (INPUTS, "*/min/*.mlir"),
    )
    for folder, pattern in folders:
        for path in sorted(folder.glob(pattern)):
            name = str(path.relative_to(folder.parent))
            parts = path.read_text(errors="replace").split("// -----")
            for number, part in enumerate(parts):
                yield (name if len(parts) == 1 else f"{name}:{number}"), part
    for name, build in NETWORKS.items():
        yield f"network:{name}", print_generic(build())
    for seed in range(random):
        families = [sorted(FAMILIES)[seed % len(FAMILIES)]]
        yield f"random:{seed}", generate_program(seed, families).text


def measure(program: Program) -> Sequence[tuple[tuple[str, str], Result]]:
    """The results of all pipelines; none for a text that is no program on its own."""
    name, text = program
    try:
        module = parse_module(text)
        module.verify()
    except Exception:  # xDSL's verifiers raise others than VerifyException, too
        return ()
    context = context_of_all_dialects(allow_unregistered=True)
    return [
        ((name, p), _run(module, context, passes)) for p, passes in PIPELINES.items()
    ]


def _run(module: ModuleOp, context: Context, passes: str) -> Result:
    work = module.clone()
    try:
        with redirect_stderr(io.StringIO()):  # remarks
            parse_pipeline(passes).apply(context, work)
        work.verify()
    except Exception as error:  # a fault of the package is a result, too
        return type(error).__name__
    return _figures(work)


def _figures(module: ModuleOp) -> Figures:
    text = hashlib.sha256(print_generic(module).encode()).hexdigest()[:8]
    costs = _costs(module)
    return Figures(
        sum(on_buffers.cost.copies.number for on_buffers in costs),
        sum(on_buffers.cost.copies.size for on_buffers in costs),
        sum(
            len(p.allocations)
            for on_buffers in costs
            for p in on_buffers.profiles.values()
        ),
        sum(peak for on_buffers in costs for peak in on_buffers.cost.peaks.values()),
        text,
    )


def executed_and_peak(module: ModuleOp) -> tuple[int, int]:
    """
    The bytes that copies of a program on memrefs read and write if its functions run once, and
    the sum of their peaks. Changes the program.
    """
    costs = _costs(module)
    peaks = sum(peak for cost in costs for peak in cost.cost.peaks.values())
    return sum(cost.cost.executed for cost in costs), peaks


def _costs(module: ModuleOp) -> Sequence[FunctionOnBuffers]:
    # The peak counts each buffer up to its last use.
    for op in [*module.walk()]:
        if isinstance(op, memref.DeallocOp):
            op.detach()
            op.erase()
    return [
        FunctionOnBuffers(op)
        for op in module.walk()
        if isinstance(op, func.FuncOp) and op.body.blocks
    ]
