"""Repairs are made where xDSL has the fault, and only there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.ir import Block

from xdsl_bufferization import repairs
from xdsl_bufferization.repairs import REPAIRS, VARIABLE, Repair

_READ = """
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

Universe.get_multiverse()
print(Parser(Context(), "dense<0xFF800000> : vector<1xf32>").parse_attribute())
"""


@pytest.mark.parametrize(
    "value, printed",
    [
        ("", "dense<0xff800000>"),
        ("0", "dense<0xff800000>"),
        ("1", "dense<4.28657869e+09>"),
    ],
)
def test_the_variable_leaves_xdsl_as_it_is(value: str, printed: str):
    run = subprocess.run(
        [sys.executable, "-c", _READ],
        env={**os.environ, VARIABLE: value},
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout == f"{printed} : vector<1xf32>\n"


_PROBE = """
from xdsl_bufferization.repairs import REPAIRS

for repair in REPAIRS:
    assert repair.is_broken(), repair.module
    repair.mend()
    assert not repair.is_broken(), repair.module
"""


def test_each_repair_mends_what_its_probe_finds():
    subprocess.run([sys.executable, "-c", _PROBE], check=True)


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.module)
def test_nothing_is_broken_once_it_is_applied(repair: Repair):
    repairs.apply()
    repairs.apply(repair.dialect)

    assert not repair.is_broken()


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.module)
def test_a_probe_adds_nothing_to_a_program_that_is_being_built(repair: Repair):
    block = Block()

    with ImplicitBuilder(block):
        repair.is_broken()

    assert not list(block.ops)
