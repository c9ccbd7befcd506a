"""
A mistake in the `bufferize` of a model is told in one message, which names the model and the op,
and the module is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, f32, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.rewriter import InsertPoint

from xdsl_bufferization import (
    BufferizableOpInterface,
    BufferizationError,
    NewBufferModel,
    OneShotBufferizePass,
    OneShotOptions,
    bufferize,
    one_shot_bufferize,
    register_model,
)
from xdsl_bufferization.former.conversion.function_patterns import (
    BufferizeOpPattern,
    apply_bufferization_patterns,
)
from xdsl_bufferization.former.conversion.type_converter import BufferizeTypeConverter
from xdsl_bufferization.interfaces import registry
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    Decisions,
    ForwardedCopy,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.models.shared.destinations import UpdateModel
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

PROGRAM = """
func.func @callee(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %s = "blas.other"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %r, %n = "blas.op"(%s, %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, f32)
  %t = "blas.other"(%r) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %t, %n : tensor<8xf32>, f32
}
func.func @caller(%x: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %r:2 = func.call @callee(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, f32)
  func.return %r#0, %r#1 : tensor<8xf32>, f32
}
"""
BUFFER = MemRefType(f32, [8])

Rewrite = Callable[[Operation, Bufferizer], None]


class Other(NewBufferModel):
    """Computes a new tensor."""


@pytest.fixture(autouse=True)
def forget_the_models() -> Iterator[None]:
    register_model("blas.other", Other())
    yield
    for interface in registry.OpInterface.__subclasses__():
        for name in ("blas.op", "blas.other"):
            vars(interface).get("_models", {}).pop(name, None)
        vars(interface).get("_answers", {}).clear()


def run_function(context: Context, module: ModuleOp) -> None:
    one_shot_bufferize(
        context, module, OneShotOptions(bufferize_function_boundaries=True)
    )


def run_pass(context: Context, module: ModuleOp) -> None:
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(context, module)


def refusal(
    model: BufferizableOpInterface,
    run: Callable[[Context, ModuleOp], None] = run_function,
) -> str:
    """What is said of the program if `blas.op` has the model."""
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, PROGRAM, "f.mlir")
    before = str(module)
    register_model("blas.op", model)
    with pytest.raises(BufferizationError) as error:
        run(context, module)
    assert str(module) == before
    module.verify()
    return str(error.value)


def rewriting(rewrite: Rewrite) -> BufferizableOpInterface:
    """A model `Wrong`, of results in operand #1, of which this is the `bufferize`."""

    class Wrong(BufferizableOpInterface):
        def aliasing_values(
            self, op: Operation, operand: int, state: AnalysisState
        ) -> Sequence[AliasingValue]:
            return [AliasingValue(op.results[0])] if operand == 1 else []

        def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
            rewrite(op, bufferizer)

    return Wrong()


def number(bufferizer: Bufferizer) -> SSAValue:
    """A new value of type f32."""
    return bufferizer.insert(test_dialect.TestOp(result_types=[f32])).results[0]


def raise_error(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.alloc(BUFFER)
    raise RuntimeError("no such kernel")


def too_few(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [bufferizer.buffer(op.operands[1])])


def none_of_them(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [None, number(bufferizer)])


def too_many(op: Operation, bufferizer: Bufferizer) -> None:
    buffer = bufferizer.buffer(op.operands[1])
    bufferizer.replace(op, [buffer, number(bufferizer), buffer])


def of_type(type: Attribute) -> Rewrite:
    def rewrite(op: Operation, bufferizer: Bufferizer) -> None:
        buffer = bufferizer.insert(test_dialect.TestOp(result_types=[type])).results[0]
        bufferizer.replace(op, [buffer, number(bufferizer)])

    return rewrite


def a_tensor(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [op.operands[1], number(bufferizer)])


def another_number(op: Operation, bufferizer: Bufferizer) -> None:
    buffer = bufferizer.buffer(op.operands[1])
    bufferizer.replace(
        op,
        [buffer, bufferizer.insert(test_dialect.TestOp(result_types=[f64])).results[0]],
    )


def no_value(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [3, 4])  # pyright: ignore[reportArgumentType] # the mistake


def nothing(op: Operation, bufferizer: Bufferizer) -> None:
    pass


def erase(op: Operation, bufferizer: Bufferizer) -> None:
    op.detach()
    op.erase(safe_erase=False)


def erase_safely(op: Operation, bufferizer: Bufferizer) -> None:
    op.detach()
    op.erase()


def use_tensors(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.insert(test_dialect.TestOp(operands=[op.operands[0]]))
    bufferizer.replace(op, [bufferizer.buffer(op.operands[1]), number(bufferizer)])


def use_tensors_by_a_builder(op: Operation, bufferizer: Bufferizer) -> None:
    Builder(InsertPoint.before(op)).insert(
        test_dialect.TestOp(operands=[op.operands[1]])
    )
    bufferizer.replace(op, [bufferizer.buffer(op.operands[1]), number(bufferizer)])


def make_an_invalid_op(op: Operation, bufferizer: Bufferizer) -> None:
    buffer = bufferizer.buffer(op.operands[1])
    bufferizer.insert(memref.LoadOp.create(operands=[buffer], result_types=[f32]))
    bufferizer.replace(op, [buffer, number(bufferizer)])


def insert_nothing(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [memref.AllocOp.get(f32, 64, [8]), number(bufferizer)])


def insert_no_write(op: Operation, bufferizer: Bufferizer) -> None:
    new = bufferizer.alloc(BUFFER)
    memref.CopyOp(bufferizer.buffer(op.operands[0]), new)
    bufferizer.replace(op, [new, number(bufferizer)])


def insert_the_last_only(op: Operation, bufferizer: Bufferizer) -> None:
    new = memref.AllocOp.get(f32, 64, [8])
    cast = bufferizer.insert(memref.CastOp.get(new, BUFFER))
    bufferizer.replace(op, [cast, number(bufferizer)])


def forward_another(op: Operation, bufferizer: Bufferizer) -> None:
    bufferizer.replace(op, [bufferizer.buffer(op.operands[0]), number(bufferizer)])


def view_another(op: Operation, bufferizer: Bufferizer) -> None:
    view = bufferizer.buffer(op.operands[0])
    for sizes in ([DYNAMIC_INDEX], [8]):
        view = bufferizer.insert(memref.CastOp.get(view, MemRefType(f32, sizes))).dest
    bufferizer.replace(op, [view, number(bufferizer)])


NOT_DECLARED = (
    "puts result #0 into the buffer of operand #0: Wrong.aliasing_values has to return "
)
IN_PLACE_OF_0 = "in place of result #0, where a buffer of tensor<8xf32> is needed"


@pytest.mark.parametrize("run", [run_function, run_pass, bufferize])
@pytest.mark.parametrize(
    "rewrite, said",
    [
        (raise_error, "raises RuntimeError: no such kernel, at "),
        (too_few, "gives nothing in place of result #1, which is used"),
        (none_of_them, "gives nothing in place of result #0, which is used"),
        (too_many, "replaces 3 results of an op that has 2"),
        (of_type(f32), f"gives a value of type f32 {IN_PLACE_OF_0}"),
        (
            of_type(MemRefType(f32, [4])),
            f"gives a value of type memref<4xf32> {IN_PLACE_OF_0}",
        ),
        (
            of_type(MemRefType(f64, [8])),
            f"gives a value of type memref<8xf64> {IN_PLACE_OF_0}",
        ),
        (a_tensor, f"gives a value of type tensor<8xf32> {IN_PLACE_OF_0}"),
        (
            another_number,
            "gives a value of type f64 in place of result #1, where f32 is needed",
        ),
        (no_value, "raises "),
        (nothing, "leaves the op on tensors: pass the buffers of its results to "),
        (erase, "takes the op out of its block"),
        (erase_safely, "raises "),
        (use_tensors, "makes a 'test.op' whose operand #0 is a tensor that has become"),
        (
            use_tensors_by_a_builder,
            "makes a 'test.op' whose operand #0 is a tensor that has become",
        ),
        (
            insert_nothing,
            "takes a result of a 'memref.alloc' in place of result #0, and ",
        ),
        (insert_no_write, "makes a 'memref.copy', and does not insert it: pass it to "),
        (insert_the_last_only, "'memref.alloc' as operand #0 of a 'memref.cast', and "),
        (forward_another, NOT_DECLARED),
        (view_another, NOT_DECLARED),
    ],
)
def test_mistakes(
    rewrite: Rewrite, said: str, run: Callable[[Context, ModuleOp], None]
):
    message = refusal(rewriting(rewrite), run)
    first, *others = message.split("\n")
    assert first.startswith("'blas.op' has a model with a mistake: Wrong.bufferize "), (
        message
    )
    assert said in first
    assert others[0].startswith("  at: f.mlir:4:12")


@pytest.mark.parametrize("run", [run_function, run_pass, bufferize])
def test_an_op_that_is_not_valid(run: Callable[[Context, ModuleOp], None]):
    message = refusal(rewriting(make_an_invalid_op), run)
    assert message.startswith("'memref.load' is not valid: ")
    assert "f.mlir:4:12" in message
    assert "  hint: Wrong.bufferize has made it" in message


def test_a_result_may_be_in_the_buffer_of_one_of_equal_operands():
    register_model("blas.op", rewriting(view_another))
    context = context_of_all_dialects(allow_unregistered=True)
    text = PROGRAM.replace('"blas.op"(%s, %y)', '"blas.op"(%s, %s)')
    run_function(context, parse_module(context, text, "f.mlir"))


def test_a_memref_that_is_not_declared():
    class Wrong(BufferizableOpInterface):
        def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
            bufferizer.replace(op, bufferizer.operands(op))

    context = context_of_all_dialects(allow_unregistered=True)
    text = """
    %t = tensor.empty() : tensor<8xf32>
    %m = "blas.op"(%t) : (tensor<8xf32>) -> memref<8xf32>
    """
    register_model("blas.op", Wrong())
    with pytest.raises(BufferizationError, match=r"Wrong\.memrefs has to return"):
        one_shot_bufferize(context, parse_module(context, text, "f.mlir"))


def test_a_tensor_that_is_used_elsewhere():
    def use_later(op: Operation, bufferizer: Bufferizer) -> None:
        user = test_dialect.TestOp(operands=[op.operands[0]])
        Builder(InsertPoint.after(op)).insert(user)
        bufferizer.replace(op, [bufferizer.buffer(op.operands[1]), number(bufferizer)])

    message = refusal(rewriting(use_later))
    assert message.startswith(
        "'blas.other' has become an op on buffers, and one of its "
    )
    assert "the use: " in message
    assert "test.op" in message


def test_errors_that_are_raised_on_purpose():
    def refuse(op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.alloc(BUFFER)
        raise bufferizer.error("has no kernel")

    assert refusal(rewriting(refuse)).startswith("'blas.op' has no kernel\n")


def test_a_method_of_a_base_class_that_is_misled():
    class Misled(UpdateModel):
        destination = 1

        def buffer_type(
            self, op: Operation, value: SSAValue, types: BufferTypes
        ) -> Any:
            return f32

        def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
            bufferizer.alloc(bufferizer.buffer_type(op.results[0]))

    message = refusal(Misled()).split("\n")[0]
    assert (
        "Misled.buffer_type returns f32 for tensor<8xf32>, but is to return" in message
    )


class WrongCopies(BufferizableOpInterface):
    def forwarded_copies(
        self, op: Operation, decisions: Decisions, options: OneShotOptions
    ) -> Sequence[ForwardedCopy]:
        return [op]  # pyright: ignore[reportReturnType] # the mistake


class RaisingType(UpdateModel):
    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return MemRefType(f32, [8], None, self.space)  # pyright: ignore # the mistake

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.buffer_type(op.results[0])


class RaisingVerifier(BufferizableOpInterface):
    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        raise KeyError("kind")


@pytest.mark.parametrize(
    "model, said",
    [
        (RaisingType(), "RaisingType.buffer_type raises AttributeError: "),
        (RaisingVerifier(), "RaisingVerifier.verify_op raises KeyError: 'kind', at "),
    ],
)
def test_other_methods_that_raise(model: BufferizableOpInterface, said: str):
    message = refusal(model)
    assert message.startswith(f"'blas.op' has a model with a mistake: {said}")
    assert "f.mlir:4:12" in message


def test_forwarded_copies_of_another_type():
    context = context_of_all_dialects(allow_unregistered=True)
    text = """
    "blas.op"() ({
      %t = tensor.empty() : tensor<8xf32>
    }) : () -> ()
    %t = tensor.empty() : tensor<8xf32>
    "blas.op"(%t) ({
    }) : (tensor<8xf32>) -> ()
    """
    register_model("blas.op", WrongCopies())
    with pytest.raises(
        BufferizationError, match=r"WrongCopies\.forwarded_copies returns"
    ):
        one_shot_bufferize(context, parse_module(context, text, "f.mlir"))


def test_partial_bufferization_tells_them_too():
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, PROGRAM, "f.mlir")
    before = str(module)
    register_model("blas.op", rewriting(raise_error))
    patterns: list[RewritePattern] = [
        BufferizeOpPattern(
            BufferizeTypeConverter(), lambda op: op_name(op) == "blas.op"
        )
    ]
    with pytest.raises(
        BufferizationError, match=r"Wrong\.bufferize raises RuntimeError"
    ):
        apply_bufferization_patterns(module, patterns)
    assert str(module) == before
