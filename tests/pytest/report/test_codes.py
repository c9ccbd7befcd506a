"""Each code of a reason is explained, with a program that has a copy or a move for the reason."""

from __future__ import annotations

import re
import subprocess
from typing import get_args

import pytest

from tests.peer.runner import parse_module
from tests.pytest.report.reports import report
from tests.xdsl_opt import forked_commands
from xdsl_bufferization.report.codes import Code
from xdsl_bufferization.report.model import TensorFunction
from xdsl_bufferization.tensors.eliminate_moves.obstacles import Obstacle
from xdsl_bufferization.transforms.bufferize import BufferizePass


@pytest.mark.parametrize("code", Code, ids=lambda code: code.label)
def test_the_program_of_a_code_is_whole_and_has_the_reason(code: Code):
    assert code.program in Code.explained(code.label)
    options = re.findall(r"// with (\S+)=(\w+)", code.program)
    given = {name.replace("-", "_"): value == "true" for name, value in options}
    made_by = BufferizePass(**given)
    assert any(
        made.code == code.label
        for function in report(parse_module(code.program), made_by).functions
        if isinstance(function, TensorFunction)
        for made in (*function.copies, *function.moves, *function.allocations)
    )


def test_each_obstacle_has_one_code():
    obstacles = [obstacle for code in Code for obstacle in code.obstacles]
    assert len(obstacles) == len({*obstacles})
    assert {*obstacles} == {*get_args(Obstacle)}
    assert len({code.label for code in Code}) == len(Code)


def explained(code: str) -> subprocess.CompletedProcess[str]:
    """The command that explains a code, without a program."""
    return subprocess.run(
        [
            forked_commands() / "xdsl-opt",
            "-t",
            f"bufferization-report{{explain={code}}}",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_code_is_explained_without_a_program():
    done = explained("B001")
    assert done.returncode == 0
    assert done.stdout.startswith("B001: An op would write a tensor in place")
    assert "%y = tensor.extract %t[%j]" in done.stdout


def test_a_code_that_does_not_exist_is_refused():
    done = explained("B999")
    assert done.returncode == 1
    assert "there is no code 'B999'\n  hint: they are B001, " in done.stderr
