"""Commands that register xDSL's own dialects and passes, and do not discover plugins."""

from __future__ import annotations

import subprocess
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.parser import Parser

from tests.processes import run_python
from xdsl_bufferization import BufferizePass, register_all

COMMAND = """
import sys

from xdsl.dialects import get_all_dialects
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization import register_all


class Own(ModulePass):
    name = "buffer-hoisting"

    def apply(self, ctx, op):
        print("my own")


class MyOpt(xDSLOptMain):
    def register_all_dialects(self):
        for name, factory in get_all_dialects().items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self):
        for name, factory in get_all_passes().items():
            self.register_pass(name, factory)
        self.register_pass("buffer-hoisting", lambda: Own)

    def register_all_targets(self):
        super().register_all_targets()
        register_all(self)


MyOpt().run()
"""

PROGRAM = """
func.func @f(%c: i1, %t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %k = tensor.rank %t : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.insert %x into %t[%k] : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
"""


def run(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run_python(COMMAND, *options, text=text)


def test_passes_are_run():
    result = run(PROGRAM, "-p", "bufferize")

    assert result.returncode == 0, result.stderr
    assert "memref.store" in result.stdout
    assert "tensor" not in result.stdout


def test_targets_are_called():
    result = run(PROGRAM, "-t", "bufferization-report")

    assert "stdin:2:1" in result.stdout, result.stderr


def test_errors_are_messages_with_places():
    unknown = '"test.op"() : () -> tensor<4xf32>'
    result = run(unknown, "-p", "one-shot-bufferize", "--allow-unregistered-dialect")

    assert result.returncode == 1
    assert result.stderr.startswith("error: 'test.op'")
    assert "at: stdin:1:1" in result.stderr


def test_ops_that_xdsl_lacks_are_read_without_a_pass_of_this_package():
    text = '%t = "test.op"() : () -> tensor<4xf32>\n%k = tensor.rank %t : tensor<4xf32>'

    assert '"tensor.rank"(%t)' in run(text).stdout


def test_what_the_command_has_stays():
    result = run(PROGRAM, "-p", "bufferize,buffer-hoisting")

    assert "my own" in result.stdout, result.stderr


def test_a_context_without_dialects():
    context = Context()
    register_all(context)
    module = Parser(context, PROGRAM).parse_module()

    BufferizePass().apply(context, module)

    assert "memref.store" in str(module)


def test_a_context_with_xdsls_dialects(tmp_path: Path):
    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    context.load_registered_dialect("scf")  # it may have been used already
    register_all(context)
    module = Parser(context, PROGRAM).parse_module()

    BufferizePass().apply(context, module)

    assert "memref.store" in str(module)
