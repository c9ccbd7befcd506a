"""
Random programs are freed by `buffer-deallocation`, and compute the same.

`python -m tests.pytest.former.test_buffer_deallocation_of_random_programs FIRST LAST
[FAMILY ...]` tries the seeds of a range, with the families of ops named, or all of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.trials import Verdict, apply, compared, read
from tests.peer import MlirTools, find_mlir_tools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.slow import one_in
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.support.diagnostics import BufferizationError

FREE = "buffer-deallocation"
REMOVE = "copy-removal"
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true"
WAYS = (
    f"{BUFFERIZE}}}",
    f"{BUFFERIZE} allow-return-allocs-from-loops=true}}",
    f"{BUFFERIZE} copy-before-write=true}}",
)
RUNNING = tuple(family for family in FAMILIES if family != "external")
"""Families of programs that may be run as they are, and together."""
PROGRAMS: Sequence[tuple[int, Sequence[str]]] = [
    *((700 + number, [family]) for number, family in enumerate(RUNNING)),
    (750, ["regions", "loops", "calls", "tensors"]),
]
"""Seeds and families of those that are tried each time."""
BUFFER = "memref<4xf32>"


def random_blocks(seed: int) -> str:
    """
    A function of blocks without a loop, on memrefs that are written once, when they are
    allocated: they are handed to blocks, into and out of regions, and returned.
    """
    random = Random(seed)
    number = random.randint(2, 9)
    arguments = [0, *(random.randint(0, 2) for _ in range(number - 1))]
    successors = [
        sorted(random.choices(range(k + 1, number), k=random.choice((0, 1, 2, 2))))
        if k + 1 < number
        else []
        for k in range(number)
    ]
    # Before a block has been written, all that are branched from to it have been.
    available: dict[int, list[str]] = {0: ["%m"]}
    lines = [
        f"func.func @f(%m: {BUFFER}, %c: i1, %d: i1, %i: index, %one: index, "
        f"%o: memref<64xf32>) -> ({BUFFER}, {BUFFER}) {{"
    ]
    names = (f"%v{n}" for n in count())

    def use(value: str) -> None:
        loaded, place = next(names), next(names)
        lines.append(f"{place} = arith.constant {random.randrange(64)} : index")
        lines.append(f"{loaded} = memref.load {value}[%i] : {BUFFER}")
        lines.append(f"memref.store {loaded}, %o[{place}] : memref<64xf32>")

    def make(values: list[str], depth: int) -> str:
        kinds = ("new", "new", "select", "if", "for") if depth < 3 else ("new",)
        kind, name = random.choice(kinds), next(names)
        inner = [*values]

        def region(given: str) -> None:
            own = [*inner, *([given] if given else [])]
            for _ in range(random.randrange(3)):
                own.append(make(own, depth + 1))
            use(random.choice(own))
            lines.append(f"scf.yield {random.choice(own[-4:])} : {BUFFER}")

        if kind == "new":
            number = next(names)
            lines.append(f"{number} = arith.constant {random.randrange(99)}.0 : f32")
            lines.append(f"{name} = memref.alloc() : {BUFFER}")
            lines.append(f"linalg.fill ins({number} : f32) outs({name} : {BUFFER})")
        elif kind == "select":
            a, b = random.choice(values), random.choice(values)
            lines.append(f"{name} = arith.select %d, {a}, {b} : {BUFFER}")
        elif kind == "if":
            lines.append(f"{name} = scf.if %c -> ({BUFFER}) {{")
            region("")
            lines.append("} else {")
            region("")
            lines.append("}")
        else:
            counter, given = next(names), next(names)
            lines.append(
                f"{name} = scf.for {counter} = %i to %one step %one "
                f"iter_args({given} = {random.choice(values)}) -> ({BUFFER}) {{"
            )
            region(given)
            lines.append("}")
        return name

    for block in range(number):
        values = available.get(block)
        if values is None:
            continue  # is not reached
        if block:
            own = [f"%a{block}_{n}" for n in range(arguments[block])]
            typed = ", ".join(f"{name}: {BUFFER}" for name in own)
            lines.append(f"^b{block}({typed}):" if own else f"^b{block}:")
            values = [*values, *own]
        for _ in range(random.randrange(4)):
            values.append(make(values, 0))
            use(random.choice(values))
        targets: list[str] = []
        for successor in successors[block]:
            known = available.setdefault(successor, values)
            # What dominates a block is what is there on all ways to it.
            available[successor] = [v for v in known if v in values]
            handed = [random.choice(values) for _ in range(arguments[successor])]
            types = ", ".join(BUFFER for _ in handed)
            hands = f"({', '.join(handed)} : {types})" if handed else ""
            targets.append(f"^b{successor}{hands}")
        match targets:
            case []:
                a, b = random.choice(values), random.choice(values)
                lines.append(f"func.return {a}, {b} : {BUFFER}, {BUFFER}")
            case [target]:
                lines.append(f"cf.br {target}")
            case _:
                condition = random.choice(("%c", "%d"))
                lines.append(f"cf.cond_br {condition}, {', '.join(targets)}")
    return "\n".join([*lines, "}"])


@pytest.mark.parametrize("first", one_in(8, range(0, 40, 5)))
def test_random_blocks_compute_the_same(mlir_tools: MlirTools, first: int):
    options = CheckOptions(leaks=True, runs=2, searches=0)
    for seed in range(first, first + 5):
        before = parse_module(random_blocks(seed))
        after = before.clone()
        apply(FREE, after)
        mlir_tools.opt(print_generic(after))
        assert check(before, after, options).problem is None
        apply(REMOVE, after)
        assert check(before, after, options).problem is None


def results(
    tools: MlirTools,
    passes: str,
    programs: Iterable[tuple[int, Sequence[str]]],
    counts: Counter[str],
) -> Iterator[tuple[int, str]]:
    """What is wrong with programs, by seed; what becomes of them is counted."""
    for seed, families in programs:
        tensors = read(generate_program(seed, families).text, tools)
        after = tensors.clone()
        try:
            apply(passes, after)
            apply(FREE, after)
        except BufferizationError as error:
            reason = str(error).splitlines()[0]
            counts[reason if "loop of blocks" in reason else "refused"] += 1
            continue
        tools.opt(print_generic(after))
        for _ in range(2):
            counts["copies"] += count_copies(after)
            trial = compared(tensors, after, seed, leaks=True)
            counts[trial.verdict] += 1
            if trial.verdict is Verdict.FAILED:
                yield seed, trial.message
            apply(REMOVE, after)


def count_copies(module: ModuleOp) -> int:
    """The ops that copy memory."""
    return sum(CopyOpInterface.of(op) is not None for op in module.walk())


@pytest.mark.parametrize("passes", one_in(3, WAYS))
def test_random_programs_compute_the_same(
    mlir_tools: MlirTools, passes: str, capsys: pytest.CaptureFixture[str]
):
    counts = Counter[str]()
    programs = PROGRAMS[WAYS.index(passes) :: len(WAYS)]
    assert dict(results(mlir_tools, passes, programs, counts)) == {}
    with capsys.disabled():
        print(f"\nbuffer-deallocation, {passes}: {dict(counts)}")
    assert counts[Verdict.EQUAL] >= len(programs)


def main() -> None:
    """Try the seeds of a range."""
    first, last, *families = sys.argv[1:]
    tools = find_mlir_tools()
    assert tools is not None
    seeds = range(int(first), int(last))
    for passes in WAYS:
        counts = Counter[str]()
        programs = [(seed, families or RUNNING) for seed in seeds]
        for seed, message in results(tools, passes, programs, counts):
            print(f"{seed}: {message}")
        print(passes, dict(counts))


if __name__ == "__main__":
    main()
