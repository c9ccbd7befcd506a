"""
Programs that random pipelines once made something wrong of.

Each is a file; its first line has the passes, after `// `. Comments below may say what mlir-opt
makes of the program, as in docs/mlir-opt-bugs.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.pipelines import Pipeline


@dataclass(frozen=True)
class Found:
    """A program, and the pipeline in which something was wrong."""

    name: str
    text: str
    pipeline: Pipeline

    def __str__(self) -> str:
        return self.name


def found_programs() -> Iterator[Found]:
    """All of them."""
    for path in sorted(Path(__file__).parent.glob("*.mlir")):
        passes, text = path.read_text().removeprefix("// ").split("\n", 1)
        frees = "-deallocation" in passes
        pipeline = Pipeline(path.stem, all_in_one=passes, all_frees=frees)
        yield Found(path.stem, text, pipeline)
