"""xDSL and mlir-opt agree on what programs mean, in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer import MlirTools
from tests.round_trips import PROGRAMS, differences, program_files, programs
from tests.slow import one_in


@pytest.mark.parametrize(
    "file",
    one_in(20, program_files()),
    ids=lambda file: str(file.relative_to(PROGRAMS)),
)
def test_programs_mean_the_same(mlir_tools: MlirTools, file: Path):
    assert [*differences(mlir_tools, programs(file))] == []
