"""`eliminate-moves`: the same results, no more memory, fewer moves and copies together."""

from __future__ import annotations

from random import Random

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.executed_lines import executed_lines
from tests.fuzzing.elimination import OPTIONS, functions_of
from tests.fuzzing.strategy import families_here
from tests.fuzzing.trials import read
from tests.memory_on_buffers import bytes_in
from tests.peer import find_mlir_tools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.slow import first_of
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check,
    parse_pipeline,
)
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import (
    Bytes,
    Copies,
    Cost,
    Moves,
    moves_of,
)
from xdsl_bufferization.transforms.eliminate_moves import eliminate_moves


def program_with_moves(seed: int) -> ModuleOp:
    families = families_here()
    chosen = {"moves", families[seed % len(families)]}
    program = generate_program(Random(seed), chosen, functions=2, ops=8)
    return read(program.text, find_mlir_tools())


def assert_same(before: ModuleOp, after: ModuleOp) -> None:
    report = check(before, after, CheckOptions(runs=2))
    problem = report.problem
    assert problem is None or problem.kind is ProblemKind.NO_INPUT, report


@pytest.mark.parametrize("seeds", first_of(2, range(160), 20), ids=str)
def test_random_programs_compute_the_same(seeds: range):
    for seed in seeds:
        module = program_with_moves(seed)
        changed = module.clone()
        eliminate_moves(changed)
        changed.verify()
        assert_same(module, changed)
        try:
            parse_pipeline("bufferize").apply(Context(), changed)
        except BufferizationError:
            continue
        assert_same(module, changed)


@pytest.mark.parametrize("seeds", first_of(5, range(100), 100), ids=str)
def test_random_programs_have_fewer_moves_and_need_no_more_memory(seeds: range):
    before = after = 0
    for seed in seeds:
        module = program_with_moves(seed)
        changed = module.clone()
        eliminate_moves(changed)
        try:
            former = Costs(AnalysedModule(module, OPTIONS))
        except BufferizationError:
            continue
        costs = Costs(AnalysedModule(changed, OPTIONS))
        for f, g in zip(functions_of(module), functions_of(changed), strict=True):
            first, last = former.of(f), costs.of(g)
            assert last.traffic[0] <= first.traffic[0], seed
            assert last.traffic[1] <= first.traffic[1], seed
            for space, peak in last.peaks.items():
                assert peak <= first.peaks.get(space, 0), seed
            before, after = before + first.moves.number, after + last.moves.number

    assert after < 0.8 * before


def test_moves_are_counted_with_what_they_read_and_write():
    (function,) = functions_of(
        parse_module("""
        func.func @f(%x: tensor<8xf32>, %f: f32) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
          %e = tensor.empty() : tensor<4x8xf32>
          %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
          %b = linalg.broadcast ins(%x : tensor<8xf32>) outs(%z : tensor<4x8xf32>)
               dimensions = [0]
          %g = tensor.empty() : tensor<8x4xf32>
          %t = linalg.transpose ins(%b : tensor<4x8xf32>) outs(%g : tensor<8x4xf32>)
               permutation = [1, 0]
          func.return %b, %t : tensor<4x8xf32>, tensor<8x4xf32>
        }
        """)
    )
    moves = moves_of(function.walk(), bytes_in(function))
    assert moves == Moves(2, 32 + 128 + 128 + 128)


def test_no_copy_makes_room_for_moves():
    copies = Cost(Copies(2, Bytes(64)), {})
    assert Cost(Copies(1, Bytes(32)), {}, Moves(1, 64)).is_no_more_than(copies)
    assert not Cost(Copies(1, Bytes(32)), {}, Moves(2, 36)).is_no_more_than(copies)
    assert not Cost(Copies(1, Bytes(32)), {}, Moves(1, 68)).is_no_more_than(copies)


def test_programs_without_moves_stay_as_they_are():
    text = """
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %r = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
                      outs(%x : tensor<8xf32>) -> tensor<8xf32>
      func.return %r : tensor<8xf32>
    }
    """
    module = parse_module(text)
    before = str(module)
    eliminate_moves(module)
    assert str(module) == before


def _chain(n: int) -> str:
    """Transposes one after the other, each also read by a sum of its own."""
    identity = "affine_map<(d0, d1) -> (d0, d1)>"
    lines = ["%x0 = tensor.empty() : tensor<4x4xf32>"]
    for i in range(n):
        lines += [
            f"%e{i} = tensor.empty() : tensor<4x4xf32>",
            f"%t{i} = linalg.transpose ins(%x{i} : tensor<4x4xf32>) "
            f"outs(%e{i} : tensor<4x4xf32>) permutation = [1, 0]",
            f"%x{i + 1} = linalg.generic {{indexing_maps = "
            f"[{identity}, {identity}, {identity}], "
            'iterator_types = ["parallel", "parallel"]} '
            f"ins(%t{i}, %a : tensor<4x4xf32>, tensor<4x4xf32>) "
            f"outs(%e{i} : tensor<4x4xf32>) {{",
            "^bb0(%p: f32, %q: f32, %o: f32):",
            "  %s = arith.addf %p, %q : f32",
            "  linalg.yield %s : f32",
            "} -> tensor<4x4xf32>",
        ]
    body = "\n".join(lines)
    return (
        "func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
        f"{body}\nfunc.return %x{n} : tensor<4x4xf32>\n}}"
    )


def test_work_is_linear():
    def work(n: int) -> int:
        module = parse_module(_chain(n))
        lines = executed_lines(lambda: eliminate_moves(module))
        assert moves_of(module.walk(), bytes_in(module)).number == 0
        return lines

    _, small, large = (work(n) for n in (2, 20, 80))

    assert large < 4.1 * small
