"""The table of the stages of `bufferize` is what `bufferize` does."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from tests.environments import PROJECT
from xdsl_bufferization.support.pass_options import command_line_help
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.bufferize_stages import (
    ARENA_PIPELINE,
    PIPELINE,
    STAGES,
    Stage,
)

CONTEXT = context_of_all_dialects()
EXAMPLES = sorted((PROJECT / "examples").glob("*.mlir"))
NAMES = [re.sub(r"\{.*", "", stage.call) for stage in STAGES]
LOOP = """
func.func private @fill(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %r = linalg.fill ins(%x : f32) outs(%t : tensor<16xf32>) -> tensor<16xf32>
  func.return %r : tensor<16xf32>
}
func.func @f(%m: memref<16xf32>, %a: index, %b: index, %c: index, %x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %a to %b step %c iter_args(%s = %zero) -> (f32) {
    %empty = tensor.empty() : tensor<16xf32>
    %filled = func.call @fill(%empty, %x) : (tensor<16xf32>, f32) -> tensor<16xf32>
    %in = bufferization.to_tensor %m restrict : memref<16xf32> to tensor<16xf32>
    %turned = linalg.add ins(%in, %filled : tensor<16xf32>, tensor<16xf32>)
                         outs(%filled : tensor<16xf32>) -> tensor<16xf32>
    %y = tensor.extract %turned[%i] : tensor<16xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  func.return %sum : f32
}
"""


def run(pipeline: str, program: str) -> str:
    module = parse_module(CONTEXT, program, "f.mlir")
    passes = Universe.get_multiverse().all_passes
    PassPipeline.parse_spec(passes, pipeline).apply(CONTEXT, module)
    return str(module)


@pytest.mark.parametrize("program", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_passes_one_after_the_other_do_what_bufferize_does(program: Path):
    text = program.read_text()
    assert run(PIPELINE, text) == run("bufferize", text)


def test_passes_on_buffers_are_the_stages_after_one_shot_bufferize():
    after = NAMES[NAMES.index("one-shot-bufferize") + 1 :]
    assert [p.name for p in BufferizePass().passes_on_buffers()] == after


OPTIONS = [stage.option for stage in STAGES if stage.option]


def test_each_option_is_a_flag_that_is_set():
    defaults = {
        field.name.replace("_", "-"): field.default
        for field in dataclasses.fields(BufferizePass)
    }
    assert [defaults[option] for option in OPTIONS] == [True] * len(OPTIONS)


LEFT_OUT = [
    stage
    for stage in STAGES
    # What is left instead is eliminate-empty-tensors.
    if stage.option and stage.option != "eliminate-copies"
]


@pytest.mark.parametrize("stage", LEFT_OUT, ids=[s.option for s in LEFT_OUT])
def test_an_option_leaves_its_stage_out(stage: Stage):
    others = ",".join(other.call for other in STAGES if other is not stage)
    assert run(f"bufferize{{{stage.option}=false}}", LOOP) == run(others, LOOP)


@pytest.mark.parametrize("option", ["drop-results", "hoist", "free"])
def test_what_an_option_leaves_out_makes_a_difference(option: str):
    assert run(f"bufferize{{{option}=false}}", LOOP) != run("bufferize", LOOP)


def test_arenas_are_planned_before_memory_is_freed():
    (alloc,) = re.findall(r"memref\.alloc.*", run(ARENA_PIPELINE, LOOP))
    assert "memref<64xi8>" in alloc


def test_help_names_each_stage_with_its_option_and_what_is_beside():
    text = command_line_help(BufferizePass)
    for stage in STAGES:
        assert f"\n    {stage.call}" in text
        assert not stage.option or f"({stage.option}=false leaves it out)" in text
    assert ARENA_PIPELINE in text
    assert "Copies: " in text
    assert "Peak: " in text
