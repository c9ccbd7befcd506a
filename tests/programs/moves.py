"""Ops that only move elements, as front ends write them, for random programs."""

from __future__ import annotations

from collections.abc import Sequence

from tests.programs.generator import LARGE, MATRIX, SMALL, Family, Generator, Scope

_ROW = "tensor<1x8xf32>"
_ORDERS = ("(d0, d1)", "(d0, d1)", "(d1, d0)")


def _generic(
    g: Generator,
    inputs: Sequence[tuple[str, str, str]],
    output: tuple[str, str],
    body: str,
    loops: int = 2,
) -> str:
    """
    A `linalg.generic` into an empty tensor; inputs are values with their types and the results
    of their maps, and `%a`, `%b` in the body.
    """
    dimensions = ", ".join(f"d{i}" for i in range(loops))
    type, map = output
    maps = [*(results for _, _, results in inputs), map]
    attributes = ", ".join(f"affine_map<({dimensions}) -> {m}>" for m in maps)
    kinds = ", ".join(['"parallel"'] * loops)
    arguments = ", ".join([f"%{'ab'[i]}: f32" for i in range(len(inputs))])
    values, types = (
        ", ".join(part)
        for part in ([v for v, _, _ in inputs], [t for _, t, _ in inputs])
    )
    return g.define(
        f"linalg.generic {{indexing_maps = [{attributes}], iterator_types = [{kinds}]}} "
        f"ins({values} : {types}) outs({g.undefined(type)} : {type}) {{\n"
        f"^bb0({arguments}, %o: f32):\n{body}\n}} -> {type}"
    )


_YIELD = "linalg.yield %a : f32"
_ADD = "%s = arith.addf %a, %b : f32\nlinalg.yield %s : f32"


def transposed(g: Generator, scope: Scope, depth: int) -> None:
    source = (g.pick(scope, MATRIX), MATRIX, g.random.choice(_ORDERS))
    order = g.random.choice(_ORDERS)
    scope.tensors[MATRIX].append(_generic(g, [source], (MATRIX, order), _YIELD))


def named(g: Generator, scope: Scope, depth: int) -> None:
    """`linalg.transpose` or `linalg.broadcast`, into an empty tensor."""
    empty = g.undefined(MATRIX)
    if g.random.random() < 0.5:
        op = f"linalg.transpose ins({g.pick(scope, MATRIX)} : {MATRIX})"
        how = "permutation = [1, 0]"
    else:
        op = f"linalg.broadcast ins({g.pick(scope, SMALL)} : {SMALL})"
        how = f"dimensions = [{g.random.choice('01')}]"
    scope.tensors[MATRIX].append(g.define(f"{op} outs({empty} : {MATRIX}) {how}"))


def spread(g: Generator, scope: Scope, depth: int) -> None:
    """A vector, or one of its elements, along a dimension of a matrix."""
    at = g.random.choice(["(d0)", "(d1)", "(0)", "(3)"])
    source = (g.pick(scope, SMALL), SMALL, at)
    order = g.random.choice(_ORDERS)
    scope.tensors[MATRIX].append(_generic(g, [source], (MATRIX, order), _YIELD))


def one_value(g: Generator, scope: Scope, depth: int) -> None:
    """One value for all elements."""
    type = g.random.choice([SMALL, MATRIX])
    kind = g.random.choice(["fill", "generic", "splat"])
    value = g.scalar(scope)
    if kind == "fill":
        name = g.filled(value, g.undefined(type), type)
    elif kind == "splat":
        name = g.define(f"arith.constant dense<3.0> : {type}")
    else:
        a = (g.pick(scope, SMALL), SMALL, "(d0)")
        loops, map = (1, "(d0)") if type == SMALL else (2, "(d0, d1)")
        name = _generic(g, [a], (type, map), f"linalg.yield {value} : f32", loops=loops)
    scope.tensors[type].append(name)


def same(g: Generator, scope: Scope, depth: int) -> None:
    """The elements as they are."""
    source = (g.pick(scope, LARGE), LARGE, "(d0)")
    scope.tensors[LARGE].append(_generic(g, [source], (LARGE, "(d0)"), _YIELD, loops=1))


def row(g: Generator, scope: Scope, depth: int) -> None:
    """Another dimension, a write perhaps, and back."""
    source = (g.pick(scope, LARGE), LARGE, "(d1)")
    row = _generic(g, [source], (_ROW, "(d0, d1)"), _YIELD)
    if g.random.random() < 0.5:
        row = g.define(f"tensor.insert {g.scalar(scope)} into {row}[%c0, %i] : {_ROW}")
    if g.random.random() < 0.5:
        back = g.define(f"tensor.collapse_shape {row} [[0, 1]] : {_ROW} into {LARGE}")
    else:
        back = _generic(g, [(row, _ROW, "(0, d0)")], (LARGE, "(d0)"), _YIELD, loops=1)
    scope.tensors[LARGE].append(back)


def updated(g: Generator, scope: Scope, depth: int) -> None:
    """A matrix in another order, with other rows or elements, in a loop perhaps, and back."""
    order = g.random.choice(_ORDERS)
    source = g.pick(scope, MATRIX)
    if g.random.random() < 0.7:
        twice = [(source, MATRIX, "(d0, d1)")] * 2
        source = _generic(g, twice, (MATRIX, "(d0, d1)"), _ADD)
    moved = _generic(g, [(source, MATRIX, order)], (MATRIX, "(d0, d1)"), _YIELD)
    if g.random.random() < 0.5:
        result, carried = g.name(), g.name()
        g.emit(
            f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
            f"iter_args({carried} = {moved}) -> ({MATRIX}) {{"
        )
        g.emit(f"scf.yield {_update(g, scope, carried)} : {MATRIX}")
        g.emit("}")
    else:
        result = _update(g, scope, moved)
    back = g.random.choice([order, order, "(d0, d1)"])
    scope.tensors[MATRIX].append(
        _generic(g, [(result, MATRIX, back)], (MATRIX, "(d0, d1)"), _YIELD)
    )


def sliced(g: Generator, scope: Scope, depth: int) -> None:
    """The sums of columns of a part of a matrix in another order, in a loop perhaps."""
    source = [(g.pick(scope, MATRIX), MATRIX, g.random.choice(_ORDERS))]
    moved = _generic(g, source, (MATRIX, "(d0, d1)"), _YIELD)
    type, part = "tensor<2x4xf32>", "[0, 0] [2, 4]"
    if g.random.random() < 0.5:
        result, carried = g.name(), g.name()
        g.emit(
            f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
            f"iter_args({carried} = {g.pick(scope, SMALL)}) -> ({SMALL}) {{"
        )
        part = g.random.choice([part, f"[{carried}i, 0] [1, 4]"])
        type = "tensor<1x4xf32>" if "[1, 4]" in part else type
        g.emit(f"scf.yield {_sums(g, moved, part, type, carried)} : {SMALL}")
        g.emit("}")
    else:
        result = _sums(g, moved, part, type, g.empty(SMALL))
    scope.tensors[SMALL].append(result)


def _sums(g: Generator, matrix: str, part: str, type: str, init: str) -> str:
    value = g.define(f"tensor.extract_slice {matrix}{part} [1, 1] : {MATRIX} to {type}")
    maps = "[affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>]"
    return g.define(
        f"linalg.generic {{indexing_maps = {maps}, "
        'iterator_types = ["parallel", "reduction"]} '
        f"ins({value} : {type}) outs({init} : {SMALL}) {{\n"
        "^bb0(%a: f32, %b: f32):\n%s = arith.addf %a, %b : f32\n"
        f"linalg.yield %s : f32\n}} -> {SMALL}"
    )


def _update(g: Generator, scope: Scope, matrix: str) -> str:
    for _ in range(g.random.randint(1, 2)):
        if g.random.random() < 0.5:
            at = f"{matrix}[%i, %c0] : {MATRIX}"
            matrix = g.define(f"tensor.insert {g.scalar(scope)} into {at}")
        else:
            at = g.random.choice(["[%i, 0] [1, 4]", "[0, %i] [4, 1]"])
            part = f"{g.pick(scope, SMALL)} into {matrix}{at} [1, 1]"
            matrix = g.define(f"tensor.insert_slice {part} : {SMALL} into {MATRIX}")
    return matrix


def sum_of_two(g: Generator, scope: Scope, depth: int) -> None:
    """Reads two matrices, each in some order."""
    inputs = [
        (g.pick(scope, MATRIX), MATRIX, g.random.choice(_ORDERS)) for _ in range(2)
    ]
    body = g.random.choice([_ADD, _ADD, _YIELD])
    scope.tensors[MATRIX].append(_generic(g, inputs, (MATRIX, "(d0, d1)"), body))


def sum_of_vectors(g: Generator, scope: Scope, depth: int) -> None:
    type = g.type()
    inputs = [(g.pick(scope, type), type, "(d0)") for _ in range(2)]
    scope.tensors[type].append(_generic(g, inputs, (type, "(d0)"), _ADD, loops=1))


def column_sums(g: Generator, scope: Scope, depth: int) -> None:
    """Adds up the rows of a matrix."""
    map = g.random.choice(_ORDERS)
    maps = f"[affine_map<(d0, d1) -> {map}>, affine_map<(d0, d1) -> (d0)>]"
    scope.tensors[SMALL].append(
        g.define(
            f"linalg.generic {{indexing_maps = {maps}, "
            'iterator_types = ["parallel", "reduction"]} '
            f"ins({g.pick(scope, MATRIX)} : {MATRIX}) outs({g.empty(SMALL)} : {SMALL}) {{\n"
            "^bb0(%a: f32, %b: f32):\n%s = arith.addf %a, %b : f32\n"
            f"linalg.yield %s : f32\n}} -> {SMALL}"
        )
    )


MOVES = Family(
    ops=(
        (9, transposed),
        (5, named),
        (9, spread),
        (6, one_value),
        (5, same),
        (6, row),
        (8, updated),
        (8, sliced),
        (14, sum_of_two),
        (6, sum_of_vectors),
        (6, column_sums),
    ),
    types=(MATRIX,),
)
