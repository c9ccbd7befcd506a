"""The peer: MLIR's own tools, of one known version, asked what they make of a program."""

from tests.peer.tools import (
    NEEDED_CLANG,
    NEEDED_TOOLS,
    MlirTools,
    PeerError,
    find_mlir_tools,
    why_no_mlir_tools,
)

__all__ = [
    "NEEDED_CLANG",
    "NEEDED_TOOLS",
    "MlirTools",
    "PeerError",
    "find_mlir_tools",
    "why_no_mlir_tools",
]
