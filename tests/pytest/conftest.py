"""What all tests may ask for."""

import pytest

from tests.peer import MlirTools, find_mlir_tools, why_no_mlir_tools


@pytest.fixture(scope="session")
def mlir_tools() -> MlirTools:
    """MLIR's tools of LLVM 22. A test that asks for them is skipped where there are none."""
    tools = find_mlir_tools()
    if tools is None:
        pytest.skip(why_no_mlir_tools())
    return tools
