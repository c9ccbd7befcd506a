"""More ops on tensors, and on vectors, for random programs."""

from __future__ import annotations

from tests.programs.generator import LARGE, SMALL, Family, Generator, Scope


def strided_slice(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[SMALL].append(
        g.define(
            f"tensor.extract_slice {g.pick(scope, LARGE)}[{g.random.choice('01')}]"
            f"[4][2] : {LARGE} to {SMALL}"
        )
    )


def strided_insertion(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[LARGE].append(
        g.define(
            f"tensor.insert_slice {g.pick(scope, SMALL)} into {g.pick(scope, LARGE)}"
            f"[{g.random.choice('01')}][4][2] : {SMALL} into {LARGE}"
        )
    )


def whole_slice(g: Generator, scope: Scope, depth: int) -> None:
    type = g.type()
    size = 8 if type == LARGE else 4
    scope.tensors[type].append(
        g.define(
            f"tensor.extract_slice {g.pick(scope, type)}[0][{size}][1] : "
            f"{type} to {type}"
        )
    )


def neighbour(g: Generator, scope: Scope, depth: int) -> None:
    """Reads and writes next to `%i`."""
    position = g.define("arith.addi %i, %c1 : index")
    source = g.pick(scope, LARGE)
    scope.scalars.append(g.define(f"tensor.extract {source}[{position}] : {LARGE}"))
    scope.tensors[LARGE].append(
        g.define(
            f"tensor.insert {g.scalar(scope)} into {g.pick(scope, LARGE)}[{position}] "
            f": {LARGE}"
        )
    )


def pad(g: Generator, scope: Scope, depth: int) -> None:
    result, index = g.name(), g.name()
    g.emit(
        f"{result} = tensor.pad {g.pick(scope, SMALL)} low[2] high[2] {{\n"
        f"^bb0({index}: index):\ntensor.yield {g.scalar(scope)} : f32\n"
        f"}} : {SMALL} to {LARGE}"
    )
    scope.tensors[LARGE].append(result)


def transfer(g: Generator, scope: Scope, depth: int) -> None:
    """Four elements by way of a vector."""
    source, into = g.pick(scope, LARGE), g.pick(scope, LARGE)
    vector = g.define(
        f"vector.transfer_read {source}[{g.offset_value()}], %f {{in_bounds = [true]}} "
        f": {LARGE}, vector<4xf32>"
    )
    scope.tensors[LARGE].append(
        g.define(
            f"vector.transfer_write {vector}, {into}[{g.offset_value()}] "
            f"{{in_bounds = [true]}} : vector<4xf32>, {LARGE}"
        )
    )


def allocate(g: Generator, scope: Scope, depth: int) -> None:
    type = g.type()
    scope.tensors[type].append(
        g.define(f"bufferization.alloc_tensor() copy({g.pick(scope, type)}) : {type}")
    )


def elementwise(g: Generator, scope: Scope, depth: int) -> None:
    """Reads its init too, at the same or the reversed position."""
    type = g.type()
    last = 7 if type == LARGE else 3
    own = g.random.choice(["d0", f"{last} - d0"])
    a, out = g.pick(scope, type), g.pick(scope, type)
    scope.tensors[type].append(
        g.define(
            f"linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, "
            f'affine_map<(d0) -> ({own})>], iterator_types = ["parallel"]}} '
            f"ins({a} : {type}) outs({out} : {type}) {{\n"
            "^bb0(%a: f32, %b: f32):\n%s = arith.addf %a, %b : f32\n"
            f"linalg.yield %s : f32\n}} -> {type}"
        )
    )


def reshape(g: Generator, scope: Scope, depth: int) -> None:
    """Two dimensions and back."""
    square = "tensor<2x2xf32>"
    expanded = g.define(
        f"tensor.expand_shape {g.pick(scope, SMALL)} [[0, 1]] output_shape [2, 2] : "
        f"{SMALL} into {square}"
    )
    scope.tensors[SMALL].append(
        g.define(f"tensor.collapse_shape {expanded} [[0, 1]] : {square} into {SMALL}")
    )


TENSORS = Family(
    ops=(
        (4, strided_slice),
        (4, strided_insertion),
        (3, whole_slice),
        (4, neighbour),
        (3, pad),
        (3, allocate),
        (5, elementwise),
        (3, reshape),
    )
)
VECTORS = Family(ops=((10, transfer),))
