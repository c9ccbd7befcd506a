"""Repairs are made where xDSL has the fault, and only there."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

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
    if repair.imported is not None:
        import_module(repair.imported)

    assert not repair.is_broken()


_INTERPRET = """
{imports}
from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.interpreters.arith import ArithFunctions

Arith = dialects["arith"]()
compare = next(op for op in Arith.operations if op.name == "arith.cmpi")
one = ConstantOp.from_int_and_width(1, 32)
interpreter = Interpreter(ModuleOp([]))
interpreter.register_implementations(ArithFunctions())
print(interpreter.run_op(compare.create(
    operands=[one.result, one.result],
    result_types=[i1],
    properties={{"predicate": IntegerAttr(0, 64)}},
), (1, 1)))
"""
_IMPORTS = (
    "from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1",
    "from xdsl.interpreter import Interpreter",
    "from xdsl.universe import Universe",
    "dialects = Universe.get_multiverse().all_dialects",
)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1)])
def test_ops_of_refined_classes_are_interpreted(order: tuple[int, ...]):
    """Whether xDSL's interpreter is imported before the package or behind it."""
    imports = "\n".join(_IMPORTS[i] for i in order)
    run = subprocess.run(
        [sys.executable, "-c", _INTERPRET.format(imports=imports)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout == "(True,)\n", run.stderr


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.module)
def test_a_probe_adds_nothing_to_a_program_that_is_being_built(repair: Repair):
    block = Block()

    with ImplicitBuilder(block):
        repair.is_broken()

    assert not list(block.ops)
