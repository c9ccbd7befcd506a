"""What the networks have that are built here: at any scale, and what makes them hard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import EmptyOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import SymbolTable

from tests.networks import NETWORKS
from tests.networks.decode import Cache, Heads, decode
from tests.networks.dense import dense
from tests.networks.fire import fire
from tests.networks.inception import inception
from tests.networks.layers import floats
from tests.networks.plain import plain
from tests.networks.relations import sizes
from tests.networks.residual import residual
from tests.networks.shuffle import shuffle
from tests.networks.u_shaped import u_shaped
from tests.peer import MlirTools
from tests.peer.runner import print_generic
from xdsl_bufferization.support.names import op_name

CACHE = floats(1, 6, 2)


@pytest.mark.parametrize(
    ("build", "name", "results"),
    [
        (
            lambda: decode(
                layers=3,
                positions=6,
                heads=Heads(3, 1, 2),
                vocabulary=5,
                cache=Cache.IN_MEMORY,
            ),
            "decode",
            [floats(1, 5), *[CACHE] * 6],
        ),
        (lambda: dense(image=12, layers=(4, 1, 2), growth=3), "dense", [floats(1, 10)]),
        (lambda: fire(image=47, squeezed=(2, 3, 4)), "fire", [floats(1, 10)]),
        (lambda: inception(image=9, modules=3), "inception", [floats(1, 10)]),
        (lambda: plain(image=8, depth=1, classes=7), "plain", [floats(1, 7)]),
        (lambda: residual(image=32, blocks=(1, 3, 1)), "residual", [floats(1, 10)]),
        (
            lambda: shuffle(image=64, channels=24, groups=3, units=(1, 2, 1)),
            "shuffle",
            [floats(1, 10)],
        ),
        (
            lambda: u_shaped(image=32, channels=(2, 4, 6, 8), classes=3),
            "u_shaped",
            [floats(1, 3, 32, 32)],
        ),
    ],
    ids=["decode", "dense", "fire", "inception", "plain", "residual", "shuffle", "u"],
)
def test_networks_of_other_scales(
    mlir_tools: MlirTools,
    build: Callable[[], ModuleOp],
    name: str,
    results: list[Attribute],
):
    module = build()
    assert mlir_tools.opt(print_generic(module))
    function = SymbolTable.lookup_symbol(module, name)
    assert isinstance(function, FuncOp)
    assert [*function.function_type.outputs] == results


def accumulates(op: Operation) -> bool:
    """Whether what the op writes to is what its sums start with."""
    return op_name(op).startswith(("linalg.conv", "linalg.matmul", "linalg.pooling"))


def is_computed(value: SSAValue) -> bool:
    """Whether the value comes from an op that computes elements."""
    owner = value.owner
    return isinstance(owner, Operation) and op_name(owner).startswith("linalg.")


def is_cache(value: SSAValue) -> bool:
    """Whether the value is an argument of the function with heads and positions."""
    owner = value.owner
    is_argument = isinstance(owner, Block) and isinstance(owner.parent_op(), FuncOp)
    return is_argument and len(sizes(value)) == 3


def traits_of_value(value: SSAValue) -> Iterator[str]:
    users = [use.operation for use in value.uses]
    if sum(accumulates(op) and op.operands[-1] is value for op in users) > 1:
        yield SUMS
    if isinstance(value.owner, EmptyOp) and len(users) > 1:
        yield EMPTY
    if is_cache(value) and len(users) > 1:
        yield CACHE_READ


def traits_of_op(op: Operation) -> Iterator[str]:
    match op_name(op):
        case "tensor.pad":
            yield PAD if is_computed(op.operands[0]) else PADDED_ARGUMENT
        case "tensor.concat" if any(map(is_computed, op.operands)):
            yield CONCAT
        case "tensor.insert_slice":
            yield SLICE
        case "bufferization.to_buffer":
            yield BUFFER
        case _:
            pass


SUMS = "several sums start with the same tensor"
EMPTY = "several ops write to the same empty tensor"
CACHE_READ = "a cache is used more than once"
PAD = "a pad of a computed value"
PADDED_ARGUMENT = "a pad of the argument"
CONCAT = "a concatenation of computed values"
SLICE = "a slice that is written"
BUFFER = "loops on buffers"

TRAITS = {
    "decode": {SUMS, EMPTY, SLICE},
    "decode_in_memory": {SUMS, EMPTY, SLICE, CACHE_READ, BUFFER},
    "decode_previous": {SUMS, EMPTY, SLICE, CACHE_READ, CONCAT},
    "dense": {SUMS, EMPTY, PAD, PADDED_ARGUMENT, CONCAT},
    "dense_anew": {SUMS, EMPTY, PAD, PADDED_ARGUMENT, CONCAT},
    "fire": {EMPTY, PAD, CONCAT},
    "inception": {SUMS, EMPTY, PAD, PADDED_ARGUMENT, CONCAT},
    "plain": {SUMS, EMPTY, PAD, PADDED_ARGUMENT},
    "residual": {SUMS, EMPTY, PAD, PADDED_ARGUMENT},
    "shuffle": {SUMS, EMPTY, PAD, PADDED_ARGUMENT, CONCAT},
    "u_shaped": {SUMS, EMPTY, PAD, PADDED_ARGUMENT, CONCAT, SLICE},
}


@pytest.mark.parametrize("name", NETWORKS)
def test_what_bufferization_has_to_find_out_about_a_network(name: str):
    found: set[str] = set()
    for op in NETWORKS[name]().walk():
        found |= {*traits_of_op(op)}
        arguments = (a for r in op.regions for block in r.blocks for a in block.args)
        for value in (*op.results, *arguments):
            found |= {*traits_of_value(value)}
    assert found == TRAITS[name]
