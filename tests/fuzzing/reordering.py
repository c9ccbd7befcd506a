"""
What `reorder-for-memory` makes of random programs: lower peaks, no more copies or moves, and the
same results.

    python -m tests.fuzzing.reordering [--programs N] [--first SEED]

Ends with an error at a program that computes something else, or needs more in a function, or less
than what is said to be needed in any order. Prints how many programs were reordered.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import (
    OPTIONS,
    PIPELINE,
    assert_same,
    functions_of,
    random_module,
)
from tests.peer.runner import parse_module
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies
from xdsl_bufferization.tensors.reorder.reordering import reorder_for_memory


def reorder(module: ModuleOp, runs: int, *, eliminate: bool) -> bool:
    """
    Reorder a clone of the program, after `eliminate-copies` if asked, and run it before and after
    bufferization, each time with so many inputs. Returns whether its ops have moved.

    Raises `AssertionError` if that is not right; `BufferizationError` if it cannot be bufferized.
    """
    after = module.clone()
    if eliminate:
        program = eliminate_copies(after, OPTIONS)
    else:
        program = AnalysedModule(after, OPTIONS)
    former = Costs(AnalysedModule(after.clone(), OPTIONS))
    text = str(after)
    reorder_for_memory(program)
    after.verify()
    costs = Costs(AnalysedModule(after, OPTIONS))
    before_by_name = {f.sym_name.data: former.of(f) for f in former}
    for function in functions_of(after):
        name, cost = function.sym_name.data, costs.of(function)
        assert cost.is_no_more_than(before_by_name[name]), name
        assert program.order_bounds.get(function, 0) <= costs.peak(function), name
    if str(after) == text:
        return False
    assert_same(module, after, runs)
    parse_pipeline(PIPELINE).apply(Context(), after)
    after.verify()
    assert_same(module, after, runs)
    return True


def wide_module(seed: int) -> ModuleOp:
    """
    A program with a function whose ops mostly do not depend on each other: elementwise ops on
    tensors of two sizes, slices, in-place writes, stores, calls, and a loop.
    """
    random = Random(seed)
    tensors: dict[int, list[str]] = {8: ["%a", "%b"], 64: ["%c"]}
    lines = ["%f = arith.constant 1.5 : f32", "%i = arith.constant 3 : index"]
    for number in range(random.randint(6, 24)):
        size = random.choice((8, 64))
        own = tensors[size]
        x, y = random.choice(own), random.choice(own)
        type, name = f"tensor<{size}xf32>", f"%v{number}"
        if random.random() < 0.8:
            lines.append(f"%e{number} = tensor.empty() : {type}")
            init = f"%e{number}"
        else:
            init = random.choice(own)
        match random.randrange(8):
            case 0 | 1:
                lines.append(
                    f"{name} = linalg.fill ins(%f : f32) outs({init} : {type}) -> {type}"
                )
            case 2 | 3 | 4:
                lines.append(
                    f"{name} = linalg.add ins({x}, {y} : {type}, {type}) outs({init} : {type})"
                    f" -> {type}"
                )
            case 5:
                offset, size = random.choice((0, 8, 24)), 8
                lines.append(
                    f"{name} = tensor.extract_slice {random.choice(tensors[64])}[{offset}] [8] [1]"
                    " : tensor<64xf32> to tensor<8xf32>"
                )
            case 6:
                offset, size = random.choice((0, 8, 24)), 64
                lines.append(
                    f"{name} = tensor.insert_slice {random.choice(tensors[8])} into"
                    f" {random.choice(tensors[64])}[{offset}] [8] [1]"
                    " : tensor<8xf32> into tensor<64xf32>"
                )
            case _:
                lines.append(
                    random.choice(_EFFECTS).format(
                        x=x, c=random.choice(tensors[64]), number=number, type=type
                    )
                )
                name = f"%r{number}"
                if name not in lines[-1]:
                    continue
                size = 64 if "callee" in lines[-1] else size
        tensors[size].append(name)
    results = [random.choice(tensors[size]) for size in (8, 64)]
    body = "\n  ".join(lines)
    return parse_module(
        f"""
func.func private @callee(%x: tensor<64xf32>, %m: memref<4xf32>) -> tensor<64xf32> {{
  %i = arith.constant 1 : index
  %f = memref.load %m[%i] : memref<4xf32>
  %y = tensor.insert %f into %x[%i] : tensor<64xf32>
  func.return %y : tensor<64xf32>
}}
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<64xf32>, %m: memref<4xf32>)
    -> (tensor<8xf32>, tensor<64xf32>) {{
  {body}
  func.return {", ".join(results)} : tensor<8xf32>, tensor<64xf32>
}}
"""
    )


_EFFECTS = (
    "%s{number} = tensor.extract {x}[%i] : {type}\n"
    "  memref.store %s{number}, %m[%i] : memref<4xf32>",
    "%r{number} = func.call @callee({c}, %m) : (tensor<64xf32>, memref<4xf32>) -> tensor<64xf32>",
    "%l{number} = memref.load %m[%i] : memref<4xf32>\n"
    "  %r{number} = tensor.insert %l{number} into {x}[%i] : {type}",
    "%r{number} = scf.for %j{number} = %i to %i step %i iter_args(%t{number} = {x})"
    " -> ({type}) {{\n"
    "    %q{number} = tensor.insert %f into %t{number}[%j{number}] : {type}\n"
    "    scf.yield %q{number} : {type}\n  }}",
)


def main() -> None:
    """Reorder random programs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    reordered = refused = 0
    families: tuple[Callable[[int], ModuleOp], ...] = (
        wide_module,
        lambda seed: random_module(seed)[1],
    )
    for seed in range(arguments.first, arguments.first + arguments.programs):
        for number in range(4):
            try:
                module = families[number % 2](seed)
                reordered += reorder(module, 2, eliminate=number >= 2)
            except BufferizationError:
                refused += 1
            except Exception as error:
                raise AssertionError(f"seed {seed}, number {number}") from error
    print(f"{reordered} reordered, {refused} refused")


if __name__ == "__main__":
    main()
