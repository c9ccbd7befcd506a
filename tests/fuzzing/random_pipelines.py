"""
Random legal pipelines: all passes of the package, and xDSL's canonicalize, cse and licm, in an
order in which they may be run, with random options.

What is legal: passes on tensors, one that bufferizes, passes on memrefs, one that frees what
is allocated, the lowering of clones, and passes that are about freed memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.fuzzing.options import (
    ONE_SHOT,
    OWNERSHIP,
    PASS_OPTIONS,
    Options,
    with_options,
)
from tests.fuzzing.pipelines import BOUNDARIES, CLONES, Pipeline

_CLEANING = ("canonicalize", "cse", "licm")
_ON_TENSORS = (
    *_CLEANING,
    "convert-elementwise-to-linalg",
    "drop-iteration-arguments",
    "eliminate-empty-tensors",
    "eliminate-copies",
    "eliminate-moves",
    "reorder-for-memory",
    "fuse-for-memory",
    "linalg-fuse-elementwise-ops",
    "split-at-peak",
    "tensor-copy-insertion",
)
_PARTIAL = (
    "arith-bufferize",
    "bufferization-bufferize",
    "func-bufferize",
    "linalg-bufferize",
    "scf-bufferize",
    "tensor-bufferize",
    "tensor-constant-bufferize",
)
_PLANNING = "plan-static-memory"
_HOISTING_TO_CALLERS = "buffer-results-to-out-params"
_ON_MEMREFS = (
    *_CLEANING,
    "buffer-hoisting",
    "buffer-loop-hoisting",
    "copy-removal",
    "drop-equivalent-buffer-results",
    "drop-iteration-arguments",
    "expand-realloc",
    "optimize-allocation-liveness",
    "promote-buffers-to-stack",
    _HOISTING_TO_CALLERS,
    _PLANNING,
)
_ON_FREED_MEMORY = (
    *_CLEANING,
    "buffer-deallocation-simplification",
    "copy-removal",
    "expand-realloc",
    "optimize-allocation-liveness",
)
_FLAG = ("true", "false")
_SAME_MEANING: Options = {"arena-as-argument": _FLAG, "alignment": (1, 4, 16, 64)}
"""Options of the planning that refuse nothing."""
_STAGES: Options = {
    "arena": ("off", "allocated", "argument"),
    "results": ("returned", "arguments"),
    **dict.fromkeys(
        (
            "destinations",
            "drop-results",
            "eliminate-copies",
            "eliminate-moves",
            "fuse",
            "hoist",
        ),
        _FLAG,
    ),
}
"""Options of `bufferize` that leave stages out or add them, but for the one that frees."""


def random_pipeline(seed: int, functions: Sequence[str] = ()) -> Pipeline:
    """The pipeline of the seed, which may treat these functions differently from others."""
    random = Random(seed)
    one_shot = ONE_SHOT
    if functions:
        names = [f'"{name}"' for name in functions]
        one_shot = {**ONE_SHOT, "no-analysis-func-filter": (*names, ",".join(names))}
    before = [_on_tensors(name, random) for name in _some(_ON_TENSORS, random)]
    kind = random.choices(("one-shot", "bufferize", "partial"), (7, 2, 1))[0]
    hides_callees = random.random() < 0.5
    after: list[str] = []
    if kind != "bufferize":
        after += _on_memrefs(random)
        if random.random() < 0.8:
            after += [*_freeing(random), *_some(_ON_FREED_MEMORY, random)]
    elif random.random() < 0.5:
        after += _some(_ON_FREED_MEMORY, random)
    if kind == "one-shot":
        options = with_options("", random, one_shot, [BOUNDARIES])[1:-1]
        return Pipeline(
            f"random-{seed}",
            options.split(" "),
            before,
            after,
            hides_callees=hides_callees,
        )
    if kind == "bufferize":
        name = with_options(kind, random, {**one_shot, **OWNERSHIP, **_STAGES})
    else:
        names = random.sample(_PARTIAL, k=len(_PARTIAL))
        name = ",".join([*names, "finalizing-bufferize"])
    return Pipeline(
        f"random-{seed}",
        [BOUNDARIES],
        before,
        after,
        hides_callees=hides_callees,
        all_in_one=name,
        all_frees=kind == "bufferize",
    )


def _some(names: Sequence[str], random: Random) -> list[str]:
    """Up to three of them, in any order."""
    return random.choices(names, k=random.randint(0, 3))


def _on_tensors(name: str, random: Random) -> str:
    # It has to be told what the pass behind it is told.
    if name == "tensor-copy-insertion":
        return f"{name}{{{BOUNDARIES}}}"
    return with_options(name, random, PASS_OPTIONS.get(name, {}))


def _on_memrefs(random: Random) -> list[str]:
    names = random.choices(_ON_MEMREFS, k=random.randint(0, 5))
    passes: list[str] = []
    for name in names:
        options = PASS_OPTIONS.get(name, {})
        if name == _PLANNING:
            if any(_PLANNING in other for other in passes):
                continue
            options = _SAME_MEANING
        passes.append(with_options(name, random, options))
    return passes


def _freeing(random: Random) -> list[str]:
    """What frees the memory, and gives clones memory of their own."""
    match random.choice(("pipeline", "pipeline", "stages", "copying")):
        case "pipeline":
            passes = [with_options("buffer-deallocation-pipeline", random, OWNERSHIP)]
        case "copying":
            passes = ["buffer-deallocation"]
        case _:
            passes = [
                with_options("ownership-based-buffer-deallocation", random, OWNERSHIP),
                *_some(("canonicalize", "cse"), random),
                *_some(("buffer-deallocation-simplification",), random),
                *_some(("canonicalize", "cse"), random),
                "bufferization-lower-deallocations",
            ]
    return [*passes, CLONES]
