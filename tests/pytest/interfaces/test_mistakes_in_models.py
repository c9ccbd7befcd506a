"""A mistake in a model is told in one sentence, which names the model and the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Dialect, Operation, OpResult
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)

from xdsl_bufferization import (
    BufferizableOpInterface,
    BufferizationError,
    BufferizePass,
    DestinationStyleModel,
    NewBufferModel,
    register_model,
)
from xdsl_bufferization.interfaces import registry
from xdsl_bufferization.interfaces.bufferizable import AliasingValue, AnalysisState
from xdsl_bufferization.models.shared.destinations import UpdateModel
from xdsl_bufferization.models.shared.region_ops import LoopModel
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

PROGRAM = """
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = "blas.op"(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
"""


@pytest.fixture(autouse=True)
def forget_the_model() -> Iterator[None]:
    yield
    for interface in registry.OpInterface.__subclasses__():
        vars(interface).get("_models", {}).pop("blas.op", None)
        vars(interface).get("_answers", {}).clear()


def refusal(model: object, program: str = PROGRAM) -> str:
    """What is said of the program if `blas.op` has the model."""
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, program, "f.mlir")
    before = structure(module)
    try:
        register_model("blas.op", model)  # pyright: ignore[reportArgumentType] # the mistake
        BufferizePass().apply(context, module)
    except BufferizationError as error:
        assert structure(module) == before
        return str(error)
    raise AssertionError("it is not refused")


def structure(module: ModuleOp) -> str:
    """The module without names of blocks."""
    return str(module.clone())


class Init(DestinationStyleModel):
    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)


def init(answer: object) -> DestinationStyleModel:
    class Wrong(DestinationStyleModel):
        def inits(self, op: Operation) -> Any:
            return answer

    return Wrong()


def test_a_class_in_place_of_an_object():
    assert refusal(Init) == (
        "Init, given as the model of 'blas.op', is a class: a model is an object, Init()"
    )


@pytest.mark.parametrize("thing", [3, None, lambda: Init()])
def test_an_object_that_is_no_model(thing: object):
    message = refusal(thing)
    assert message.startswith(
        f"{thing!r} is registered for 'blas.op', but is no model: "
    )
    assert "\n" not in message


def test_a_method_that_is_not_given():
    class Forgotten(DestinationStyleModel):
        pass

    assert refusal(Forgotten()) == (
        "Forgotten, the model of 'blas.op', does not define the method inits: The indices "
        "of the operands that are inits, in ascending order."
    )


def test_an_operand_that_the_op_does_not_have():
    assert refusal(init((2,))).startswith(
        "'blas.op' has a model with a mistake: Wrong.inits returns (2,), but is to return a "
        "sequence of indices of operands, each from 0 to 1\n  at: f.mlir:3:8: in @f\n"
    )


@pytest.mark.parametrize("inits, number", [((), 0), ((0, 1), 2)])
def test_another_number_of_inits_than_of_results(inits: tuple[int, ...], number: int):
    assert (
        f"Wrong.inits returns {number} different tensors, but there is to be one for each "
        "tensor among the results, which are 1"
    ) in refusal(init(inits))


def test_an_init_twice():
    assert "Wrong.inits returns 1 different tensors" in refusal(init((1, 1)))


@pytest.mark.parametrize("answer", [None, 1, "1", (1.0,)])
def test_an_answer_of_another_type(answer: object):
    message = refusal(init(answer))
    assert (
        f"Wrong.inits returns {answer!r}, but is to return a sequence of indices"
        in message
    )


def test_only_ops_with_fewer_operands_lack_the_operand():
    single = '%s = "blas.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>\n  func.return'
    message = refusal(Init(), PROGRAM.replace("func.return", single))
    assert "Init.inits returns (1,)" in message
    assert "each from 0 to 0" in message
    assert "f.mlir:4:8" in message


class NoBool(Init):
    def reads(self, op: Operation, operand: int, state: AnalysisState) -> Any:
        pass


class ANumber(Init):
    def writes(self, op: Operation, operand: int, state: AnalysisState) -> Any:
        return 1


class NoAliases(Init):
    def aliasing_values(self, op: Operation, operand: int, state: AnalysisState) -> Any:
        pass


class Values(Init):
    def aliasing_values(self, op: Operation, operand: int, state: AnalysisState) -> Any:
        return op.results


class Text(Init):
    def defines_contents(self, op: Operation, result: OpResult) -> Any:
        return "no"


class Tuple(Init):
    def read_part(self, op: Operation, operand: int) -> Any:
        return 0, 1


class NoArguments(Init):
    def reads(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride] # the mistake
        return True


class TooFar(Init):
    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return op.operands[7] is op.operands[0]


def test_a_method_of_other_parameters():
    assert refusal(NoArguments()) == (
        "NoArguments, the model of 'blas.op', has a method reads that cannot be called with "
        "(op, operand, state)"
    )


@pytest.mark.parametrize(
    "model, said",
    [
        (NoBool(), "NoBool.reads returns None, but is to return True or False"),
        (ANumber(), "ANumber.writes returns 1, but is to return True or False"),
        (NoAliases(), "NoAliases.aliasing_values returns None, but is to return a seq"),
        (Values(), "but is to return a sequence of AliasingValue, each of a tensor"),
        (
            Text(),
            "Text.defines_contents returns 'no', but is to return True or False or",
        ),
        (Tuple(), "Tuple.read_part returns (0, 1), but is to return a Slice or None"),
        (TooFar(), "TooFar.reads raises IndexError: "),
    ],
)
def test_other_methods(model: BufferizableOpInterface, said: str):
    message = refusal(model).split("\n")[0]
    assert "has a model with a mistake: " in message
    assert said in message
    if "raises" in said:
        assert ".py:" in message


def test_a_part_is_not_equivalent():
    message = refusal(
        Forwarding(),
        """
func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {
  %r = "blas.op"(%x) : (tensor<8xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
""",
    )
    assert "and BufferRelation.UNKNOWN if that is a part" in message


def test_a_destination_that_the_op_does_not_have():
    class Wrong(UpdateModel):
        destination = 2

    assert "Wrong.destination is 2, but is to be the index" in refusal(Wrong())


def test_sizes_that_are_none():
    class Wrong(NewBufferModel):
        def sizes(self, op: Operation, result: OpResult) -> Any:
            return None

    assert "Wrong.sizes returns None" in refusal(Wrong())


class Repeat(LoopModel):
    def first_init(self, op: Operation) -> int:
        return 1

    def first_argument(self, op: Operation) -> int:
        return 0


LOOP = """
func.func @f(%n: index, %t: tensor<8xf32>) -> tensor<8xf32> {
  %r = "blas.op"(%n, %t) ({
  ^body(%a: tensor<8xf32>):
    "blas.yield"(%a) : (tensor<8xf32>) -> ()
  }) : (index, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
"""
TWO_YIELDS = "(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()\n"
"""In place of the operand of the terminator."""


@pytest.mark.parametrize(
    "text, instead, said",
    [
        (
            "(%a: tensor<8xf32>)",
            "(%a: tensor<8xf32>, %b: f32)",
            "has the loop-carried block arguments (tensor<8xf32>, f32), and returns "
            "(tensor<8xf32>)",
        ),
        (
            "(%a: tensor<8xf32>)",
            "(%c: index, %a: tensor<8xf32>)",
            "has the loop-carried block arguments (index, tensor<8xf32>), and returns",
        ),
        ("(%a) : (tensor<8xf32>) -> ()\n", TWO_YIELDS, "yields (tensor<8xf32>, tensor"),
        ("(%a) : (tensor<8xf32>) -> ()\n", "() : () -> ()\n", "yields (), and returns"),
        ("%n, %t) ({", "%n) ({", "has the inits (), and returns (tensor<8xf32>)"),
        ('    "blas.yield"(%a) : (tensor<8xf32>) -> ()\n', "", "has no terminator"),
    ],
)
def test_a_loop_of_other_values_is_at_fault_itself(text: str, instead: str, said: str):
    program = LOOP.replace(text, instead)
    if "%n) ({" in program:
        program = program.replace("(index, tensor<8xf32>) ->", "(index) ->")
    message = refusal(Repeat(), program)
    assert message.startswith("'blas.op' "), message
    assert said in message.split("\n")[0]
    assert "mistake" not in message
    assert "f.mlir:3:8" in message


def test_a_loop_without_a_block_is_at_fault_itself():
    assert "is a loop, and has to have one block" in refusal(Repeat())


def test_inits_of_a_loop_that_are_not_there():
    class Wrong(Repeat):
        def first_init(self, op: Operation) -> int:
            return 2

    message = refusal(Wrong(), LOOP)
    assert "has the inits (), and returns (tensor<8xf32>)" in message
    assert "hint: Wrong.first_init says where they start" in message


def test_a_negative_index_of_the_inits():
    class Wrong(Repeat):
        def first_init(self, op: Operation) -> int:
            return -1

    assert "Wrong.first_init returns -1, but is to return an index" in refusal(Wrong())


class Forwarding(BufferizableOpInterface):
    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return [AliasingValue(op.results[0])]


def test_a_class_among_the_traits_of_an_op():
    @irdl_op_definition
    class TraitOp(IRDLOperation):
        name = "blas.trait"
        input = operand_def()
        output = result_def()
        traits = traits_def(Forwarding)  # pyright: ignore[reportArgumentType] # the mistake

    context = context_of_all_dialects()
    context.load_dialect(Dialect("blas", [TraitOp]))
    text = PROGRAM.replace(
        '"blas.op"(%x, %y) : (tensor<8xf32>, ', '"blas.trait"(%x) : ('
    )
    module = parse_module(context, text, "f.mlir")
    with pytest.raises(BufferizationError, match="Forwarding, given as the model of"):
        BufferizePass().apply(context, module)


def test_an_entry_point_that_is_not_there(monkeypatch: pytest.MonkeyPatch):
    entry = EntryPoint("missing", "no_such_module:register", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: EntryPoints([entry]))
    context = context_of_all_dialects(allow_unregistered=True)
    text = PROGRAM.replace("blas.op", "missing.op")
    with pytest.raises(
        BufferizationError, match="missing cannot be loaded from no_such"
    ):
        BufferizePass().apply(context, parse_module(context, text, "f.mlir"))


def entry_point_of(
    name: str, monkeypatch: pytest.MonkeyPatch, dialect: str = "blas"
) -> str:
    """What is said of the program if a function of this file registers the model."""
    entry = EntryPoint(dialect, f"{__name__}:{name}", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: EntryPoints([entry]))
    monkeypatch.setattr(registry, "_loaded", {"func"})
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, PROGRAM, "f.mlir")
    with pytest.raises(BufferizationError) as error:
        BufferizePass().apply(context, module)
    return str(error.value)


def register_class():
    register_model("blas.op", Init)  # pyright: ignore[reportArgumentType] # the mistake


def register_nothing() -> None:
    undefined_name()  # noqa: F821 # pyright: ignore[reportUndefinedVariable] # the mistake


def register_other():
    register_model("blas.opp", Init())


def test_a_mistake_in_an_entry_point_is_told_though_a_pass_goes_on(
    monkeypatch: pytest.MonkeyPatch,
):
    # Before one-shot-bufferize asks, eliminate-copies does, which leaves what it cannot do.
    assert "Init, given as the model of 'blas.op', is a class" in entry_point_of(
        "register_class", monkeypatch
    )


def test_an_entry_point_that_fails(monkeypatch: pytest.MonkeyPatch):
    assert "NameError: name 'undefined_name' is not defined" in entry_point_of(
        "register_nothing", monkeypatch
    )


def test_a_model_for_a_misspelt_op(monkeypatch: pytest.MonkeyPatch):
    text = entry_point_of("register_other", monkeypatch)
    assert "register a model for it (there is one for 'blas.opp')" in text


def test_a_misspelt_name_of_an_entry_point(monkeypatch: pytest.MonkeyPatch):
    # A model that another test registers is named first.
    monkeypatch.setattr(BufferizableOpInterface, "named_like", lambda op: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] # any op
    text = entry_point_of("register_other", monkeypatch, "balls")
    assert "(there is an entry point 'balls' in xdsl_bufferization.models)" in text
    assert "(there is" not in entry_point_of("register_other", monkeypatch, "dsp")


def test_an_op_without_results_is_asked_about_its_operands():
    program = f"""
func.func @f(%x: {TensorType(f32, [8])}) {{
  "blas.op"(%x) : (tensor<8xf32>) -> ()
  func.return
}}
"""
    assert "Wrong.inits returns (4,)" in refusal(init((4,)), program)
