"""Passes with random options."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TypeAlias

Options: TypeAlias = "Mapping[str, Sequence[object]]"
"""The values to choose from, by option."""

_FLAG = ("true", "false")
_PERCENT = (0, 10, 100)
_REWRITES = ('"distribute"', '"sink","insert"', '"rematerialize","coalesce-inits"')
_BOUNDARY: Options = {
    "bufferize-function-boundaries": _FLAG,
    "allow-return-allocs-from-loops": _FLAG,
}
_INSERTION: Options = {**_BOUNDARY, "must-infer-memory-space": _FLAG}
ONE_SHOT: Options = {
    "allow-return-allocs-from-loops": _FLAG,
    "function-boundary-type-conversion": (
        "infer-layout-map",
        "identity-layout-map",
        "fully-dynamic-layout-map",
    ),
    "allow-unknown-ops": _FLAG,
    "unknown-type-conversion": ("identity-layout-map", "fully-dynamic-layout-map"),
    "copy-before-write": _FLAG,
    "buffer-alignment": (0, 1, 8, 16, 64, 128),
    "analysis-heuristic": (
        "bottom-up",
        "top-down",
        "bottom-up-from-terminators",
        "fuzzer",
    ),
    "analysis-fuzzer-seed": (1, 2, 3),
}
"""Those with which a program computes the same."""
_ANY_ONE_SHOT: Options = {
    **_INSERTION,
    **ONE_SHOT,
    "check-parallel-regions": _FLAG,
    "no-analysis-func-filter": ('"f0"', '"f"'),
    "dialect-filter": ('"tensor"', '"tensor","linalg"', '"scf"', '"func","tensor"'),
    "use-encoding-for-memory-space": _FLAG,
    "must-be-in-place": _FLAG,
    "test-analysis-only": _FLAG,
    "print-conflicts": _FLAG,
    "dump-alias-sets": _FLAG,
    "statistics": _FLAG,
}
_DEALLOCATION: Options = {"touches-only": ('"mydialect.*"', '"test.*"', '"my.op"')}
OWNERSHIP: Options = {"private-function-dynamic-ownership": _FLAG}
_ANY_OWNERSHIP: Options = {**_DEALLOCATION, **OWNERSHIP}

PASS_OPTIONS: Mapping[str, Options] = {
    "arith-bufferize": {"alignment": (0, 16, 64)},
    "buffer-deallocation": _DEALLOCATION,
    "buffer-deallocation-pipeline": _ANY_OWNERSHIP,
    "buffer-deallocation-simplification": {},
    "buffer-hoisting": {},
    "buffer-loop-hoisting": {"share-memory": _FLAG},
    "buffer-results-to-out-params": {
        "add-result-attr": _FLAG,
        "hoist-dynamic-allocs": _FLAG,
        "hoist-static-allocs": _FLAG,
        "modify-public-functions": _FLAG,
        "only-where-possible": _FLAG,
    },
    "bufferization-bufferize": {},
    "bufferization-lower-deallocations": {},
    "bufferize": {
        **_ANY_ONE_SHOT,
        **_ANY_OWNERSHIP,
        "adopt-donations": _FLAG,
        "arena": ("off", "allocated", "argument", "static"),
        "arguments": ("writable", "read-only"),
        "destinations": _FLAG,
        "drop-results": _FLAG,
        "eliminate-copies": _FLAG,
        "eliminate-moves": _FLAG,
        "free": _FLAG,
        "fuse": _FLAG,
        "hoist": _FLAG,
        "max-added-work": _PERCENT,
        "max-peak-increase": _PERCENT,
        "peak-weight": (0, 2),
        "without": _REWRITES,
        "reorder": _FLAG,
        "results": ("returned", "arguments"),
    },
    "convert-bufferization-to-memref": {"allow-tensors": _FLAG},
    "convert-elementwise-to-linalg": {},
    "copy-removal": {},
    "drop-equivalent-buffer-results": {},
    "drop-iteration-arguments": {},
    "eliminate-copies": {
        **_BOUNDARY,
        "max-peak-increase": _PERCENT,
        "peak-weight": (0, 2),
        "without": _REWRITES,
    },
    "eliminate-empty-tensors": {},
    "eliminate-moves": {},
    "expand-realloc": {"emit-deallocs": _FLAG},
    "finalizing-bufferize": {},
    "func-bufferize": {},
    "fuse-for-memory": {**_BOUNDARY, "max-added-work": _PERCENT},
    "linalg-bufferize": {},
    "linalg-fuse-elementwise-ops": {},
    "one-shot-bufferize": _ANY_ONE_SHOT,
    "optimize-allocation-liveness": {},
    "ownership-based-buffer-deallocation": _ANY_OWNERSHIP,
    "plan-static-memory": {
        "alignment": (1, 4, 16, 64),
        "allocate-in-public-functions": _FLAG,
        "arena-as-argument": _FLAG,
        "max-size-in-bytes": (0, 64, 100000),
        "method": ("heuristic", "exact"),
        "time-limit": (1,),
        "refuse-others": _FLAG,
        "remarks": _FLAG,
        "report": _FLAG,
        "start-addresses": ('"1:4096"',),
        "max-sizes": ('"1:64"',),
        "offsets-as-attributes": _FLAG,
    },
    "promote-buffers-to-stack": {
        "max-alloc-size-in-bytes": (0, 16, 64, 1024),
        "max-rank-of-allocated-memref": (0, 1, 2),
    },
    "reorder-for-memory": _BOUNDARY,
    "scf-bufferize": {},
    "split-at-peak": {**_BOUNDARY, "max-parts": (2, 3, 8)},
    "std-bufferize": {},
    "tensor-bufferize": {},
    "tensor-constant-bufferize": {"alignment": (0, 16, 64)},
    "tensor-copy-insertion": _INSERTION,
    "test-tensor-copy-insertion": _INSERTION,
    "verify-bufferization-decisions": _BOUNDARY,
}
"""All passes of the package, with all their options."""


def with_options(
    name: str,
    random: Random,
    options: Options,
    fixed: Collection[str] = (),
    share: float = 0.3,
) -> str:
    """The pass with about that share of the options, besides the fixed ones."""
    chosen = [
        f"{option}={random.choice(values)}"
        for option, values in options.items()
        if random.random() < share
    ]
    arguments = " ".join([*fixed, *chosen])
    return f"{name}{{{arguments}}}" if arguments else name
