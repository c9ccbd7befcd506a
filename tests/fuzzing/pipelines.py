"""The pipelines that random programs go through. New passes on memrefs are added here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl_bufferization.support.options import AnalysisHeuristic


@dataclass(frozen=True)
class Pipeline:
    """Passes around `one-shot-bufferize`."""

    name: str
    options: Sequence[str] = ()
    """Of `one-shot-bufferize`."""
    before: Sequence[str] = ()
    """Passes on tensors."""
    after: Sequence[str] = ()
    """Passes on memrefs."""
    hides_callees: bool = False
    """Whether all functions but the last are made private."""
    all_in_one: str = ""
    """The passes that are run instead of `one-shot-bufferize`, if any."""
    all_frees: bool = True
    """Whether these free the memory."""

    @property
    def passes(self) -> str:
        """All of it, as `xdsl-opt -p` takes it."""
        bufferizing = self.all_in_one or _one_shot(self.options)
        return ",".join([*self.before, bufferizing, *self.after])

    @property
    def analysis(self) -> str | None:
        """Passes that write down the in-place decisions, if there are any."""
        if _COPYING in self.options or self.all_in_one:
            return None
        annotating = [*self.options, "test-analysis-only=true"]
        return ",".join([*self.before, _one_shot(annotating)])

    @property
    def bufferizes_boundaries(self) -> bool:
        """Whether functions take and return memrefs."""
        return BOUNDARIES in self.options

    @property
    def frees(self) -> bool:
        """Whether all memory has to be freed."""
        if self.all_in_one and self.all_frees:
            return True
        return any(name.split("{")[0] in _THAT_FREE for name in self.after)


def _one_shot(options: Sequence[str]) -> str:
    return f"one-shot-bufferize{{{' '.join(options)}}}" if options else _NAME


_NAME = "one-shot-bufferize"
_COPYING = "copy-before-write=true"
BOUNDARIES = "bufferize-function-boundaries=true"
LOOPS = "allow-return-allocs-from-loops=true"
FREEING = "buffer-deallocation-pipeline"
# The caller of a function that returns a clone may write it, which a clone is not for.
CLONES = "convert-bufferization-to-memref"

_THAT_FREE = (FREEING, "buffer-deallocation", "ownership-based-buffer-deallocation")

_HOISTING = ("buffer-hoisting", "buffer-loop-hoisting")
_SHARING = "buffer-loop-hoisting{share-memory=true}"
PLACING = (*_HOISTING, "promote-buffers-to-stack")

_PLANNED = {
    "shared-in-loops": [_SHARING],
    "shared-in-loops-and-planned": [_SHARING, "plan-static-memory"],
    "planned": ["plan-static-memory"],
    "planned-where-placed": [*PLACING, "plan-static-memory"],
    "arenas-as-arguments": ["plan-static-memory{arena-as-argument=true}"],
}
_OUT_PARAMS = "buffer-results-to-out-params"
_SIGNATURES = {
    "out-params": [_OUT_PARAMS, FREEING, CLONES],
    "out-params-hoisted": [
        "drop-equivalent-buffer-results",
        f"{_OUT_PARAMS}{{hoist-static-allocs=true hoist-dynamic-allocs=true}}",
        FREEING,
        CLONES,
    ],
}
_COPY_REMOVAL = "copy-removal"

ALONE = Pipeline("bufferized", [BOUNDARIES])
FREED = Pipeline("freed", [BOUNDARIES], after=[FREEING, CLONES])

_TABLE = (
    Pipeline("tensors-at-boundaries"),
    ALONE,
    Pipeline("loops-allocate", [BOUNDARIES, LOOPS]),
    Pipeline("copies", [BOUNDARIES, _COPYING]),
    *(
        Pipeline(
            f"decided-{heuristic}",
            [BOUNDARIES, LOOPS, f"analysis-heuristic={heuristic}"],
        )
        for heuristic in (
            AnalysisHeuristic.TOP_DOWN,
            AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS,
        )
    ),
    *(
        Pipeline(
            f"decided-at-random-{seed}",
            [
                BOUNDARIES,
                f"analysis-heuristic={AnalysisHeuristic.FUZZER}",
                f"analysis-fuzzer-seed={seed}",
            ],
        )
        for seed in (1, 2)
    ),
    Pipeline("empty-tensors", [BOUNDARIES], before=["eliminate-empty-tensors"]),
    FREED,
    Pipeline("loops-allocate-freed", [BOUNDARIES, LOOPS], after=[FREEING, CLONES]),
    Pipeline("copies-freed", [BOUNDARIES, _COPYING], after=[FREEING, CLONES]),
    Pipeline(
        "ownership-returned",
        [BOUNDARIES, LOOPS],
        after=[f"{FREEING}{{private-function-dynamic-ownership=true}}", CLONES],
        hides_callees=True,
    ),
    Pipeline("all-in-one", [BOUNDARIES], all_in_one="bufferize"),
    *(
        Pipeline(name, [BOUNDARIES, LOOPS], after=[name, FREEING, CLONES])
        for name in (*_HOISTING, "promote-buffers-to-stack")
    ),
    *(
        Pipeline(name, [BOUNDARIES, LOOPS], after=[*passes, FREEING, CLONES])
        for name, passes in _PLANNED.items()
    ),
    *(
        Pipeline(name, [BOUNDARIES, LOOPS], after=passes, hides_callees=True)
        for name, passes in _SIGNATURES.items()
    ),
    Pipeline("copies-removed", [BOUNDARIES, _COPYING], after=[_COPY_REMOVAL]),
    Pipeline(
        "copies-removed-and-freed",
        [BOUNDARIES, LOOPS],
        after=[_COPY_REMOVAL, FREEING, CLONES, _COPY_REMOVAL],
    ),
    Pipeline(
        "freed-with-copies",
        [BOUNDARIES, LOOPS],
        after=["buffer-deallocation", _COPY_REMOVAL],
    ),
    Pipeline("placed", [BOUNDARIES, LOOPS], after=[*PLACING, FREEING, CLONES]),
    Pipeline(
        "empty-tensors-freed",
        [BOUNDARIES, LOOPS],
        before=["eliminate-empty-tensors"],
        after=[FREEING, "optimize-allocation-liveness", CLONES],
    ),
)

PIPELINES = {pipeline.name: pipeline for pipeline in _TABLE}
"""By name."""
