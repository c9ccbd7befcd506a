"""Effects of nested ops: each is asked once, and the answers are those of xDSL."""

from __future__ import annotations

from xdsl.traits import get_effects, is_side_effect_free
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from tests.peer.runner import parse_module
from xdsl_bufferization.host.effects import NestedEffects
from xdsl_bufferization.support.regions import walk_all

PROGRAM = """
    func.func private @g()
    func.func @f(%p : i1, %m : memref<i32>, %a : i32) {
      %n = memref.alloc() : memref<i32>
      scf.if %p {
        %l = memref.alloc() : memref<i32>
        scf.if %p {
          %v = memref.load %m[] : memref<i32>
        }
      }
      scf.if %p {
        memref.store %a, %m[] : memref<i32>
      } else {
        %o = memref.alloc() : memref<i32>
      }
      scf.if %p {
        %s = arith.addi %a, %a : i32
      }
      scf.if %p {
        func.call @g() : () -> ()
      }
      scf.if %p {
        memref.dealloc %n : memref<i32>
      }
      "test.op"() : () -> ()
      func.return
    }
    """


def test_answers_are_those_of_xdsl():
    effects = NestedEffects()
    for op in walk_all([parse_module(PROGRAM)]):
        expected, found = get_effects(op), effects.of(op)

        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found.kinds == {effect.kind for effect in expected}
            assert (not found.kinds) == is_side_effect_free(op)
        assert effects.may_be_erased(op) == would_be_trivially_dead(op)
