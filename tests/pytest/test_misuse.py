"""What the public functions say of modules that are not valid, and of arguments of other kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Block, Region

from xdsl_bufferization import (
    BufferizationError,
    BufferizePass,
    NewBufferModel,
    OneShotBufferizePass,
    OneShotOptions,
    bufferize,
    one_shot_bufferize,
    register_all,
    register_model,
)
from xdsl_bufferization.former.buffer_deallocation import free_with_copies
from xdsl_bufferization.former.conversion.finalization import finalize
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.semantics.checking.check import check, check_pipeline
from xdsl_bufferization.support.reading import (
    context_of_all_dialects,
    parse_module,
    read_module,
)
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    insert_deallocs,
)
from xdsl_bufferization.universe import UNIVERSE
from xdsl_bufferization.verification.functions import check_decisions

TENSOR = TensorType(f32, [4])
BOUNDARIES = OneShotOptions(bufferize_function_boundaries=True)
CONTEXT = context_of_all_dialects()


def function(returned: int, name: str = "f", arguments: int = 1) -> func.FuncOp:
    """A function from a tensor to a tensor that returns its argument that many times."""
    block = Block(arg_types=[TENSOR])
    block.add_op(func.ReturnOp(*[block.args[0]] * returned))
    return func.FuncOp(name, ([TENSOR] * arguments, [TENSOR]), Region(block))


def valid() -> ModuleOp:
    return ModuleOp([function(1)])


def no_name() -> ModuleOp:
    unnamed = function(1)
    del unnamed.properties["sym_name"]
    return ModuleOp([unnamed])


def no_terminator() -> ModuleOp:
    block = Block(arg_types=[TENSOR])
    return ModuleOp([func.FuncOp("f", ([TENSOR], [TENSOR]), Region(block))])


def called_with(arguments: int, results: int) -> ModuleOp:
    block = Block(arg_types=[TENSOR])
    call = func.CallOp("f", [block.args[0]] * arguments, [TENSOR] * results)
    block.add_ops([call, func.ReturnOp(call.results[-1])])
    caller = func.FuncOp("g", ([TENSOR], [TENSOR]), Region(block))
    return ModuleOp([function(1), caller])


def no_operands() -> ModuleOp:
    block = Block(arg_types=[TENSOR])
    insert = tensor.InsertOp.create(operands=[], result_types=[TENSOR])
    block.add_ops([insert, func.ReturnOp(insert.results[0])])
    return ModuleOp([func.FuncOp("f", ([TENSOR], [TENSOR]), Region(block))])


def no_value() -> ModuleOp:
    block = Block(arg_types=[TENSOR])
    constant = arith.ConstantOp.create(result_types=[TENSOR])
    block.add_ops([constant, func.ReturnOp(constant.results[0])])
    return ModuleOp([func.FuncOp("f", ([TENSOR], [TENSOR]), Region(block))])


def value_from_nowhere() -> ModuleOp:
    block = Block(arg_types=[TENSOR])
    empty = tensor.EmptyOp([], TENSOR)
    block.add_op(func.ReturnOp(empty.tensor))
    return ModuleOp([func.FuncOp("f", ([TENSOR], [TENSOR]), Region(block))])


INVALID: dict[str, tuple[Callable[[], ModuleOp], str]] = {
    "more operands": (lambda: ModuleOp([function(2)]), "'func.return' is not valid"),
    "fewer operands": (lambda: ModuleOp([function(0)]), "'func.return' is not valid"),
    "other arguments": (
        lambda: ModuleOp([function(1, arguments=2)]),
        "'func.func' is not valid",
    ),
    "one name": (
        lambda: ModuleOp([function(1), function(1)]),
        "'func.func' is not valid: Redefinition of symbol",
    ),
    "no name": (no_name, "'func.func' is not valid: "),
    "no terminator": (no_terminator, "'func.func' is not valid: "),
    "no block": (lambda: ModuleOp(Region()), "'builtin.module' is not valid: "),
    "two blocks": (
        lambda: ModuleOp(Region([Block(), Block()])),
        "'builtin.module' is not valid: ",
    ),
    "call of more arguments": (
        lambda: called_with(2, 1),
        "'func.call' is not valid: incorrect number of operands",
    ),
    "call of more results": (
        lambda: called_with(1, 2),
        "'func.call' is not valid: incorrect number of results",
    ),
    "no operands": (no_operands, "'tensor.insert' is not valid: "),
    "no value": (no_value, "'arith.constant' is not valid: "),
    "no definition": (value_from_nowhere, "'func.func' is not valid: "),
}


def one_shot_without_boundaries(context: Context, module: ModuleOp) -> None:
    one_shot_bufferize(context, module)


def one_shot_with_boundaries(context: Context, module: ModuleOp) -> None:
    one_shot_bufferize(context, module, BOUNDARIES)


def run_bufferize(context: Context, module: ModuleOp) -> None:
    BufferizePass().apply(context, module)


def run_one_shot_bufferize(context: Context, module: ModuleOp) -> None:
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(context, module)


def analyze(context: Context, module: ModuleOp) -> None:
    OneShotBufferization(module, BOUNDARIES).analyze()


def run_check(context: Context, module: ModuleOp) -> None:
    check_pipeline(context, module, "bufferize")


@pytest.mark.parametrize("module, said", INVALID.values(), ids=INVALID)
@pytest.mark.parametrize(
    "call", [bufferize, one_shot_without_boundaries, one_shot_with_boundaries]
)
def test_modules_are_verified(
    call: Callable[[Context, ModuleOp], None], module: Callable[[], ModuleOp], said: str
):
    invalid = module()
    ops = [*invalid.walk()]
    with pytest.raises(BufferizationError) as error:
        call(CONTEXT, invalid)
    assert str(error.value).startswith(said)
    assert [*invalid.walk()] == ops


@pytest.mark.parametrize(
    "name", ["more operands", "no name", "no block", "call of more arguments"]
)
@pytest.mark.parametrize(
    "call", [run_bufferize, run_one_shot_bufferize, analyze, run_check, report_on]
)
def test_failures_are_blamed_on_invalid_modules(
    call: Callable[[Context, ModuleOp], object], name: str
):
    module, said = INVALID[name]
    with pytest.raises(BufferizationError) as error:
        call(CONTEXT, module())
    assert str(error.value).startswith(said)


def test_the_failure_is_told_with_the_blame():
    with pytest.raises(BufferizationError) as error:
        run_bufferize(CONTEXT, no_name())
    message = str(error.value)
    assert "  hint: verify the program before " in message
    assert "it has raised KeyError: 'sym_name', at " in message


def test_other_failures_are_raised_as_they_are(monkeypatch: pytest.MonkeyPatch):
    def fail(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError("a fault of this package")

    monkeypatch.setattr(OneShotBufferization, "_analyze", fail)
    with pytest.raises(ZeroDivisionError, match="a fault of this package"):
        one_shot_bufferize(CONTEXT, valid())


PASSES = {
    name: pass_class
    for name, factory in UNIVERSE.all_passes.items()
    if hasattr(pass_class := factory(), "former_options")
}


@pytest.mark.parametrize("name", PASSES)
def test_passes_take_modules_only(name: str):
    with pytest.raises(TypeError) as error:
        PASSES[name]().apply(CONTEXT, function(1))  # pyright: ignore[reportArgumentType]
    assert str(error.value) == (
        f"{name} takes a ModuleOp, not 'func.func': give it the module around the op, or put "
        "a clone into a ModuleOp"
    )


OTHER_KINDS: dict[str, tuple[Callable[[Any], object], str]] = {
    "function": (
        lambda _: bufferize(CONTEXT, function(1)),  # pyright: ignore[reportArgumentType]
        "bufferize takes a ModuleOp, not 'func.func': give it the module around",
    ),
    "swapped": (
        lambda any: any(bufferize)(valid(), CONTEXT),
        "a ModuleOp, not a value",
    ),
    "text": (
        lambda any: any(bufferize)(CONTEXT, "func.func"),
        "not a value of type str",
    ),
    "no context": (
        lambda any: any(bufferize)(None, valid()),
        "takes a Context, not None",
    ),
    "class of options": (
        lambda any: any(bufferize)(CONTEXT, valid(), BufferizePass),
        "takes a BufferizePass, not the class BufferizePass",
    ),
    "other options": (
        lambda any: any(bufferize)(CONTEXT, valid(), BOUNDARIES),
        "bufferize takes a BufferizePass, not a value of type OneShotOptions: BufferizePass has "
        "the same fields, and more",
    ),
    "one-shot, function": (
        lambda any: any(one_shot_bufferize)(CONTEXT, function(1)),
        "one_shot_bufferize takes a ModuleOp, not 'func.func'",
    ),
    "one-shot, dictionary": (
        lambda any: any(one_shot_bufferize)(CONTEXT, valid(), {}),
        "one_shot_bufferize takes an OneShotOptions, not a value of type dict",
    ),
    "stages, function": (
        lambda any: any(OneShotBufferization)(function(1), BOUNDARIES),
        "OneShotBufferization takes a ModuleOp, not 'func.func'",
    ),
    "stages, no options": (
        lambda any: any(OneShotBufferization)(valid(), None),
        "OneShotBufferization takes an OneShotOptions, not None",
    ),
    "deallocs": (
        lambda any: any(insert_deallocs)(None),
        "takes an Operation, not None",
    ),
    "copies": (
        lambda any: any(free_with_copies)("text"),
        "takes an Operation, not a va",
    ),
    "finalize": (
        lambda any: any(finalize)(function(1)),
        "finalize takes a ModuleOp, not",
    ),
    "report": (lambda any: any(report_on)(CONTEXT, None), "report_on takes a ModuleOp"),
    "report's options": (
        lambda any: any(report_on)(CONTEXT, valid(), BOUNDARIES),
        "report_on takes a BufferizePass, not a value of type OneShotOptions",
    ),
    "check": (
        lambda any: any(check)(valid(), function(1)),
        "check takes a ModuleOp, not",
    ),
    "check's options": (
        lambda any: any(check)(valid(), valid(), 3),
        "a CheckOptions, not",
    ),
    "check_pipeline": (
        lambda any: any(check_pipeline)(CONTEXT, function(1), "bufferize"),
        "check_pipeline takes a ModuleOp, not 'func.func'",
    ),
    "check_decisions": (
        lambda any: any(check_decisions)(None),
        "takes a ModuleOp, not N",
    ),
    "register_all": (lambda any: any(register_all)(None), "register_all takes a"),
    "bytes": (
        lambda any: any(parse_module)(CONTEXT, b"", "f"),
        "parse_module takes a str",
    ),
    "parse, swapped": (
        lambda any: any(parse_module)("", CONTEXT, "f"),
        "parse_module takes a Context, not a value of type str",
    ),
}


@pytest.mark.parametrize("call, said", OTHER_KINDS.values(), ids=OTHER_KINDS)
def test_arguments_of_other_kinds(call: Callable[[Any], object], said: str):
    def untyped(callee: Any) -> Any:
        return callee

    with pytest.raises(TypeError) as error:
        call(untyped)
    assert said in str(error.value)


@pytest.mark.parametrize("key", [None, 3, "", NewBufferModel(), function(1), Context])
def test_models_of_what_is_no_op(key: Any):
    with pytest.raises(
        BufferizationError, match="is to be registered for a class of ops"
    ):
        register_model(key, NewBufferModel())


def test_files_are_named_by_strings_too(tmp_path: Any):
    path = tmp_path / "program.mlir"
    path.write_text("func.func private @f()")
    assert isinstance(read_module(CONTEXT, str(path)), ModuleOp)


PROGRAM = """
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def test_a_module_that_is_analysed_twice_is_rewritten_once():
    module = parse_module(CONTEXT, PROGRAM, "f.mlir")
    one_shot = OneShotBufferization(module, BOUNDARIES)
    one_shot.analyze()
    one_shot.analyze()
    one_shot.rewrite()
    assert str(module).count("memref.copy") == 1


def test_a_module_is_analysed_before_it_is_rewritten():
    module = parse_module(CONTEXT, PROGRAM, "f.mlir")
    before = str(module)
    one_shot = OneShotBufferization(module, BOUNDARIES)
    with pytest.raises(BufferizationError, match="call analyze first"):
        one_shot.rewrite()
    assert str(module) == before
    one_shot.analyze()
    one_shot.rewrite()
    with pytest.raises(BufferizationError, match="call analyze first"):
        one_shot.rewrite()
