"""
Random nests of loops over tiles: what is decided is right, and proved; and there is rarely a
copy that the verifier would accept the program without.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from tests.peer.runner import parse_module
from tests.slow import slow
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.one_shot.bufferization import (
    OneShotBufferization,
    one_shot_bufferize,
)
from xdsl_bufferization.one_shot.decisions.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.verify_bufferization_decisions import (
    VerifyBufferizationDecisionsPass,
)

OPTIONS = OneShotOptions(bufferize_function_boundaries=True)
T = "tensor<16x16xf32>"


def tile_nest(random: Random) -> str:
    """
    A function with one or two loops, the inner of which may be parallel, that computes tiles
    of its argument's size from tiles of the argument.
    """
    kinds = random.choice((["for"], ["forall"], ["for", "for"], ["for", "forall"]))
    lines, closing = [f"func.func @f(%a: {T}) -> {T} {{"], ["}"]
    for number in (0, 2, 4, 8, 16):
        lines.append(f"%c{number} = arith.constant {number} : index")
    closing.insert(0, f"func.return %r0 : {T}")
    steps: dict[str, int] = {}
    carried = "%a"
    for depth, kind in enumerate(kinds):
        variables = [f"%i{depth}"]
        if kind == "forall" and random.random() < 0.5:
            variables.append(f"%j{depth}")
        for variable in variables:
            steps[variable] = random.choice((2, 4, 8))
        of_these = [steps[variable] for variable in variables]
        if kind == "for":
            lines.append(
                f"%r{depth} = scf.for {variables[0]} = %c0 to %c16 "
                f"step %c{of_these[0]} iter_args(%t{depth} = {carried}) -> ({T}) {{"
            )
        else:
            bounds = (str([n] * len(of_these))[1:-1] for n in (0, 16))
            lines.append(
                f"%r{depth} = scf.forall ({', '.join(variables)}) = "
                f"({') to ('.join(bounds)}) step ({str(of_these)[1:-1]}) "
                f"shared_outs(%t{depth} = {carried}) -> ({T}) {{"
            )
        carried = f"%t{depth}"
    written = [random.choice((*steps, "0", "8")) for _ in range(2)]
    sizes = [steps.get(o) or random.choice((2, 8)) for o in written]
    if kinds[-1] == "forall":
        # No two iterations write one element.
        mine = [v for v in steps if v.endswith(str(len(kinds) - 1))]
        written[: len(mine)] = mine
        sizes = [min(steps.get(o, 8), 8) for o in written]
    read = [*written]
    source = "%a"
    if random.random() < 0.5:
        read[random.randrange(2)] = random.choice((*steps, "0", "8"))
    if random.random() < 0.3 and (dim := random.randrange(2), read[dim])[1] in steps:
        lines.append(
            f"%shifted = arith.addi {read[dim]}, %c{random.choice((2, 4, 8))} : index"
        )
        read[dim] = "%shifted"
    if "forall" not in kinds and random.random() < 0.3:
        source = carried
    shape = f"[{sizes[0]}, {sizes[1]}] [1, 1]"
    tile = f"tensor<{sizes[0]}x{sizes[1]}xf32>"
    lines += [
        f"%s = tensor.extract_slice {source}[{', '.join(read)}] {shape} : {T} to {tile}",
        f"%d = tensor.extract_slice {carried}[{', '.join(written)}] {shape} : {T} to {tile}",
        f"%x = linalg.exp ins(%s : {tile}) outs(%d : {tile}) -> {tile}",
    ]
    place = f"{carried}[{', '.join(written)}] {shape} : {tile} into {T}"
    if kinds[-1] == "for":
        lines += [
            f"%n = tensor.insert_slice %x into {place}",
            f"scf.yield %n : {T}",
            "}",
        ]
    else:
        lines += [
            "scf.forall.in_parallel {",
            f"tensor.parallel_insert_slice %x into {place}",
            "}",
            "}",
        ]
    for depth in reversed(range(1, len(kinds))):
        lines += [f"scf.yield %r{depth} : {T}", "}"]
    return "\n".join((*lines, *closing))


def decided(module: ModuleOp) -> ModuleOp:
    """A clone with the decisions."""
    clone = module.clone()
    one_shot = OneShotBufferization(clone, OPTIONS)
    one_shot.analyze()
    one_shot.annotate()
    return clone


def all_in_place(module: ModuleOp) -> bool:
    """Put all operands in place; whether they are already."""
    was = True
    for op in module.walk():
        decisions = op.attributes.get(IN_PLACE_ATTRIBUTE)
        if decisions is not None:
            words = [w.data for w in cast("ArrayAttr[StringAttr]", decisions)]
            was &= "false" not in words
            op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(
                StringAttr("true" if word == "false" else word) for word in words
            )
    return was


def outcomes(seeds: range) -> Iterator[str]:
    """Of each program whose tiles are within bounds, what became of it."""
    proof = VerifyBufferizationDecisionsPass(bufferize_function_boundaries=True)
    for seed in seeds:
        module = parse_module(tile_nest(Random(seed)))
        decisions, after = decided(module), module.clone()
        proof.apply(Context(), decisions)
        one_shot_bufferize(Context(), after, OPTIONS)
        problem = check(module, after, CheckOptions(runs=1)).problem
        if problem is not None:
            assert problem.kind is ProblemKind.NO_INPUT, (seed, problem)
            continue
        if all_in_place(decisions):
            yield "in place"
            continue
        try:
            proof.apply(Context(), decisions)
        except BufferizationError:
            yield "copied"
        else:
            yield "copied, though it may be in place"


@pytest.mark.parametrize("seeds", [range(12), *slow([range(12, 80)])], ids=str)
def test_tiles_that_are_read_first_are_not_copied(seeds: range):
    counts = Counter(outcomes(seeds))
    assert counts["in place"] > counts.total() // 4
    assert counts["copied"] > counts.total() // 4
    assert counts["copied, though it may be in place"] <= counts.total() // 50
