"""
Copies are removed from random programs, which compute the same then.

`python -m tests.pytest.former.test_copy_removal FIRST LAST [FAMILY ...]` tries the
seeds of a range, with the families of ops named, or all of them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.fuzzing.trials import Verdict, apply, compared, read
from tests.peer import MlirTools, find_mlir_tools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.slow import one_in
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.support.diagnostics import BufferizationError

FREEING = "buffer-deallocation-pipeline"
CLONES = "convert-bufferization-to-memref"
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true"
IN_PLACE = BUFFERIZE + " allow-return-allocs-from-loops=true}"
COPYING = BUFFERIZE + " copy-before-write=true}"


@dataclass(frozen=True)
class Place:
    """The passes before and after `copy-removal`."""

    before: Sequence[str]
    after: Sequence[str] = ()

    @property
    def frees(self) -> bool:
        """Whether all memory has to be freed."""
        return FREEING in (*self.before, *self.after)


PLACES = {
    "copying, freed later": Place([COPYING], [FREEING, CLONES]),
    "copying, freed": Place([COPYING, FREEING, CLONES]),
    "in place, freed, clones": Place([IN_PLACE, FREEING], [CLONES]),
}

RUNNING = tuple(family for family in FAMILIES if family != "external")
"""Families of programs that may be run as they are, and together."""

PROGRAMS: Sequence[tuple[int, Sequence[str]]] = [
    *((900 + number, [family]) for number, family in enumerate(RUNNING[::3])),
    (950, RUNNING),
]
"""Seeds and families of those that are tried each time."""


def count_copies(module: ModuleOp) -> int:
    """The ops that copy memory."""
    return sum(CopyOpInterface.of(op) is not None for op in module.walk())


def results(
    tools: MlirTools,
    place: Place,
    programs: Iterable[tuple[int, Sequence[str]]],
    counts: Counter[str],
) -> Iterator[tuple[int, str]]:
    """What is wrong with programs, by seed; copies are counted."""
    for seed, families in programs:
        tensors = read(generate_program(seed, families).text, tools)
        before = tensors.clone()
        try:
            apply(",".join(place.before), before)
        except BufferizationError:
            counts["refused"] += 1
            continue
        after = before.clone()
        apply("copy-removal", after)
        counts["before"] += count_copies(before)
        counts["after"] += count_copies(after)
        tools.opt(print_generic(after))
        if place.after:
            apply(",".join(place.after), before)
            apply(",".join(place.after), after)
        for reference, leaks in ((tensors, place.frees), (before, False)):
            trial = compared(reference, after, seed, leaks=leaks)
            counts[trial.verdict] += 1
            if trial.verdict is Verdict.FAILED:
                yield seed, trial.message


@pytest.mark.parametrize("place", one_in(3, PLACES))
def test_random_programs_compute_the_same(
    mlir_tools: MlirTools, place: str, capsys: pytest.CaptureFixture[str]
):
    counts = Counter[str]()
    assert dict(results(mlir_tools, PLACES[place], PROGRAMS, counts)) == {}
    with capsys.disabled():
        print(f"\ncopy-removal, {place}: {dict(counts)}")
    assert counts["after"] < counts["before"]
    assert counts[Verdict.EQUAL] >= len(PROGRAMS)


def chain(copies: int) -> str:
    """Each copy's target is written, and copied next."""
    lines = [
        "func.func @f(%i: index, %f: f32) -> f32 {",
        "%t0 = memref.alloc() : memref<4xf32>",
        "linalg.fill ins(%f : f32) outs(%t0 : memref<4xf32>)",
    ]
    for n in range(copies):
        lines += [
            f"%t{n + 1} = memref.alloc() : memref<4xf32>",
            f'"memref.copy"(%t{n}, %t{n + 1}) : (memref<4xf32>, memref<4xf32>) -> ()',
            f"memref.store %f, %t{n + 1}[%i] : memref<4xf32>",
        ]
    lines += [
        f"%r = memref.load %t{copies}[%i] : memref<4xf32>",
        "func.return %r : f32",
    ]
    return "\n".join([*lines, "}"])


def test_a_chain_of_copies_needs_one_buffer():
    before = parse_module(chain(1000))
    after = before.clone()
    apply("copy-removal", after)
    assert count_copies(after) == 0
    assert sum(isinstance(op, memref.AllocOp) for op in after.walk()) == 1
    assert check(before, after, CheckOptions(runs=1)).problem is None


DISPATCH = """
func.func @f(%o: memref<4xf32>, %f: f32, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  cf.br ^loop(%c0 : index)
^loop(%k: index):
  %again = arith.cmpi slt, %k, %n : index
  cf.cond_br %again, ^body, ^end
^body:
  memref.store %f, %s[%i] : memref<4xf32>
  %next = arith.addi %k, %c1 : index
  cf.br ^loop(%next : index)
^end:
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
"""


def test_a_loop_of_blocks_on_the_way_to_the_copy():
    before = parse_module(DISPATCH)
    after = before.clone()
    apply("copy-removal", after)
    assert count_copies(after) == 0
    assert check(before, after).problem is None


def test_the_example_of_the_documentation():
    text = (PROJECT / "docs" / "copy-removal.md").read_text()
    before, after = map(
        parse_module, re.findall(r"^```mlir\n(.*?)^```", text, flags=re.M | re.S)
    )
    apply("copy-removal", before)
    assert str(before) == str(after)


REPEATED = """
func.func @f(%f: f32, %i: index) -> f32 {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  %u = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %u) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %u[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  %y = memref.load %u[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}
"""


def test_what_one_copy_has_joined_another_one_needs_apart():
    before = parse_module(REPEATED)
    after = before.clone()
    apply("copy-removal", after)
    assert count_copies(after) == 1
    assert check(before, after).problem is None


def main() -> None:
    tools = find_mlir_tools()
    assert tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    first, last, *families = sys.argv[1:]
    for name, place in PLACES.items():
        counts = Counter[str]()
        programs = ((s, families or RUNNING) for s in range(int(first), int(last)))
        for seed, wrong in results(tools, place, programs, counts):
            print(f"seed {seed}, {name}: {wrong}")
        print(name, dict(counts))


if __name__ == "__main__":
    main()
