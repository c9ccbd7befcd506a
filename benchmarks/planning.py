"""
How small the arenas of the static memory planner are, and how long it takes.

For each problem: the most bytes alive at once, which no plan is below; in how many it is
known to fit; the heights of plain best fit, of the heuristic and of the exact method, in
bytes; and the seconds that ours take, as processor time. Then how the heuristic's time
grows with the buffers.

The problems are those of `benchmarks.packing`, and those of the MiniMalloc paper where they
are in a folder beside the checkout.

    python -m benchmarks.planning
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.packing import PACKINGS
from xdsl_bufferization.planning import Buffer, Method, Plan, lower_bound, plan
from xdsl_bufferization.planning.problem import (
    Component,
    components,
    height_of,
    round_up,
)

INPUTS = Path(__file__).parents[2] / "shared" / "inputs" / "minimalloc"
"""Problems of google/minimalloc: files with the columns id, lower, upper, size."""

MINIMALLOC_CAPACITY = 1 << 20
"""In bytes: each of these problems fits."""

SIZES = (5000, 20_000)


def problems(folder: Path = INPUTS) -> Mapping[str, list[Buffer]]:
    """The problems of a folder, by name; none if there is no such folder."""
    found: dict[str, list[Buffer]] = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="") as file:
            found[path.name.partition(".")[0]] = [
                Buffer(int(row["lower"]), int(row["upper"]), int(row["size"]))
                for row in csv.DictReader(file)
            ]
    return found


def plain_best_fit(buffers: Sequence[Buffer]) -> int:
    """The height, in bytes, of the plan that places buffers largest first."""
    height = max((b.size for b in buffers), default=0)
    for component in components(buffers):
        height = max(height, height_of(component.buffers, _best_fit(component)))
    return height


def _best_fit(component: Component) -> list[int]:
    """
    The offsets of the buffers, in bytes. Largest first, each buffer is placed in the smallest
    gap that it fits in between those that are live at the same time, the lowest of several,
    or above them all. The time is that of sorting plus a step for each pair of buffers that
    are live at the same time.
    """
    offsets = [0] * len(component.members)
    order = sorted(range(len(offsets)), key=lambda b: -component.padded[b])
    neighbours = _neighbours(component, order)
    for b in order:
        size, alignment = component.padded[b], component.alignment[b]
        top = 0
        best_gap, best_offset = -1, -1
        for offset, end in sorted(
            (offsets[other], offsets[other] + component.padded[other])
            for other in neighbours[b]
        ):
            gap = offset - top
            if gap >= size and (best_gap < 0 or gap < best_gap):
                candidate = round_up(top, alignment)
                if candidate + size <= offset:
                    best_gap, best_offset = gap, candidate
            top = max(top, end)
        offsets[b] = best_offset if best_gap >= 0 else round_up(top, alignment)
    return offsets


def _neighbours(component: Component, order: Sequence[int]) -> list[list[int]]:
    """For each buffer, those earlier in the order that are live at the same time."""
    rank = [0] * len(order)
    for position, b in enumerate(order):
        rank[b] = position
    neighbours: list[list[int]] = [[] for _ in order]
    live: list[tuple[int, int]] = []
    """The ends of live ranges, and the buffers."""
    for b in sorted(range(len(order)), key=lambda b: component.first[b]):
        del live[: bisect_left(live, (component.first[b] + 1, -1))]
        for _, other in live:
            if rank[other] < rank[b]:
                neighbours[b].append(other)
            else:
                neighbours[other].append(b)
        insort(live, (component.end[b], b))
    return neighbours


def all_at_once(n: int) -> list[Buffer]:
    """Buffers that are all alive in the middle."""
    draw = random.Random(n).randrange
    return [Buffer(draw(n), n + 1 + draw(n), 64 * draw(1, 999), 64) for _ in range(n)]


def short_lives(n: int) -> list[Buffer]:
    """Buffers of which some tens are alive at a time."""
    draw = random.Random(n).randrange
    starts = (draw(n) for _ in range(n))
    return [Buffer(s, s + draw(1, 50), 64 * draw(1, 999), 64) for s in starts]


def mixed_lives(n: int) -> list[Buffer]:
    """Lives and sizes of all orders of magnitude, and different alignments."""
    generator = random.Random(n)
    starts = (generator.randrange(n) for _ in range(n))
    return [
        Buffer(
            s,
            s + 1 + int(n ** generator.random()),
            int(2 ** (16 * generator.random())),
            generator.choice((1, 16, 64)),
        )
        for s in starts
    ]


FAMILIES: Mapping[str, Callable[[int], list[Buffer]]] = {
    "all at once": all_at_once,
    "short lives": short_lives,
    "mixed lives": mixed_lives,
}


def _timed(
    buffers: Sequence[Buffer], method: Method, limit: float = 60
) -> tuple[Plan, float]:
    start = time.process_time()
    result = plan(buffers, method=method, time_limit=limit)
    return result, time.process_time() - start


def _fitting() -> Iterator[tuple[str, Sequence[Buffer], int]]:
    """Problems, and in how many bytes each is known to fit."""
    for name, packing in PACKINGS.items():
        yield name, packing.buffers, packing.capacity
    if not INPUTS.exists():
        print(f"skipped: there is no {INPUTS}", file=sys.stderr)
    for name, buffers in problems().items():
        yield name, buffers, MINIMALLOC_CAPACITY


def _print_heights(limit: float) -> None:
    print(
        f"{'problem':12} {'buffers':>8} {'alive':>9} {'known':>9} {'best fit':>9} "
        f"{'heuristic':>10} {'s':>6} {'exact':>9} {'s':>6}"
    )
    for name, buffers, known in _fitting():
        fast, seconds = _timed(buffers, Method.HEURISTIC)
        exact, longer = _timed(buffers, Method.EXACT, limit)
        print(
            f"{name:12} {len(buffers):8} {lower_bound(buffers):9} {known:9} "
            f"{plain_best_fit(buffers):9} {fast.height:10} {seconds:6.2f} "
            f"{exact.height:9} {longer:6.2f}{'' if exact.is_optimal else '  unproven'}"
        )


def _print_growth() -> None:
    print(f"\n{'buffers':12} {'N':>8} {'above bound':>12} {'s':>7}")
    for name, generate in FAMILIES.items():
        for n in SIZES:
            buffers = generate(n)
            result, seconds = _timed(buffers, Method.HEURISTIC)
            above = result.height / lower_bound(buffers) - 1
            print(f"{name:12} {n:8} {above:12.2%} {seconds:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--limit", type=float, default=60, help="of the exact method, in s (default 60)"
    )
    arguments = parser.parse_args()
    _print_heights(arguments.limit)
    _print_growth()


if __name__ == "__main__":
    main()
