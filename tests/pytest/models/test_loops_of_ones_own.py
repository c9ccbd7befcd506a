"""A loop of another dialect that reads a tensor, its operand before the inits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.ir import Operation

from tests.peer.runner import parse_module
from xdsl_bufferization import (
    BufferizableOpInterface,
    BufferizationError,
    BufferizePass,
    register_model,
)
from xdsl_bufferization.interfaces.bufferizable import AliasingValue, AnalysisState
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.models.shared.region_ops import LoopModel, YieldModel
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.reading import context_of_all_dialects


class MaskedLoopModel(LoopModel):
    """Operands: trip count, mask, inits. All block arguments are carried."""

    def first_init(self, op: Operation) -> int:
        return 2

    def first_argument(self, op: Operation) -> int:
        return 0


class IncrementModel(BufferizableOpInterface):
    """Increments its operand in place; on buffers it has no result."""

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return True

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        operands = bufferizer.operands(op)
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op, operands)


register_model("masked.loop", MaskedLoopModel())
register_model("masked.yield", YieldModel())
register_model("masked.increment", IncrementModel())


def bufferized(init: str, changed: str, read: str) -> Sequence[str]:
    """
    What `bufferize` makes of a loop that starts with `init` and yields `changed`, one element
    of it set, while it reads `%mask`; `read` is read after it. The ops, one a line.
    """
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(f"""
      func.func @f(%n: index, %mask: tensor<4xf32>, %t: tensor<4xf32>, %x: f32, %i: index) -> f32 {{
        %r = "masked.loop"(%n, %mask, {init}) ({{
        ^bb0(%a: tensor<4xf32>):
          %b = tensor.insert %x into {changed}[%i] : tensor<4xf32>
          "masked.yield"(%b) : (tensor<4xf32>) -> ()
        }}) : (index, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %y = tensor.extract {read}[%i] : tensor<4xf32>
        %z = tensor.extract %r[%i] : tensor<4xf32>
        %s = arith.addf %y, %z : f32
        func.return %s : f32
      }}
    """)
    layout = LayoutMapOption.IDENTITY
    BufferizePass(function_boundary_type_conversion=layout).apply(context, module)
    module.verify()
    return str(module).splitlines()


@pytest.mark.parametrize(
    "init, changed, read, copies",
    [
        ("%t", "%a", "%r", 0),
        ("%t", "%a", "%mask", 0),
        ("%t", "%a", "%t", 1),
        # The loop goes on reading the mask while it would write it.
        ("%mask", "%a", "%r", 1),
        # The next iteration inserts into the mask again; the loop carries another buffer.
        ("%t", "%mask", "%r", 2),
    ],
)
def test_what_the_loop_reads_is_not_written(
    init: str, changed: str, read: str, copies: int
):
    lines = bufferized(init, changed, read)
    assert sum("memref.copy" in line for line in lines) == copies
    (loop,) = [line for line in lines if "masked.loop" in line]
    assert '"masked.loop"(%n, %mask, ' in loop
    allocated = sum("memref.alloc" in line for line in lines)
    assert sum("memref.dealloc" in line for line in lines) == allocated


def test_tensor_among_the_arguments_that_are_not_carried():
    class Wrong(LoopModel):
        def first_init(self, op: Operation) -> int:
            return 1

    register_model("masked.wrong", Wrong())
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module("""
      func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
        %r = "masked.wrong"(%t, %u) ({
        ^bb0(%m: tensor<4xf32>, %a: tensor<4xf32>):
          "masked.yield"(%a) : (tensor<4xf32>) -> ()
        }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        func.return %r : tensor<4xf32>
      }
    """)
    with pytest.raises(BufferizationError, match="before the loop-carried ones") as e:
        BufferizePass().apply(context, module)
    assert "hint: Wrong.first_argument says where they start" in str(e.value)


def test_op_with_a_model_for_bufferization_only_frees_nothing():
    """Deallocation needs no second model of an op that returns no memrefs."""
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module("""
      func.func @f(%i: index) -> f32 {
        %x = arith.constant 1.0 : f32
        %t = tensor.splat %x : tensor<4xf32>
        %u = "masked.increment"(%t) : (tensor<4xf32>) -> tensor<4xf32>
        %y = tensor.extract %u[%i] : tensor<4xf32>
        func.return %y : f32
      }
    """)
    BufferizePass().apply(context, module)
    assert '"masked.increment"(%t) : (memref<4xf32>) -> ()' in str(module)
    assert "memref.dealloc %t" in str(module)
