"""Repairs are made where xDSL has the fault, and only there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.ir import Block

from tests.slow import slow
from xdsl_bufferization.host import repairs
from xdsl_bufferization.host.repairs import REPAIRS, VARIABLE, Repair

_READ = """
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType, f32
from xdsl_bufferization.support.reading import context_of_all_dialects

context_of_all_dialects()
print(DenseIntOrFPElementsAttr.from_list(VectorType(f32, [2]), [0.0, -0.0]))
"""


@pytest.mark.parametrize(
    "value, printed",
    [
        ("", "dense<[0.000000e+00, -0.000000e+00]>"),
        ("0", "dense<[0.000000e+00, -0.000000e+00]>"),
        ("1", "dense<0.000000e+00>"),
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

    assert run.stdout == f"{printed} : vector<2xf32>\n"


_PROBE = """
from xdsl_bufferization.host.repairs import REPAIRS

for repair in REPAIRS:
    assert repair.is_broken(), repair.name
    repair.mend()
    assert not repair.is_broken(), repair.name
"""


def test_each_repair_mends_what_its_probe_finds():
    subprocess.run([sys.executable, "-c", _PROBE], check=True)


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.name)
def test_nothing_is_broken_once_it_is_applied(repair: Repair):
    repairs.apply(import_all=True)

    assert not repair.is_broken()


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.name)
def test_what_is_repaired_is_imported_before_it_is_asked_for(repair: Repair):
    """A repair of a module that nobody has imported yet is not made."""
    program = f"""
import {repair.repaired}
from xdsl_bufferization.host.repairs import REPAIRS, apply

apply()
print(*(repair.name for repair in REPAIRS if not repair.is_broken()))
"""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )

    assert repair.name in run.stdout.split()


_INTERPRET = """
{imports}
from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.interpreters.arith import ArithFunctions

compare = context().get_op("arith.cmpi")
one = ConstantOp.from_int_and_width(1, 32)
interpreter = Interpreter(ModuleOp([]))
interpreter.register_implementations(ArithFunctions())
value, = interpreter.run_op(one, ())
result, = interpreter.run_op(compare.create(
    operands=[one.result, one.result],
    result_types=[i1],
    properties={{"predicate": IntegerAttr(0, 64)}},
), (value, value))
print(bool(result))
"""
_IMPORTS = (
    "from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1",
    "from xdsl.interpreter import Interpreter",
    "from xdsl_bufferization.support.reading import context_of_all_dialects as context",
)


@pytest.mark.parametrize("order", [(0, 1, 2), *slow([(0, 2, 1)])])
def test_ops_of_refined_classes_are_interpreted(order: tuple[int, ...]):
    """Whether xDSL's interpreter is imported before the package or behind it."""
    imports = "\n".join(_IMPORTS[i] for i in order)
    run = subprocess.run(
        [sys.executable, "-c", _INTERPRET.format(imports=imports)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout == "True\n", run.stderr


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.name)
def test_a_probe_adds_nothing_to_a_program_that_is_being_built(repair: Repair):
    block = Block()

    with ImplicitBuilder(block):
        repair.is_broken()

    assert not list(block.ops)
