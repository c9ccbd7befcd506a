"""That what is run on arrays computes the same as the loops, point by point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import memref, run
from xdsl_bufferization.semantics import structured

# Programs ---------------------------------------------------------------------------------

BODIES = [
    # Folds.
    "%p = arith.mulf %x, %y : f32\n%r = arith.addf %o, %p : f32",
    "%p = arith.mulf %y, %x : f32\n%r = arith.addf %p, %o : f32",
    "%p = arith.mulf %x, %x : f32\n%r = arith.mulf %o, %p : f32",
    "%r = arith.addf %x, %o : f32",
    "%p = arith.subf %x, %i : f32\n%q = arith.divf %p, %z : f32\n%r = arith.addf %o, %q : f32",
    # Others.
    "%p = arith.subf %o, %x : f32\n%r = arith.mulf %p, %y : f32",
    "%p = arith.addf %o, %o : f32\n%r = arith.addf %p, %i : f32",
    "%r = arith.maximumf %o, %x : f32",
    "%r = arith.addf %x, %i : f32",
    "%q = arith.cmpf olt, %x, %y : f32\n%r = arith.select %q, %o, %z : f32",
    "%r = arith.negf %c2 : f32",
]
"""What %r is, of the elements %x and %y, the scalar %z, the output's %o and an index %i."""


@st.composite
def expressions(draw: st.DrawFn, sizes: list[int]) -> tuple[str, int]:
    """An affine expression, and the least size that is large enough for it."""
    kind = draw(st.sampled_from(["dim", "dim", "sum", "constant", "div", "mod"]))
    d, e = (draw(st.integers(0, len(sizes) - 1)) for _ in range(2))
    match kind:
        case "sum":
            factor, constant = draw(st.integers(1, 2)), draw(st.integers(0, 2))
            last = (sizes[d] - 1) * factor + sizes[e] - 1 + constant
            return f"d{d} * {factor} + d{e} + {constant}", last + 1
        case "constant":
            constant = draw(st.integers(0, 2))
            return f"{constant}", constant + 1
        case "div":
            return f"d{d} floordiv 2", (sizes[d] - 1) // 2 + 1
        case "mod":
            return f"(d{d} + 1) mod 2", 2
        case _:
            return f"d{d}", sizes[d]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[Array], list[str]]:
    """
    A function with a linalg.generic, in which `TYPE` stands for tensor or memref; operands
    that fit.
    """
    dims = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 4), min_size=dims, max_size=dims))
    dimensions = [(f"d{d}", size) for d, size in enumerate(sizes)]
    results = [
        draw(st.permutations(dimensions)),
        draw(st.lists(expressions(sizes), max_size=3)),
        draw(st.permutations(dimensions))[: draw(st.integers(0, dims))],
    ]
    if draw(st.booleans()):
        results[-1].append(draw(expressions(sizes)))
    maps = [[expression for expression, _ in result] for result in results]
    shapes = [[size for _, size in result] for result in results]
    seed = np.random.default_rng(draw(st.integers(0, 1000)))
    arrays: list[Array] = [seed.uniform(-2, 2, s).astype(np.float32) for s in shapes]

    names = ", ".join(f"d{d}" for d in range(dims))
    attributes = [f"affine_map<({names}) -> ({', '.join(map)})>" for map in maps]
    attributes.insert(2, f"affine_map<({names}) -> ()>")
    iterators = [
        "parallel" if f"d{d}" in maps[-1] else "reduction" for d in range(dims)
    ]
    types = [f"TYPE<{''.join(f'{n}x' for n in shape)}f32>" for shape in shapes]
    quoted = ", ".join(f'"{iterator}"' for iterator in iterators)
    text = f"""
func.func @f(%a: {types[0]}, %b: {types[1]}, %s: f32, %c: {types[2]}) -> RESULT {{
  %c2 = arith.constant 2.5 : f32
  ASSIGNlinalg.generic {{indexing_maps = [{", ".join(attributes)}],
      iterator_types = [{quoted}]}}
      ins(%a, %b, %s : {types[0]}, {types[1]}, f32) outs(%c : {types[2]}) {{
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %index = linalg.index {draw(st.integers(0, dims - 1))} : index
    %number = arith.index_cast %index : index to i32
    %i = arith.sitofp %number : i32 to f32
    {draw(st.sampled_from(BODIES))}
    linalg.yield %r : f32
  }} ARROW
  func.return RETURNED
}}"""
    return (
        text,
        [*arrays[:2], seed.uniform(1, 2, ()).astype(np.float32), arrays[2]],
        types,
    )


def on_tensors(text: str, arrays: list[Array], types: list[str]) -> Array:
    type = types[-1].replace("TYPE", "tensor")
    for old, new in (
        ("RESULT", type),
        ("ASSIGN", "%result = "),
        ("ARROW", f"-> {type}"),
        ("RETURNED", f"%result : {type}"),
        ("TYPE", "tensor"),
    ):
        text = text.replace(old, new)
    a, b, s, c = arrays
    (result,) = run(parse_module(text), a, b, s[()], c)
    return result


def on_memrefs(text: str, arrays: list[Array], types: list[str]) -> Array:
    for old, new in (
        ("RESULT", "()"),
        ("ASSIGN", ""),
        ("ARROW", ""),
        ("RETURNED", ""),
        ("TYPE", "memref"),
    ):
        text = text.replace(old, new)
    a, b, s, c = arrays
    output = memref(c)
    run(parse_module(text), memref(a), memref(b), s[()], output)
    return output.view()


def never(*_: object) -> bool:
    return False


@given(
    programs(), st.sampled_from([{}, {"FEW": 0}, {"MANY": 1}, {"MANY": 1, "CHUNK": 1}])
)
@settings(deadline=None, derandomize=True)
def test_all_ways_lead_to_the_same_result(
    program: tuple[str, list[Array], list[str]], limits: dict[str, int]
):
    text, arrays, types = program
    before = [array.copy() for array in arrays]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structured, "is_elementwise", never)
        expected = on_tensors(text, arrays, types)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(structured, name, value)
        assert on_tensors(text, arrays, types).tobytes() == expected.tobytes()
        assert on_memrefs(text, arrays, types).tobytes() == expected.tobytes()
    for array, old in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, old)
