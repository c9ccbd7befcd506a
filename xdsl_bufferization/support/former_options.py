"""
Options that One-Shot Bufferize had in earlier releases of MLIR, and what they are today.

Source: MLIR's documentation of bufferization and its tests, of LLVM 14 to 17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Today: TypeAlias = Mapping[str, str | bool]
"""Today's options with their values; empty if the pass always does that today."""


class Gone(NamedTuple):
    """An option whose effect the pass no longer has."""

    instead: str
    """The replacement."""


class Renamed(NamedTuple):
    """The option has another name today, and the same values."""

    name: str


Former: TypeAlias = Renamed | Mapping[bool, Today | Gone]
"""The replacement of a former option; for a flag, the replacement of each value."""

ONE_SHOT_BUFFERIZE: Mapping[str, Former] = {
    "allow-return-memref": Renamed("allow-return-allocs-from-loops"),
    "allow-return-allocs": Renamed("allow-return-allocs-from-loops"),
    "function-signature-type-conversion": Renamed("function-boundary-type-conversion"),
    "fully-dynamic-layout-maps": {
        True: {
            "function-boundary-type-conversion": "infer-layout-map",
            "unknown-type-conversion": "fully-dynamic-layout-map",
        },
        False: {
            "function-boundary-type-conversion": "identity-layout-map",
            "unknown-type-conversion": "identity-layout-map",
        },
    },
    "create-deallocs": {
        True: Gone("run the pass buffer-deallocation-pipeline afterwards"),
        False: {},
    },
    "promote-buffer-results-to-out-params": {
        True: Gone("run the pass buffer-results-to-out-params afterwards"),
        False: {},
    },
    "use-alloca": {
        True: Gone("run the pass promote-buffers-to-stack afterwards"),
        False: {},
    },
    "init-tensor-elimination": {
        True: Gone("run the pass eliminate-empty-tensors before"),
        False: {},
    },
    "always-aliasing-with-dest": {
        True: {},
        False: Gone(
            "results of destination-style ops always are in their destination; give "
            "the op another destination"
        ),
    },
}
"""The former options of `one-shot-bufferize`, and of its predecessor, by name."""
