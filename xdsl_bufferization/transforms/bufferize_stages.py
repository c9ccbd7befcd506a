"""
The stages of `bufferize`, in the order in which they run, for its help and the documentation.

Invariant: the passes in this order do what `bufferize` does, and each `option` is a flag of it
that leaves the stage out if it is `false`. `tests/pytest/transforms/test_bufferize_stages.py`
compares both. Only help and documentation import this file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple


class Stage(NamedTuple):
    """A pass that `bufferize` runs, and what it is good for."""

    call: str
    """The pass with its options, as in a pipeline."""
    option: str
    """The option of `bufferize` that leaves it out; empty if it always runs."""
    does: str
    copies: str
    """Its effect on the bytes that are copied or moved."""
    peak: str
    """Its effect on the peak of memory."""


STAGES = (
    Stage(
        "eliminate-moves",
        "eliminate-moves",
        "lets ops read elements where a transposition, a broadcast or a fill takes them from",
        "fewer moves",
        "without the buffers of moves",
    ),
    Stage(
        "eliminate-copies",
        "eliminate-copies",
        "reorders ops, computes cheap contents again, and computes the parts of a tensor in its "
        "buffer; if it is left out, `eliminate-empty-tensors` still does the last, but no moves "
        "are eliminated, and no ops reordered or fused",
        "fewer copies",
        "not higher, except by `max-peak-increase`",
    ),
    Stage(
        "reorder-for-memory",
        "reorder",
        "runs ops in the order that needs least memory, or the best that is found",
        "the same",
        "lower",
    ),
    Stage(
        "fuse-for-memory",
        "fuse",
        "computes elements where they are read instead of keeping them in memory at the peak",
        "not more",
        "lower",
    ),
    Stage(
        "one-shot-bufferize{bufferize-function-boundaries}",
        "",
        "decides which buffer holds each tensor, and rewrites the program on buffers",
        "copies what is written while old contents are needed",
        "allocates what is not in place",
    ),
    Stage(
        "drop-equivalent-buffer-results",
        "drop-results",
        "private functions no longer return what their callers have",
        "no copies of returned arguments",
        "without the buffers of these copies",
    ),
    Stage(
        "buffer-loop-hoisting{share-memory}",
        "hoist",
        "allocates before loops what each iteration would allocate",
        "the same",
        "not higher, unless a loop has no iteration at run time; fewer allocations",
    ),
    Stage(
        "buffer-deallocation-pipeline",
        "free",
        "frees each buffer after its last use",
        "copies arguments that are returned",
        "lower: nothing is freed without it",
    ),
    Stage(
        "convert-bufferization-to-memref",
        "",
        "lowers what is left of the bufferization dialect",
        "copies what the stage before has cloned",
        "the same",
    ),
)

PIPELINE = ",".join(stage.call for stage in STAGES)
"""The stages as passes of `xdsl-opt`."""

ARENA_PIPELINE = "bufferize{free=false},plan-static-memory,buffer-deallocation-pipeline"
"""All buffers of known size in one arena, which is planned before anything is freed."""


def stages_help() -> str:
    """The stages for a terminal: the call, the option, and what each does."""
    lines, indent = ["Stages, in this order:"], " " * 6
    for stage in STAGES:
        option = f" ({stage.option}=false leaves it out)" if stage.option else ""
        lines += ["", f"  {stage.call}{option}"]
        lines += _wrapped(f"{stage.does}.", 84, indent)
        lines += _wrapped(f"Copies: {stage.copies}. Peak: {stage.peak}.", 84, indent)
    others = (
        "Other passes put buffers in an arena, on the stack, or in memory of the caller's: "
        "plan-static-memory, promote-buffers-to-stack, buffer-results-to-out-params. They "
        "run before memory is freed:",
        f"  {ARENA_PIPELINE}",
        "bufferize{arena} does that for functions, loops and calls together. With "
        "eliminate-copies, private functions compute results in memory of their callers "
        "where that helps, unless destinations=false.",
    )
    for paragraph in others:
        lines += ["", *_wrapped(paragraph, 88)]
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    for line in textwrap.wrap(text.replace("`", ""), width, break_on_hyphens=False):
        yield indent + line
