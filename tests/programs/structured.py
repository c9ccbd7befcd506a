"""linalg ops of all kinds, and matrices, for random programs."""

from __future__ import annotations

from tests.programs.generator import LARGE, MATRIX, SMALL, Family, Generator, Scope

ADD = "%s = arith.addf %a, %b : f32\nlinalg.yield %s : f32"


def transpose(g: Generator, scope: Scope, depth: int) -> None:
    permutation = g.random.choice(["[1, 0]", "[1, 0]", "[0, 1]"])
    scope.tensors[MATRIX].append(
        g.define(
            f"linalg.transpose ins({g.pick(scope, MATRIX)} : {MATRIX}) "
            f"outs({g.pick(scope, MATRIX)} : {MATRIX}) permutation = {permutation}"
        )
    )


def broadcast(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[MATRIX].append(
        g.define(
            f"linalg.broadcast ins({g.pick(scope, SMALL)} : {SMALL}) "
            f"outs({g.pick(scope, MATRIX)} : {MATRIX}) "
            f"dimensions = [{g.random.choice('01')}]"
        )
    )


def reduce(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[SMALL].append(
        g.define(
            f"linalg.reduce ins({g.pick(scope, MATRIX)} : {MATRIX}) "
            f"outs({g.pick(scope, SMALL)} : {SMALL}) "
            f"dimensions = [{g.random.choice('01')}]\n"
            f"(%a: f32, %b: f32) {{\n{ADD}\n}}"
        )
    )


def matmul(g: Generator, scope: Scope, depth: int) -> None:
    a, b, out = (g.pick(scope, MATRIX) for _ in range(3))
    scope.tensors[MATRIX].append(
        g.define(
            f"linalg.matmul ins({a}, {b} : {MATRIX}, {MATRIX}) "
            f"outs({out} : {MATRIX}) -> {MATRIX}"
        )
    )


def copy(g: Generator, scope: Scope, depth: int) -> None:
    type = g.random.choice([LARGE, SMALL, MATRIX])
    scope.tensors[type].append(
        g.define(
            f"linalg.copy ins({g.pick(scope, type)} : {type}) "
            f"outs({g.pick(scope, type)} : {type}) -> {type}"
        )
    )


def map_(g: Generator, scope: Scope, depth: int) -> None:
    type = g.random.choice([LARGE, SMALL, MATRIX])
    a, b, out = (g.pick(scope, type) for _ in range(3))
    scope.tensors[type].append(
        g.define(
            f"linalg.map ins({a}, {b} : {type}, {type}) outs({out} : {type})\n"
            f"(%a: f32, %b: f32, %c_: f32) {{\n{ADD}\n}}"
        )
    )


def generic(g: Generator, scope: Scope, depth: int) -> None:
    """A matrix and a vector, each read and written in some order."""
    maps = [
        g.random.choice(["(d0, d1)", "(d1, d0)", "(3 - d0, d1)"]),
        g.random.choice(["(d0)", "(d1)"]),
        g.random.choice(["(d0, d1)", "(d0, d1)", "(d1, d0)"]),
    ]
    attributes = ", ".join(f"affine_map<(d0, d1) -> {map}>" for map in maps)
    yielded = g.random.choice(["%s", "%s2", "%a", "%b"])
    a, b, out = g.pick(scope, MATRIX), g.pick(scope, SMALL), g.pick(scope, MATRIX)
    scope.tensors[MATRIX].append(
        g.define(
            f"linalg.generic {{indexing_maps = [{attributes}], "
            'iterator_types = ["parallel", "parallel"]} '
            f"ins({a}, {b} : {MATRIX}, {SMALL}) outs({out} : {MATRIX}) {{\n"
            "^bb0(%a: f32, %b: f32, %o: f32):\n%s = arith.addf %a, %b : f32\n"
            f"%s2 = arith.addf %s, %o : f32\nlinalg.yield {yielded} : f32\n}} "
            f"-> {MATRIX}"
        )
    )


def two_results(g: Generator, scope: Scope, depth: int) -> None:
    """Both inits may be the same tensor, or the input."""
    type = g.type()
    a, first, second = (g.pick(scope, type) for _ in range(3))
    yielded = g.random.choice(["%a, %b", "%b, %a", "%a, %o", "%s, %o", "%s, %a"])
    result = g.name()
    identity = "affine_map<(d0) -> (d0)>"
    g.emit(
        f"{result}:2 = linalg.generic {{indexing_maps = [{identity}, {identity}, "
        f'{identity}], iterator_types = ["parallel"]}} ins({a} : {type}) '
        f"outs({first}, {second} : {type}, {type}) {{\n"
        "^bb0(%a: f32, %b: f32, %o: f32):\n%s = arith.addf %a, %b : f32\n"
        f"linalg.yield {yielded} : f32, f32\n}} -> ({type}, {type})"
    )
    scope.tensors[type] += [f"{result}#0", f"{result}#1"]


def indexed(g: Generator, scope: Scope, depth: int) -> None:
    """Reads around itself another tensor at the place where it is."""
    type = g.type()
    source, out = g.pick(scope, LARGE), g.pick(scope, type)
    scope.tensors[type].append(
        g.define(
            "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], "
            f'iterator_types = ["parallel"]}} outs({out} : {type}) {{\n'
            "^bb0(%a: f32):\n%d = linalg.index 0 : index\n"
            f"%b = tensor.extract {source}[%d] : {LARGE}\n{ADD}\n}} -> {type}"
        )
    )


def row(g: Generator, scope: Scope, depth: int) -> None:
    """A row or column, which is a slice of less rank."""
    at = g.random.choice(["0", "3", "%i"])
    place = g.random.choice([f"[{at}, 0][1, 4][1, 1]", f"[0, {at}][4, 1][1, 1]"])
    scope.tensors[SMALL].append(
        g.define(
            f"tensor.extract_slice {g.pick(scope, MATRIX)}{place} : {MATRIX} to {SMALL}"
        )
    )


def row_insertion(g: Generator, scope: Scope, depth: int) -> None:
    at = g.random.choice(["0", "3", "%i"])
    place = g.random.choice([f"[{at}, 0][1, 4][1, 1]", f"[0, {at}][4, 1][1, 1]"])
    scope.tensors[MATRIX].append(
        g.define(
            f"tensor.insert_slice {g.pick(scope, SMALL)} into "
            f"{g.pick(scope, MATRIX)}{place} : {SMALL} into {MATRIX}"
        )
    )


def element(g: Generator, scope: Scope, depth: int) -> None:
    source, into = g.pick(scope, MATRIX), g.pick(scope, MATRIX)
    at = g.random.choice(["%i, %c1", "%c1, %i", "%i, %i"])
    scope.scalars.append(g.define(f"tensor.extract {source}[{at}] : {MATRIX}"))
    scope.tensors[MATRIX].append(
        g.define(f"tensor.insert {g.scalar(scope)} into {into}[%i, %c1] : {MATRIX}")
    )


def halves(g: Generator, scope: Scope, depth: int) -> None:
    """Two rows of a matrix, as a tensor of one dimension, and back."""
    two = "tensor<2x4xf32>"
    at = g.random.choice(["0", "1", "2"])
    part = g.define(
        f"tensor.extract_slice {g.pick(scope, MATRIX)}[{at}, 0][2, 4][1, 1] : "
        f"{MATRIX} to {two}"
    )
    if g.random.random() < 0.5:
        scope.tensors[LARGE].append(
            g.define(f"tensor.collapse_shape {part} [[0, 1]] : {two} into {LARGE}")
        )
        return
    expanded = g.define(
        f"tensor.expand_shape {g.pick(scope, LARGE)} [[0, 1]] output_shape [2, 4] : "
        f"{LARGE} into {two}"
    )
    added = g.random.choice([part, expanded])
    summed = g.sum(part, expanded, added, two)
    scope.tensors[MATRIX].append(
        g.define(
            f"tensor.insert_slice {summed} into {g.pick(scope, MATRIX)}"
            f"[{at}, 0][2, 4][1, 1] : {two} into {MATRIX}"
        )
    )


STRUCTURED = Family(
    ops=((4, copy), (5, map_), (6, two_results), (4, indexed)),
    types=(MATRIX,),
)
MATRICES = Family(
    ops=(
        (6, transpose),
        (5, broadcast),
        (5, reduce),
        (5, matmul),
        (8, generic),
        (8, row),
        (8, row_insertion),
        (6, element),
        (6, halves),
    ),
    types=(MATRIX,),
)
