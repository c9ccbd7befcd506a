"""How errors are shown by `xdsl-opt`, and that they are exceptions like others elsewhere."""

from __future__ import annotations

import subprocess
import sys

REFUSED = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the code in a process of its own, with `REFUSED` as its standard input."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=REFUSED,
        capture_output=True,
        text=True,
        check=False,
    )


BUFFERIZE = """
import sys
from xdsl.universe import Universe
from xdsl.context import Context
from xdsl.parser import Parser

import xdsl.xdsl_opt_main
from xdsl_bufferization import BufferizationError, one_shot_bufferize

context = Context(allow_unregistered=True)
for name, dialect in Universe.get_multiverse().all_dialects.items():
    context.register_dialect(name, dialect)
module = Parser(context, sys.stdin.read()).parse_module()
"""
"""A program that uses the package as a library, up to the module."""

XDSL_OPT = "from xdsl.tools.xdsl_opt import main; main()"


def test_a_library_leaves_its_process_as_it_was():
    done = run(
        """
import os, sys
from xdsl.universe import XDSL_UNIVERSE

before = sys.excepthook, dict(os.environ), [*XDSL_UNIVERSE.all_dialects]
"""
        + BUFFERIZE
        + """
try:
    one_shot_bufferize(context, module)
except BufferizationError as error:
    print("caught", error)
try:
    xdsl.xdsl_opt_main.xDSLOptMain(args=["-p", "bufferize{no-such-option}"])
except SystemExit as exit:
    print("told", exit)
after = sys.excepthook, dict(os.environ), [*XDSL_UNIVERSE.all_dialects]
assert before == after
assert context.get_optional_op("tensor.concat") is not None
"""
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("caught 'test.op' ")
    assert "told error: bufferize has no option " in done.stdout


def test_an_uncaught_error_of_a_library_has_its_traceback():
    done = run(BUFFERIZE + "one_shot_bufferize(context, module)")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert "BufferizationError: 'test.op' " in done.stderr


def test_xdsl_opt_prints_the_message_alone():
    done = run(XDSL_OPT, "-p", "one-shot-bufferize", "--allow-unregistered-dialect")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: 'test.op' ")
    assert "at: stdin:3:8: in @f\n" in done.stderr
    assert "Traceback" not in done.stderr


def test_xdsl_opt_prints_what_is_wrong_with_options_alone():
    done = run(XDSL_OPT, "-p", "one-shot-bufferize{no-such-option}")
    assert done.returncode == 1
    assert done.stderr.startswith("error: one-shot-bufferize has no option ")
    assert "Traceback" not in done.stderr


def test_other_exceptions_keep_their_traceback_in_xdsl_opt():
    done = run(
        """
import sys
from xdsl.xdsl_opt_main import xDSLOptMain
from xdsl_bufferization import BufferizationError

class Main(xDSLOptMain):
    def apply_passes(self, module):
        try:
            super().apply_passes(module)
        except BufferizationError:
            pass
        raise KeyError("a mistake")

Main(args=sys.argv[1:]).run()
""",
        *("-p", "one-shot-bufferize", "--allow-unregistered-dialect"),
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert "KeyError: 'a mistake'" in done.stderr
