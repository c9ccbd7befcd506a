"""
How much memory programs take on buffers that mlir-opt places, and on ours.

For each program a row of a Markdown table: copies, the bytes copied, and the most bytes that are
alive on the heap at one time, after mlir-opt and this package; then the size of the arena that
`plan-static-memory` makes of our buffers, and by how much it is above the most bytes of its buffers
that are live at once. All is counted in what the passes make of the program: nothing is run.

    python -m benchmarks.memory [PROGRAM.mlir ...]

Without arguments, the programs are the networks of `tests.networks`, those of files in a
folder beside the checkout if there is one, and the examples.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.universe import Universe

from benchmarks.memory_use import MemoryUse, NotStraightLineError, memory_use
from tests.environments import PROJECT
from tests.networks import LARGE
from tests.networks.files import FILES, why_missing
from tests.peer import MlirTools, PeerError, find_mlir_tools, why_no_mlir_tools
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    AllocationUses,
    MemrefFlows,
)
from xdsl_bufferization.memrefs.buffers.call_effects import CallEffects
from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
    AvailableSizes,
)
from xdsl_bufferization.memrefs.placement.arena_buffers import (
    BufferSizes,
    arena_buffers,
)
from xdsl_bufferization.memrefs.placement.arenas import (
    Region,
    plan_arenas,
    plan_buffers,
)
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.semantics.checking.check import parse_pipeline

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
BEFORE_PLAN = "buffer-hoisting,promote-buffers-to-stack"
PLACE = f"{BEFORE_PLAN},buffer-loop-hoisting"
DEALLOCATE = "buffer-deallocation-pipeline"

PEER_PASSES = (
    "--one-shot-bufferize=bufferize-function-boundaries",
    *(f"--{name}" for name in PLACE.split(",")),
    f"--{DEALLOCATE}",
    "--optimize-allocation-liveness",
)

COLUMNS = (
    "program",
    "copies",
    "ours",
    "bytes copied",
    "ours",
    "peak bytes",
    "ours",
    "arena",
    "above bound",
)


class Row(NamedTuple):
    """What came of a program."""

    peer: MemoryUse | None
    ours: MemoryUse
    arenas: Sequence[Region]

    def cells(self) -> list[str]:
        """The text of the columns after the program's name."""
        height = sum(arena.plan.height for arena in self.arenas)
        bound = sum(arena.plan.lower_bound for arena in self.arenas)
        return [
            *(
                "" if use is None else f"{getattr(use, name):,}"
                for name in ("copies", "copied_bytes", "peak_bytes")
                for use in (self.peer, self.ours)
            ),
            f"{height:,}" if self.arenas else "",
            f"{height / bound - 1:.2%}" if bound else "",
        ]


def row(text: str, tools: MlirTools | None) -> Row:
    """
    The row for a program, with columns of mlir-opt if there are tools.

    Raises `NotStraightLineError` for a program that `memory_use` does not count, and
    `PeerError` for one that mlir-opt refuses.
    """
    peer = None if tools is None else _use_of_peer(tools, text, *PEER_PASSES)
    # The module is never printed: for large constants that takes xDSL minutes.
    module = parse_module(text)
    _apply(module, "eliminate-copies", BUFFERIZE)
    placed = module.clone()
    _apply(placed, BEFORE_PLAN)
    functions = [op for op in placed.ops if isinstance(op, func.FuncOp)]
    arenas = [arena for function in functions for arena in arenas_of(function)]
    _apply(module, PLACE, DEALLOCATE)
    return Row(peer, memory_use(module), arenas)


def arenas_of(function: func.FuncOp) -> Sequence[Region]:
    """The arenas of a function that frees nothing, as `plan-static-memory` plans them."""
    available = AvailableSizes(function, Sizes())
    size = BufferSizes(available)
    uses = AllocationUses(MemrefFlows(function).graph(function), CallEffects())
    found = arena_buffers(uses, available.points, 16, size)
    arenas = plan_arenas(available, found.placed, plan_buffers)
    return [region for arena in arenas for region in arena.regions]


def _use_of_peer(tools: MlirTools, text: str, *flags: str) -> MemoryUse:
    # What constants hold has nothing to do with memory, and takes long to read.
    printed = tools.opt(text, *flags, "--mlir-elide-elementsattrs-if-larger=16")
    return memory_use(parse_module(printed))


def _apply(module: ModuleOp, *passes: str) -> None:
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    parse_pipeline(",".join(passes)).apply(context, module)
    module.verify()


def _print_row(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _default_programs() -> Iterator[tuple[str, str]]:
    """Names and programs, one after the other: some are large."""
    for name, build in LARGE.items():
        yield name, print_generic(build())
    yield from _read(path for path in FILES.values() if path.exists())
    for path in FILES.values():
        if not path.exists():
            print(f"skipped: {why_missing(path)}", file=sys.stderr)
    yield from _read(sorted((PROJECT / "examples").glob("*.mlir")))


def _read(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        yield path.stem, path.read_text()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM.mlir")
    paths = parser.parse_args(arguments).programs
    tools = find_mlir_tools()
    if tools is None:
        print(why_no_mlir_tools(), file=sys.stderr)
    _print_row(COLUMNS)
    _print_row(["---"] + ["--:"] * (len(COLUMNS) - 1))
    for name, text in _read(paths) if paths else _default_programs():
        try:
            _print_row([f"`{name}`", *row(text, tools).cells()])
        except (NotStraightLineError, PeerError) as error:
            print(f"skipped: {name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
