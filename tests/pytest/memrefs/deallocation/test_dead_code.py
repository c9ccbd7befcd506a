"""Dead code: what is erased is what xDSL's canonicalization erases."""

from __future__ import annotations

import pytest
from xdsl.pattern_rewriter import PatternRewriterListener
from xdsl.transforms.dead_code_elimination import region_dce

from tests.peer.runner import parse_module
from xdsl_bufferization.memrefs.deallocation.canonicalization import erase_dead_code

PROGRAMS = {
    "a chain of unused ops": """
        func.func @f(%a : i32) {
          %b = arith.addi %a, %a : i32
          %c = arith.addi %b, %b : i32
          func.return
        }
        """,
    "uses across a loop of blocks": """
        func.func @f(%a : i32, %p : i1) -> i32 {
          cf.br ^bb1(%a : i32)
        ^bb1(%b : i32):
          %c = arith.addi %b, %a : i32
          %dead = arith.addi %c, %a : i32
          cf.cond_br %p, ^bb1(%c : i32), ^bb2
        ^bb2:
          func.return %c : i32
        }
        """,
    "blocks that cannot be reached": """
        func.func @f(%a : i32) -> i32 {
          %used_there = arith.addi %a, %a : i32
          func.return %a : i32
        ^bb1:
          %b = arith.addi %used_there, %a : i32
          cf.br ^bb2
        ^bb2:
          "test.op"(%b) : (i32) -> ()
          cf.br ^bb1
        }
        """,
    "regions": """
        func.func @f(%p : i1, %m : memref<i32>, %a : i32) {
          scf.if %p {
            %n = memref.alloc() : memref<i32>
            scf.if %p {
              %v = memref.load %m[] : memref<i32>
            }
          }
          scf.if %p {
            %unused = arith.addi %a, %a : i32
            memref.store %a, %m[] : memref<i32>
          }
          %r = scf.if %p -> (i32) {
            "test.op"() : () -> ()
            scf.yield %a : i32
          } else {
            scf.yield %a : i32
          }
          func.return
        }
        """,
    "memory allocated outside of the region that frees it": """
        func.func @f(%p : i1) {
          %n = memref.alloc() : memref<i32>
          scf.if %p {
            memref.dealloc %n : memref<i32>
          }
          %unused = memref.alloc() : memref<i32>
          func.return
        }
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_erases_what_xdsl_erases(program: str):
    expected, module = parse_module(program), parse_module(program)
    changed = region_dce(expected.body)

    assert erase_dead_code(module.body, PatternRewriterListener()) == changed

    assert str(module) == str(expected)
    assert not erase_dead_code(module.body, PatternRewriterListener())


def test_tells_the_listener_what_is_erased():
    module = parse_module(PROGRAMS["a chain of unused ops"])
    erased: list[str] = []
    listener = PatternRewriterListener(
        operation_removal_handler=[
            lambda op: erased.append(str(op.results[0].name_hint))
        ]
    )

    erase_dead_code(module.body, listener)

    assert erased == ["c", "b"]
