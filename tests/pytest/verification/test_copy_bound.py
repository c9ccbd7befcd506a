"""
The bytes that no bufferization can do without, on small programs of each kind: the bound is
what it should be, and no pipeline copies less.
"""

from __future__ import annotations

import pytest

from tests.peer.runner import parse_module
from tests.verification.copies import PIPELINES, bounds, reached
from tests.verification.small import (
    concat,
    function,
    insert,
    loop,
    new,
    pad,
    reversed_order,
    tensor,
    update,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.verification.copy_bound.bound import copy_bounds

F32 = 4

A = f"%a: {tensor(8)}"
B = f"%b: {tensor(8)}"
READ_ONLY = f"{A} {{bufferization.writable = false}}"


def slices(argument: str, *offsets: int, stride: int = 2) -> str:
    """A function that concatenates slices of the argument %a."""
    parts = [(f"s{offset}", 4) for offset in offsets]
    return function(
        argument,
        "".join(
            f"%s{offset} = tensor.extract_slice %a[{offset}] [4] [{stride}] : "
            f"{tensor(8)} to {tensor(4)}\n"
            for offset in offsets
        )
        + concat("c", *parts)
        + reversed_order("r", "c", 8),
        r=8,
    )


CASES = {
    # Padding and concatenation.
    # Elementwise readers would read the argument itself.
    "pad of an argument": (
        8,
        function(A, pad("p", "a", 8) + reversed_order("r", "p", 10), r=10),
    ),
    "pads of an argument that share a copy": (
        8,
        function(
            A,
            pad("p", "a", 8)
            + reversed_order("r", "p", 10)
            + pad("q", "a", 8)
            + reversed_order("s", "q", 10),
            r=10,
            s=10,
        ),
    ),
    "pad of what is computed": (
        0,
        function(A, new("x", "a", 8) + pad("p", "x", 8) + new("r", "p", 10), r=10),
    ),
    "concat of arguments": (
        16,
        function(f"{A}, {B}", concat("r", ("a", 8), ("b", 8)), r=16),
    ),
    "concat of interleaved slices of an argument": (8, slices(READ_ONLY, 0, 1)),
    "concat of slices that may be written": (0, slices(A, 0, 1)),
    "concat of exchanged halves": (8, slices(READ_ONLY, 4, 0, stride=1)),
    "concat of slices that are in order": (0, slices(READ_ONLY, 0, 4, stride=1)),
    "concat that grows": (
        0,
        function(
            A,
            new("x", "a", 8)
            + new("y", "x", 8)
            + concat("c", ("x", 8), ("y", 8))
            + new("z", "c", 16)
            + concat("d", ("c", 16), ("z", 16))
            + new("r", "d", 32),
            r=32,
        ),
    ),
    "skip of a U-net": (
        0,
        function(
            A,
            new("e", "a", 8)
            + pad("p", "e", 8)
            + new("m", "p", 10)
            + f"%d = tensor.extract_slice %m[0] [8] [1] : {tensor(10)} to {tensor(8)}"
            + new("late", "d", 8)
            + concat("c", ("e", 8), ("late", 8))
            + new("r", "c", 16),
            r=16,
        ),
    ),
    "residual block": (
        0,
        function(
            A,
            new("x", "a", 8) + new("y", "x", 8) + update("r", "x", "y", 8),
            r=8,
        ),
    ),
    "value in two places that agree": (
        0,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + new("y", "b", 8)
            + concat("r", ("x", 8), ("y", 8))
            + concat("s", ("y", 8), ("x", 8)),
            r=16,
        ),
    ),
    "value in two places": (
        8,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + new("y", "b", 8)
            + new("z", "y", 8)
            + concat("r", ("x", 8), ("y", 8))
            + concat("s", ("x", 8), ("z", 8)),
            r=16,
            s=16,
        ),
    ),
    "value in the middle of two": (
        0,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + new("y", "b", 8)
            + new("z", "y", 8)
            + concat("r", ("x", 8), ("y", 8))
            + concat("s", ("z", 8), ("x", 8)),
            r=16,
            s=16,
        ),
    ),
    # Caches, and two versions of a tensor.
    "cache": (
        0,
        function(
            f"%a: {tensor(64)}, {B}",
            new("k", "b", 8) + insert("c", "k", 8, "a", 64, 16) + new("r", "c", 64),
            r=64,
            c=64,
        ),
    ),
    "cache that must not be written": (
        56,
        function(
            f"%a: {tensor(64)} {{bufferization.writable = false}}, {B}",
            new("k", "b", 8) + insert("c", "k", 8, "a", 64, 16) + new("r", "c", 64),
            r=64,
            c=64,
        ),
    ),
    "entry of a cache from the caller": (
        8,
        function(
            f"%a: {tensor(64)}, {B}",
            insert("c", "b", 8, "a", 64, 16) + new("r", "c", 64),
            r=64,
            c=64,
        ),
    ),
    "two live versions": (
        7,
        function(
            f"{A}, %f: f32",
            f"%r = tensor.insert %f into %a[%c1] : {tensor(8)}",
            r=8,
            a=8,
        ),
    ),
    "two changed versions": (
        7,
        function(
            f"{A}, %f: f32, %g: f32",
            f"""
            %r = tensor.insert %f into %a[%c1] : {tensor(8)}
            %s = tensor.insert %g into %a[%c1] : {tensor(8)}
            """,
            r=8,
            s=8,
        ),
    ),
    "two versions that are changed alike": (
        0,
        function(
            f"{A}, %f: f32",
            f"""
            %r = tensor.insert %f into %a[%c1] : {tensor(8)}
            %s = tensor.insert %f into %a[%c1] : {tensor(8)}
            """,
            r=8,
            s=8,
        ),
    ),
    "old version read first": (
        0,
        function(f"{A}, {B}", update("r", "b", "a", 8) + new("s", "a", 8), r=8, s=8),
    ),
    "old version read behind the new one": (
        8,
        function(
            f"{A}, {B}",
            update("w", "b", "a", 8) + update("r", "a", "w", 8) + new("s", "w", 8),
            r=8,
            s=8,
        ),
    ),
    "two ops that start from one version": (
        8,
        function(
            f"{A}, {B}",
            new("x", "a", 8) + update("r", "b", "x", 8) + update("s", "b", "x", 8),
            r=8,
            s=8,
        ),
    ),
    # Cheap contents.
    "fill that is shared": (
        0,
        function(
            f"{A}, {B}",
            f"""
            %e = tensor.empty() : {tensor(8)}
            %z = linalg.fill ins(%zero : f32) outs(%e : {tensor(8)}) -> {tensor(8)}
            """
            + update("r", "a", "z", 8)
            + update("s", "b", "z", 8),
            r=8,
            s=8,
        ),
    ),
    "fill that is overwritten beside what is computed": (
        0,
        function(
            f"{A}, {B}, %f: f32",
            new("x", "a", 8)
            + pad("p", "x", 8)
            + f"%w = tensor.insert %f into %p[%c0] : {tensor(10)}\n"
            + new("y", "w", 10)
            + update("r", "p", "y", 10),
            r=10,
        ),
    ),
    "constant of equal elements": (
        0,
        function(
            A,
            f"%z = arith.constant dense<1.0> : {tensor(8)}" + update("r", "a", "z", 8),
            r=8,
        ),
    ),
    "constant": (
        4,
        function(
            f"%a: {tensor(4)}",
            f"%z = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {tensor(4)}"
            + update("r", "a", "z", 4),
            r=4,
        ),
    ),
    # Loops.
    "stencil with two buffers": (
        0,
        function(A, new("x", "a", 8) + loop("r", "x", new("n", "t", 8)), r=8),
    ),
    "old version in each iteration": (
        80,
        function(
            f"{A}, {B}",
            loop("r", "a", update("w", "b", "t", 8) + update("n", "t", "w", 8)),
            r=8,
        ),
    ),
    "value from outside, changed in each iteration": (
        72,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + loop("r", "b", update("w", "t", "x", 8) + update("n", "w", "t", 8)),
            r=8,
        ),
    ),
    "the same for a number of iterations that is not known": (
        8,
        function(
            f"{A}, {B}, %m: index",
            new("x", "a", 8)
            + loop("r", "b", update("w", "t", "x", 8) + update("n", "w", "t", 8), "%m"),
            r=8,
        ),
    ),
    "loop that changes what must not be written": (
        8,
        function(f"{READ_ONLY}, {B}", loop("r", "a", update("n", "b", "t", 8)), r=8),
    ),
    "loop that changes what is still needed": (
        8,
        function(f"{A}, {B}", loop("r", "a", update("n", "b", "t", 8)), r=8, a=8),
    ),
    "loop that changes one part after the other": (
        0,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + loop(
                "r",
                "b",
                f"%s = tensor.extract_slice %x[%i] [1] [1] : {tensor(8)} to {tensor(1)}\n"
                f"%d = tensor.extract_slice %t[%i] [1] [1] : {tensor(8)} to {tensor(1)}\n"
                + update("w", "d", "s", 1)
                + f"%n = tensor.insert_slice %w into %t[%i] [1] [1] : {tensor(1)} into "
                f"{tensor(8)}",
                "%c8",
            ),
            r=8,
        ),
    ),
    "loop that changes one part of a tensor that is returned after the other": (
        8,
        function(
            f"{A}, {B}",
            new("x", "a", 8)
            + loop(
                "r",
                "b",
                f"%s = tensor.extract_slice %x[%i] [1] [1] : {tensor(8)} to {tensor(1)}\n"
                f"%d = tensor.extract_slice %t[%i] [1] [1] : {tensor(8)} to {tensor(1)}\n"
                + update("w", "d", "s", 1)
                + f"%n = tensor.insert_slice %w into %t[%i] [1] [1] : {tensor(1)} into "
                f"{tensor(8)}",
                "%c8",
            ),
            r=8,
            x=8,
        ),
    ),
    "copy that is asked for": (
        8,
        function(
            f"{A}, {B}",
            f"%x = bufferization.alloc_tensor() copy(%a) : {tensor(8)}\n"
            + update("r", "b", "x", 8),
            r=8,
            a=8,
        ),
    ),
    # Views.
    "view of what must not be written": (
        4,
        function(
            f"{READ_ONLY}, %b: {tensor(4)}",
            f"%v = tensor.extract_slice %a[2] [4] [1] : {tensor(8)} to {tensor(4)}"
            + update("r", "b", "v", 4),
            r=4,
        ),
    ),
    "slices of an argument that are put together": (
        6,
        function(
            A,
            f"%v = tensor.extract_slice %a[5] [3] [1] : {tensor(8)} to {tensor(3)}\n"
            f"%w = tensor.extract_slice %a[0] [3] [1] : {tensor(8)} to {tensor(3)}\n"
            + pad("p", "v", 3, low=4, high=4)
            + reversed_order("r", "p", 11)
            + pad("q", "w", 3, low=4, high=4)
            + reversed_order("s", "q", 11),
            r=11,
            s=11,
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bound_of_a_small_program_is_what_it_should_be(name: str):
    elements, text = CASES[name]
    module = parse_module(text)
    module.verify()
    assert bounds(module) == {"f": F32 * elements}
    for pipeline in PIPELINES:
        assert reached(module, pipeline)["f"] >= F32 * elements


def test_each_forced_copy_has_a_reason():
    _, text = CASES["pad of an argument"]
    (bound,) = copy_bounds(parse_module(text)).values()
    (copy,) = bound.copies
    assert (
        copy.reason
        == "tensor.pad needs room around its operand, and the caller's memory has none"
    )
    assert [(o.op.name, o.index) for o in copy.operands] == [("tensor.pad", 0)]


def test_a_program_that_models_refuse_has_no_bound():
    text = """
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = scf.execute_region -> (tensor<4xf32>) {
        scf.yield %a, %a : tensor<4xf32>, tensor<4xf32>
      }
      func.return %r : tensor<4xf32>
    }
    """
    with pytest.raises(BufferizationError, match=r"'scf\.yield' forwards"):
        copy_bounds(parse_module(text))
