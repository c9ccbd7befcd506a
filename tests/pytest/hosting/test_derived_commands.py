"""Commands derived from `xDSLOptMain`, and what is left of a run of one."""

from __future__ import annotations

import pytest

from tests.processes import run_python
from tests.slow import slow

PROGRAM = """
func.func @f(%c: i1, %t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.insert %x into %t[%i] : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
"""

SHARED = """
from xdsl.passes import ModulePass
from xdsl.xdsl_opt_main import xDSLOptMain
from xdsl_bufferization import BufferizePass
"""

NO_PIPELINE = """
class Main(xDSLOptMain):
    def setup_pipeline(self):
        pass

    def apply_passes(self, prog):
        print("none")
        return True

Main().run()
"""

OTHER_FRONTEND = """
from xdsl.parser import Parser

class Main(xDSLOptMain):
    def register_all_frontends(self):
        self.available_frontends["txt"] = self.parse_text

    def parse_text(self, stream):
        text = stream.read()
        text = text if isinstance(text, str) else text.decode()
        return Parser(self.ctx, text).parse_module()

    def get_input_stream(self):
        return super().get_input_stream()[0], "txt"

Main(args=["-p", "canonicalize"]).run()
"""

OWN_METHODS = """
command = xDSLOptMain()
plain = command.output_resulting_program
command.output_resulting_program = lambda prog: "mine\\n" + plain(prog)
command.run()
"""


@pytest.mark.parametrize(
    "code, passes, text, printed",
    [
        (NO_PIPELINE, "bufferize", "builtin.module {}", "none"),
        (OTHER_FRONTEND, "", "builtin.module {}", "builtin.module"),
        (OWN_METHODS, "bufferize", PROGRAM, "mine\nbuiltin.module"),
    ],
    ids=["no pipeline", "other frontend", "own methods"],
)
def test_commands_of_other_shapes_run(code: str, passes: str, text: str, printed: str):
    run = run_python(SHARED + code, "-p", passes, text=text)

    assert run.returncode == 0, run.stderr
    assert printed in run.stdout
    assert "scf.if" not in text or "memref.store" in run.stdout


AGAIN = """
import io, sys
text = sys.stdin.read()

class Main(xDSLOptMain):
    def get_input_stream(self):
        return io.BytesIO(text.encode()), "mlir"

command = Main()
before = {**vars(command)}
command.run()
command.result = "of the run"
after = {**vars(command)}
assert after.pop("result")
assert before == after, before.keys() ^ after.keys()
"""


def test_a_command_is_as_before_once_it_has_run():
    run = run_python(SHARED + AGAIN, "-p", "bufferize", text=PROGRAM)

    assert run.returncode == 0, run.stderr
    assert "memref.store" in run.stdout


RUNS_OURS = """
class Mine(ModulePass):
    name = "mine"
    runs_xdsl_bufferization = {declared}

    def apply(self, ctx, op):
        BufferizePass().apply(ctx, op)

class Main(xDSLOptMain):
    def register_all_passes(self):
        super().register_all_passes()
        self.register_pass("mine", lambda: Mine)

Main(args=["-p", "mine"]).run()
"""


@pytest.mark.parametrize("declared", [True, *slow([False])])
def test_passes_of_others_may_run_ours(declared: bool):
    run = run_python(SHARED + RUNS_OURS.format(declared=declared), text=PROGRAM)

    assert (run.returncode == 0) == declared, run.stderr
    assert ("memref.store" in run.stdout) == declared


def test_entries_of_data_layouts_are_read():
    """They are repaired when a context loads the dialect."""
    text = 'module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<"k", 1>>} {}'
    code = "from xdsl.tools.xdsl_opt import main; main()"

    assert run_python(code, "-p", "cse", text=text).returncode != 0
    run = run_python(code, "-p", "buffer-hoisting", text=text)
    assert 'dlti.dl_spec<"k" = 1' in run.stdout, run.stderr
