"""Common subexpressions: what is eliminated is what xDSL's pass `cse` eliminates."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.common_subexpression_elimination import (
    CommonSubexpressionElimination,
)

from tests.executed_lines import executed_lines
from tests.fuzzing.elimination import random_module
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.slow import slow
from xdsl_bufferization.deallocation.common_subexpressions import (
    eliminate_common_subexpressions,
)
from xdsl_bufferization.dialects.memref.ops import ExtractAlignedPointerAsIndexOp
from xdsl_bufferization.support.diagnostics import BufferizationError

PROGRAMS = {
    "in a block": """
        %a = arith.addi %x, %y : i32
        %b = arith.addi %x, %y : i32
        %c = arith.addi %y, %x : i32
        "test.use"(%a, %b, %c) : (i32, i32, i32) -> ()
        """,
    "equal once others are": """
        %a = arith.addi %x, %y : i32
        %b = arith.addi %x, %y : i32
        %c = arith.muli %a, %a : i32
        %d = arith.muli %b, %b : i32
        "test.use"(%c, %d) : (i32, i32) -> ()
        """,
    "other attributes": """
        %a = arith.cmpi slt, %x, %y : i32
        %b = arith.cmpi sgt, %x, %y : i32
        %c = arith.cmpi slt, %x, %y : i32
        %d = arith.cmpi sgt, %x, %y : i32
        %e = arith.cmpi eq, %x, %y : i32
        "test.use"(%a, %b, %c, %d, %e) : (i1, i1, i1, i1, i1) -> ()
        """,
    "in regions": """
        %a = arith.constant 1 : i32
        scf.if %p {
          %b = arith.constant 1 : i32
          %c = arith.constant 2 : i32
          scf.if %p {
            %d = arith.constant 2 : i32
            "test.use"(%b, %c, %d) : (i32, i32, i32) -> ()
          }
        }
        %e = arith.constant 2 : i32
        %f = arith.constant 2 : i32
        "test.use"(%a, %e, %f) : (i32, i32, i32) -> ()
        """,
    "with regions": """
        %a = scf.if %p -> (i32) { scf.yield %x : i32 } else { scf.yield %y : i32 }
        %b = scf.if %p -> (i32) { scf.yield %x : i32 } else { scf.yield %y : i32 }
        %c = scf.if %p -> (i32) { scf.yield %y : i32 } else { scf.yield %x : i32 }
        "test.use"(%a, %b, %c) : (i32, i32, i32) -> ()
        """,
    "reads": """
        %a = memref.load %m[] : memref<i32>
        %b = memref.load %m[] : memref<i32>
        memref.store %x, %m[] : memref<i32>
        %c = memref.load %m[] : memref<i32>
        %d = memref.load %m[] : memref<i32>
        scf.if %p {
          %e = memref.load %m[] : memref<i32>
          "test.use"(%e) : (i32) -> ()
        }
        "test.use"(%a, %b, %c, %d) : (i32, i32, i32, i32) -> ()
        """,
    "allocations, and ops that nothing is known of": """
        %a = memref.alloc() : memref<i32>
        %b = memref.alloc() : memref<i32>
        "test.use"(%a, %b) : (memref<i32>, memref<i32>) -> ()
        %c = "test.op"(%x) : (i32) -> i32
        %d = "test.op"(%x) : (i32) -> i32
        "test.use"(%c, %d) : (i32, i32) -> ()
        """,
    "unused": """
        %a = arith.addi %x, %y : i32
        %b = arith.addi %a, %y : i32
        """,
    "several blocks": """
        %a = arith.addi %x, %y : i32
        cf.br ^bb1
      ^bb1:
        %b = arith.addi %x, %y : i32
        %c = arith.addi %x, %y : i32
        "test.use"(%a, %b, %c) : (i32, i32, i32) -> ()
        """,
    "an isolated function": """
        %a = arith.constant 1 : i32
        func.func @nested() -> i32 {
          %b = arith.constant 1 : i32
          %c = arith.constant 1 : i32
          %d = arith.addi %b, %c : i32
          func.return %d : i32
        }
        "test.use"(%a) : (i32) -> ()
        """,
}


def program(body: str) -> str:
    return f"""
      func.func @f(%x : i32, %y : i32, %p : i1, %m : memref<i32>) {{
        {body}
        func.return
      }}"""


def assert_eliminated_alike(text: str):
    expected, found = parse_module(text), parse_module(text)
    CommonSubexpressionElimination().apply(Context(), expected)
    eliminated = eliminate_common_subexpressions(found)
    assert str(found) == str(expected)
    assert {*eliminated.users} <= {*found.walk()}


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(body: str):
    assert_eliminated_alike(program(body))


@pytest.mark.parametrize("seeds", [range(2), *slow([range(2, 30)])])
def test_random_programs(seeds: range):
    for seed in seeds:
        module = random_module(seed)[1]
        assert_eliminated_alike(str(module))
        try:
            apply("bufferize", module)
        except BufferizationError:
            continue
        assert_eliminated_alike(str(module))


def test_classes_of_one_name():
    """xDSL's passes and this package's make ops of different classes."""
    module = parse_module(program('"test.use"(%x) : (i32) -> ()'))
    use = next(op for op in module.walk() if op.operands)
    block = use.parent
    assert block is not None
    memref_ = block.args[-1]
    pointers = [
        memref.ExtractAlignedPointerAsIndexOp.get(memref_),
        ExtractAlignedPointerAsIndexOp(memref_),
    ]
    block.insert_ops_before(pointers, use)
    use.operands = [pointer.aligned_pointer for pointer in pointers]

    eliminate_common_subexpressions(module)

    assert use.operands[0] is use.operands[1]


def _regions(n: int) -> str:
    lines = (
        f"""
        %a{i} = arith.constant {i} : i32
        scf.if %p {{ "test.use"(%a{i}) : (i32) -> () }}"""
        for i in range(n)
    )
    return program("\n".join(lines))


def _same_operands(n: int) -> str:
    lines = (
        f"""
        %v{i} = memref.subview %big[{i}] [1] [1]
          : memref<1000xi32> to memref<1xi32, strided<[1], offset: {i}>>
        "test.use"(%v{i}) : (memref<1xi32, strided<[1], offset: {i}>>) -> ()"""
        for i in range(n)
    )
    return program("%big = memref.alloc() : memref<1000xi32>" + "".join(lines))


@pytest.mark.parametrize("shape", [_regions, _same_operands])
def test_work_is_linear(shape: Callable[[int], str]):
    _, small, large = (_work_on(parse_module(shape(n))) for n in (2, 50, 200))

    assert large < 4.2 * small


def _work_on(module: ModuleOp) -> int:
    return executed_lines(lambda: eliminate_common_subexpressions(module))
