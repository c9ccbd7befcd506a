"""The pass that runs all others."""

import gc

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import ReturnOp
from xdsl.passes import ModulePass

from tests.environments import PROJECT
from tests.networks import NETWORKS
from tests.peer.runner import parse_module
from tests.slow import in_turn
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.transforms.buffer_loop_hoisting import BufferLoopHoistingPass
from xdsl_bufferization.transforms.bufferize import BufferizePass, bufferize
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

UNKNOWN_EFFECTS = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index, %m: memref<4xf32>) -> tensor<4xf32> {
  "my.op"(%m) : (memref<4xf32>) -> ()
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def test_a_program_that_can_not_be_freed_is_as_it_was():
    module = parse_module(UNKNOWN_EFFECTS)
    before = str(module)
    with pytest.raises(
        BufferizationError, match=r"'my\.op' may allocate or free memory"
    ):
        BufferizePass().apply(Context(), module)
    assert str(module) == before


NAMED_MEMORY = """
func.func @f(%t: tensor<4xf32> {{{given}}}, %m: memref<4xf32{of_memref}>, %i: index) -> f32 {{
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %u = bufferization.to_tensor %m restrict : memref<4xf32{of_memref}> to tensor<4xf32>
  %f = memref.load %b[%i] : memref<4xf32>
  %r = tensor.insert %f into %u[%i] : tensor<4xf32>
  %g = tensor.extract %r[%i] : tensor<4xf32>
  func.return %g : f32
}}
"""


@pytest.mark.parametrize(
    "given, of_memref, may_be_refused",
    [
        ("", "", False),
        ("bufferization.buffer_layout = affine_map<(i) -> (i)>", "", False),
        ("bufferization.buffer_layout = affine_map<(i) -> (i + 1)>", "", True),
        ("", ", strided<[1], offset: 2>", True),
        ("", ", 1", True),
    ],
)
def test_layouts_and_memory_spaces_may_be_refused(
    given: str, of_memref: str, may_be_refused: bool
):
    module = parse_module(NAMED_MEMORY.format(given=given, of_memref=of_memref))
    one_shot = OneShotBufferization(module, BufferizePass().options())
    one_shot.analyze()
    assert one_shot.may_be_refused_by_rewrite() == may_be_refused


@pytest.mark.parametrize("stage", [p for p in BufferizePass().passes_on_buffers()])
def test_a_program_is_as_it_was_after_an_exception(
    stage: ModulePass, monkeypatch: pytest.MonkeyPatch
):
    def apply(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        op.attributes["new"] = UnitAttr()
        raise AssertionError

    monkeypatch.setattr(type(stage), "apply", apply)
    module = parse_module((PROJECT / "examples" / "filter.mlir").read_text())
    before = str(module)
    with pytest.raises(AssertionError):
        BufferizePass().apply(Context(), module)
    assert str(module) == before


SMALL = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}
"""


@pytest.mark.parametrize("stage", [p for p in BufferizePass().passes_on_buffers()])
def test_the_stage_that_makes_an_invalid_program_is_named(
    stage: ModulePass, monkeypatch: pytest.MonkeyPatch
):
    def apply(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        for nested in op.walk():
            if isinstance(nested, ReturnOp):
                nested.operands = ()

    monkeypatch.setattr(type(stage), "apply", apply)
    module = parse_module(SMALL)
    before = str(module)
    message = f"'func.return' is not valid: .*\n(.*\n)*.*hint: {stage.name} has made it"
    with pytest.raises(BufferizationError, match=message):
        bufferize(Context(), module)
    assert str(module) == before


def test_a_stage_on_tensors_that_makes_an_invalid_program_is_named(
    monkeypatch: pytest.MonkeyPatch,
):
    def fuse(program: AnalysedModule, max_added_work: int) -> None:
        for op in program.module.walk():
            if isinstance(op, IndexCastOp):
                op.operands = ()

    # One-Shot Bufferize does not look at ops that are not on tensors.
    monkeypatch.setattr(f"{BufferizePass.__module__}.fuse_for_memory", fuse)
    module = parse_module("""
    func.func @f(%t: tensor<4xf32>, %i: i32) -> i64 {
      %j = arith.index_cast %i : i32 to index
      %k = arith.index_cast %j : index to i64
      func.return %k : i64
    }
    """)
    before = str(module)
    with pytest.raises(BufferizationError, match="hint: fuse-for-memory has made it"):
        bufferize(Context(), module)
    assert str(module) == before


def test_options_of_all_passes_are_taken():
    module = parse_module(UNKNOWN_EFFECTS)
    options = BufferizePass(copy_before_write=True, touches_only=("my.op",))
    options.apply(Context(), module)
    module.verify()
    assert "tensor" not in str(module)
    assert str(module).count("memref.copy") == 1


def test_the_garbage_collector_is_as_before(monkeypatch: pytest.MonkeyPatch):
    before = gc.get_threshold()
    during: list[tuple[int, int, int]] = []

    def apply(*_: object) -> None:
        during.append(gc.get_threshold())

    monkeypatch.setattr(BufferLoopHoistingPass, "apply", apply)
    BufferizePass(touches_only=("my.op",)).apply(
        Context(), parse_module(UNKNOWN_EFFECTS)
    )
    assert during
    assert during != [before]
    assert gc.get_threshold() == before
    with pytest.raises(BufferizationError):
        BufferizePass().apply(Context(), parse_module(UNKNOWN_EFFECTS))
    assert gc.get_threshold() == before


@pytest.mark.parametrize(
    "eliminated, name", in_turn([True, False], sorted(NETWORKS)[:2])
)
def test_it_does_what_is_done_by_the_passes_one_after_the_other(
    eliminated: bool, name: str
):
    module = NETWORKS[name]()
    options = BufferizePass(eliminate_copies=eliminated)
    expected = module.clone()
    ctx = Context()
    options.run_before(expected)
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(ctx, expected)
    for module_pass in options.passes_on_buffers():
        module_pass.apply(ctx, expected)
    options.apply(ctx, module)
    assert str(module) == str(expected)
