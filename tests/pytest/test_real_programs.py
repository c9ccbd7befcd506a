"""Real programs: bufferized as a whole, and no worse than by MLIR's own pass."""

import math
import re

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from tests.deallocation import with_mlir_opt, with_xdsl
from tests.deallocation.recording import (
    RecordedCall,
    Recording,
    function_type,
    is_memref,
    run_recorded,
)
from tests.environments import PROJECT
from tests.networks import NETWORKS
from tests.networks.files import FILES
from tests.networks.parameters import file_parameters
from tests.networks.weights import vary_weights
from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import print_generic
from tests.slow import one_in
from tests.xdsl_opt import run_xdsl_opt
from xdsl_bufferization.semantics.checking.check import parse_pipeline

EXAMPLES = {path.stem: path for path in sorted((PROJECT / "examples").glob("*.mlir"))}
PATHS = {**EXAMPLES, **FILES}
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"


def tensor_types(generic_ir: str) -> set[str]:
    """The types of values that are tensors; constants' contents have such types, too."""
    return set(re.findall(r"(?<!> : )\btensor<[^>]*>", generic_ir))


def buffers(generic_ir: str) -> tuple[int, int]:
    """How many buffers the program allocates, and how many it copies."""
    return generic_ir.count('"memref.alloc"('), generic_ir.count('"memref.copy"(')


SLOW = "vgg19"
"""Its constants take xDSL minutes to read and print; it has no op that others have not."""

OTHERS = [name for name in FILES if name != SLOW]


def network(name: str) -> ModuleOp:
    """The network of that name."""
    module = NETWORKS[name]()
    vary_weights(module)
    return module


def text_of(name: str) -> str:
    """The program of that name."""
    if name in NETWORKS:
        return print_generic(network(name))
    return PATHS[name].read_text()


def after(name: str, passes: str) -> str:
    """What the passes make of the program."""
    if name in NETWORKS:
        module = network(name)
        parse_pipeline(passes).apply(Context(), module)
        module.verify()
        return print_generic(module)
    return run_xdsl_opt(PATHS[name], "-p", passes, "--print-op-generic")


@pytest.mark.parametrize(
    "name", [*one_in(3, [*NETWORKS, *EXAMPLES]), *file_parameters()]
)
def test_no_tensor_is_left_and_no_more_buffers_than_mlir_opt(
    mlir_tools: MlirTools, name: str
):
    ours = after(name, BUFFERIZE)
    assert tensor_types(ours) == set()

    # What mlir-opt prints of it has passed its verifier.
    allocations, copies = buffers(mlir_tools.opt(ours))
    peer_allocations, peer_copies = buffers(
        mlir_tools.opt(
            text_of(name), "--one-shot-bufferize=bufferize-function-boundaries"
        )
    )
    assert allocations <= peer_allocations
    assert copies <= peer_copies


@pytest.mark.parametrize(
    "name", [*one_in(3, [*NETWORKS, *EXAMPLES]), *file_parameters(OTHERS)]
)
def test_what_is_allocated_is_freed_as_by_mlir_opt(mlir_tools: MlirTools, name: str):
    ours = mlir_tools.opt(after(name, f"{BUFFERIZE},buffer-deallocation-pipeline"))
    peer = mlir_tools.opt(
        text_of(name),
        "--one-shot-bufferize=bufferize-function-boundaries",
        "--buffer-deallocation-pipeline",
    )
    for op in ("bufferization.clone", "scf.if", "memref.alloc"):
        assert ours.count(f'"{op}"(') <= peer.count(f'"{op}"(')
    leaks, peer_leaks = (
        text.count('"memref.alloc"(') - text.count('"memref.dealloc"(')
        for text in (ours, peer)
    )
    assert leaks <= peer_leaks


def argument(type: Attribute) -> Array:
    """Of a function: a tensor whose elements differ, or a small number."""
    if not is_memref(type):
        return np.array(3)
    elements = np.linspace(-1, 1, math.prod(type.get_shape()), dtype=np.float32)
    return elements.reshape(type.get_shape())


COMPILED = "decode_in_memory", "fire"
"""What others are made of as well."""


@pytest.mark.usefixtures("c_compiler")
@pytest.mark.parametrize("name", [*COMPILED, *file_parameters(["squeezenet"])])
def test_a_network_frees_all_and_computes_the_same(mlir_tools: MlirTools, name: str):
    leaking = after(name, BUFFERIZE)
    (ours,), (theirs,) = (
        pipeline(mlir_tools, [leaking]) for pipeline in (with_xdsl(), with_mlir_opt())
    )
    assert isinstance(ours, str)
    assert isinstance(theirs, str)
    match = re.search(r'"func.func".*?sym_name = "(\w+)"', leaking)
    assert match
    function = match[1]
    inputs = [argument(type) for type in function_type(leaking, function).inputs]
    versions = leaking, ours, theirs
    calls = [RecordedCall(text, function, inputs) for text in versions]
    expected, found, peer = run_recorded(mlir_tools, calls)
    assert isinstance(expected, Recording)
    assert isinstance(found, Recording)
    assert isinstance(peer, Recording)
    np.testing.assert_equal(found.results, expected.results)
    assert not found.errors
    assert found.counts.peak_bytes <= peer.counts.peak_bytes
