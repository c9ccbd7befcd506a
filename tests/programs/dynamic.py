"""Tensors of unknown size, and slices of it, for random programs."""

from __future__ import annotations

from tests.programs.generator import (
    DYNAMIC,
    LARGE,
    SMALL,
    Family,
    Generator,
    Scope,
)


def hide_size(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[DYNAMIC].append(
        g.define(f"tensor.cast {g.pick(scope, LARGE)} : {LARGE} to {DYNAMIC}")
    )


def show_size(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[LARGE].append(
        g.define(f"tensor.cast {g.pick(scope, DYNAMIC)} : {DYNAMIC} to {LARGE}")
    )


def allocate(g: Generator, scope: Scope, depth: int) -> None:
    source = g.pick(scope, DYNAMIC)
    size = g.random.choice([g.define(f"tensor.dim {source}, %c0 : {DYNAMIC}"), "%c8"])
    empty = g.define(f"tensor.empty({size}) : {DYNAMIC}")
    scope.tensors[DYNAMIC].append(g.filled(g.scalar(scope), empty, DYNAMIC))


def element(g: Generator, scope: Scope, depth: int) -> None:
    source, into = g.pick(scope, DYNAMIC), g.pick(scope, DYNAMIC)
    scope.scalars.append(g.define(f"tensor.extract {source}[%i] : {DYNAMIC}"))
    scope.tensors[DYNAMIC].append(g.inserted(scope, into, DYNAMIC))


def add(g: Generator, scope: Scope, depth: int) -> None:
    a, b, out = (g.pick(scope, DYNAMIC) for _ in range(3))
    scope.tensors[DYNAMIC].append(g.sum(a, b, out, DYNAMIC))


def known_slice(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[SMALL].append(
        g.define(
            f"tensor.extract_slice {g.pick(scope, DYNAMIC)}[{g.offset()}][4][1] : "
            f"{DYNAMIC} to {SMALL}"
        )
    )


def known_insertion(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[DYNAMIC].append(
        g.define(
            f"tensor.insert_slice {g.pick(scope, SMALL)} into "
            f"{g.pick(scope, DYNAMIC)}[{g.offset()}][4][1] : {SMALL} into {DYNAMIC}"
        )
    )


def tile(g: Generator, scope: Scope, depth: int) -> None:
    """
    Slices of any size, none included: two are added, in one of them or in a new tensor,
    and inserted.
    """
    size = g.random.choice(["%i", "%i", g.define("arith.addi %i, %c1 : index")])
    sources = [g.random.choice([LARGE, DYNAMIC]) for _ in range(3)]
    tensors = [g.pick(scope, type) for type in sources]
    offsets = [g.random.choice(["0", "4", "%i"]) for _ in range(3)]
    stride = g.random.choice(["1", "1", "%c1"])
    a, b = (
        g.define(
            f"tensor.extract_slice {tensor}[{offset}][{size}][{stride}] : "
            f"{type} to tensor<?xf32>"
        )
        for tensor, offset, type in zip(
            tensors[:2], offsets[:2], sources[:2], strict=True
        )
    )
    out = g.random.choice([a, b, g.define(f"tensor.empty({size}) : tensor<?xf32>")])
    new = g.random.choice([g.sum(a, b, out, "tensor<?xf32>"), a])
    # Often where it has been.
    where = g.random.choice([0, 0, 1, 2])
    type = sources[where]
    scope.tensors[type].append(
        g.define(
            f"tensor.insert_slice {new} into {tensors[where]}[{offsets[where]}][{size}]"
            f"[{stride}] : tensor<?xf32> into {type}"
        )
    )


def whole(g: Generator, scope: Scope, depth: int) -> None:
    source = g.pick(scope, DYNAMIC)
    size = g.define(f"tensor.dim {source}, %c0 : {DYNAMIC}")
    scope.tensors[DYNAMIC].append(
        g.define(
            f"tensor.extract_slice {source}[0][{size}][1] : {DYNAMIC} to {DYNAMIC}"
        )
    )


def splat(g: Generator, scope: Scope, depth: int) -> None:
    scope.tensors[DYNAMIC].append(
        g.define(f"tensor.splat {g.scalar(scope)}[%c8] : {DYNAMIC}")
    )


def reshape(g: Generator, scope: Scope, depth: int) -> None:
    """Two dimensions and back, the first unknown."""
    square = "tensor<?x4xf32>"
    expanded = g.define(
        f"tensor.expand_shape {g.pick(scope, DYNAMIC)} [[0, 1]] "
        f"output_shape [%c2, 4] : {DYNAMIC} into {square}"
    )
    if g.random.random() < 0.5:
        scope.tensors[SMALL].append(
            g.define(
                f"tensor.extract_slice {expanded}[1, 0][1, 4][1, 1] : "
                f"{square} to {SMALL}"
            )
        )
        return
    scope.tensors[DYNAMIC].append(
        g.define(f"tensor.collapse_shape {expanded} [[0, 1]] : {square} into {DYNAMIC}")
    )


UNKNOWN_SIZES = Family(
    ops=(
        (5, hide_size),
        (5, show_size),
        (4, allocate),
        (5, element),
        (6, add),
        (5, known_slice),
        (5, known_insertion),
        (9, tile),
        (3, whole),
        (2, splat),
        (4, reshape),
    ),
    types=(DYNAMIC,),
)
