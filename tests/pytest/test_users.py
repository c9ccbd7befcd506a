"""Ops that are taken out of a program and still use its values are found."""

import re

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.users import check_users

PROGRAM = """
func.func @f(%m: memref<?xf32>, %i: index) {
  "test.with_region"() ({
    %d = memref.dim %m, %i : memref<?xf32>
  }) : () -> ()
  cf.br ^end
^end:
  func.return
}
"""


def removed(name: str) -> ModuleOp:
    """The program, with an op detached that keeps its operands and successors."""
    module = parse_module(PROGRAM)
    (op,) = (op for op in module.walk() if op.name == name)
    op.detach()
    return module


def test_detached_users_are_found():
    check_users(parse_module(PROGRAM))
    with pytest.raises(AssertionError, match=r"not in the module: 'memref\.dim'"):
        check_users(removed("memref.dim"))


def test_detached_branches_are_found():
    with pytest.raises(AssertionError, match=r"not in the module: 'cf\.br'"):
        check_users(removed("cf.br"))


def test_loops_that_swap_buffers_leave_no_user_outside():
    folder = PROJECT / "tests/filecheck/transforms/eliminate-copies"
    text = (folder / "turns-of-run-time-size.mlir").read_text()
    text = re.sub(r"^// .*$", "", text, flags=re.M)
    for passes in ("eliminate-copies", "bufferize"):
        apply(passes, parse_module(text))
