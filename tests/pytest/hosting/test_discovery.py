"""Discovery depends on what xDSL documents, not on how its functions are written."""

from __future__ import annotations

import pytest

from tests.processes import XDSL_OPT, run_python

CHANGED = r"""
import ast, importlib.util, sys

class Renamed(ast.NodeTransformer):
    # Only names within the function: arguments by keyword and attributes are its interface.
    def visit_FunctionDef(self, node):
        if node.name != "get_multiverse":
            return node
        local = {
            name.id
            for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
        assert "all_dialects" in local
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and name.id in local:
                name.id = f"renamed_{name.id}"
        return node

class Moved(ast.NodeTransformer):
    # The body becomes a function of the module.
    def visit_ClassDef(self, node):
        for position, method in enumerate(node.body):
            if getattr(method, "name", "") == "get_multiverse":
                moved.append(method)
                method.decorator_list = []
                caller = "@staticmethod\ndef get_multiverse(): return get_multiverse()"
                node.body[position] = ast.parse(caller).body[0]
        return node

moved = []
spec = importlib.util.find_spec("xdsl.universe")
tree = ast.parse(spec.loader.get_source("xdsl.universe"))
tree = globals()[sys.argv.pop(1)]().visit(tree)
last = tree.body.pop()
tree.body += [*moved, last]
module = importlib.util.module_from_spec(spec)
sys.modules["xdsl.universe"] = module
exec(compile(ast.fix_missing_locations(tree), "universe.py", "exec"), module.__dict__)

"""

PROGRAM = """
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %k = tensor.rank %t : tensor<4xf32>
  %r = tensor.insert %x into %t[%k] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize("change", ["Renamed", "Moved"])
def test_another_text_of_xdsl_discovers_the_package_too(change: str):
    run = run_python(
        CHANGED + XDSL_OPT, change, "-p", "one-shot-bufferize", text=PROGRAM
    )

    assert run.returncode == 0, run.stderr
    assert "memref.store" in run.stdout


LATER = """
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE


class Theirs(ModulePass):
    name = "buffer-hoisting"

    def apply(self, ctx, op):
        print("theirs")


XDSL_UNIVERSE.all_passes["buffer-hoisting"] = lambda: Theirs
XDSL_UNIVERSE.all_targets["bufferization-report"] = XDSL_UNIVERSE.all_targets["mlir"]

"""


def test_passes_and_targets_that_a_later_xdsl_has_are_left_out():
    run = run_python(
        LATER + XDSL_OPT, "-p", "one-shot-bufferize,buffer-hoisting", text=PROGRAM
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("theirs\n")
    assert "memref.store" in run.stdout
