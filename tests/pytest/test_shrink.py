"""
Reducing programs, with `xdsl-opt --shrink`: a program is interesting if a `ShrinkException`
is raised, wherever that is.
"""

from pathlib import Path

import pytest
from xdsl.ir import Operation
from xdsl.utils.exceptions import ShrinkException
from xdsl.xdsl_opt_main import xDSLOptMain

from tests.other_dialects import registered
from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    BufferizableOpInterface,
)

PROGRAM = """
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "my.op"(%t) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
"""


class Interesting(BufferizableOpInterface):
    """A model that is looked for with `--shrink`: the call that matters raises."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        raise ShrinkException


@pytest.mark.parametrize(
    "pipeline",
    [
        "one-shot-bufferize{bufferize-function-boundaries=true}",
        "bufferize",
        "bufferize{test-analysis-only}",
        "tensor-copy-insertion{bufferize-function-boundaries=true}",
    ],
)
def test_exception_of_a_model_makes_the_program_interesting(
    pipeline: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    program = tmp_path / "program.mlir"
    program.write_text(PROGRAM)
    xdsl_opt = xDSLOptMain(
        args=[str(program), "--allow-unregistered-dialect", "--shrink", "-p", pipeline]
    )

    with registered([("my.op", Interesting())]), pytest.raises(SystemExit) as ended:
        xdsl_opt.run()

    assert ended.value.code == 0
    assert capsys.readouterr().out == "Success, can shrink\n"
