"""Ops with regions, and control flow between blocks, for random programs."""

from __future__ import annotations

from tests.programs.generator import LARGE, SMALL, Family, Generator, Scope


def carrying_loop(g: Generator, scope: Scope, depth: int) -> None:
    """A loop that may hand over any tensor: its own, another one's, or a new one."""
    types = [g.type() for _ in range(g.random.randint(1, 3))]
    result, index = g.name(), g.name()
    carried = [g.name() for _ in types]
    inits = ", ".join(
        f"{name} = {g.pick(scope, type)}"
        for name, type in zip(carried, types, strict=True)
    )
    bound = g.random.choice(["%i", "%c4", "%c0"])
    g.emit(
        f"{result}:{len(types)} = scf.for {index} = %c0 to {bound} step %c1 "
        f"iter_args({inits}) -> ({', '.join(types)}) {{"
    )
    nested = scope.nested()
    for name, type in zip(carried, types, strict=True):
        nested.tensors[type].append(name)
    g.ops(nested, depth - 1, g.random.randint(0, 4))
    g.emit(f"scf.yield {_handed_over(g, nested, carried, types)}")
    g.emit("}")
    for i, type in enumerate(types):
        scope.tensors[type].append(f"{result}#{i}")


def tile_loop(g: Generator, scope: Scope, depth: int) -> None:
    """
    Writes some tile in each iteration, and reads one of what the loop started with, or of
    some other tensor: in front of the write or behind it.
    """
    start, other = g.pick(scope, LARGE), g.pick(scope, LARGE)
    result, carried, index = g.name(), g.name(), g.name()
    step, size = g.random.choice([("%c1", 1), ("%c1", 2), ("%c2", 2), ("%c2", 1)])
    tile = f"tensor<{size}xf32>"
    g.emit(
        f"{result} = scf.for {index} = %c0 to %c4 step {step} "
        f"iter_args({carried} = {start}) -> ({LARGE}) {{"
    )
    ahead = g.define(f"arith.addi {index}, {g.random.choice(['%c1', '%c2'])} : index")

    def part(source: str) -> str:
        offset = g.random.choice([index, index, index, ahead, "0", "%i"])
        return g.define(
            f"tensor.extract_slice {source}[{offset}][{size}][1] : {LARGE} to {tile}"
        )

    sources = [g.random.choice([start, start, other, carried]) for _ in range(2)]
    a, b = (part(source) for source in sources)
    place = g.random.choice([index, index, ahead])
    into = g.define(
        f"tensor.extract_slice {carried}[{place}][{size}][1] : {LARGE} to {tile}"
    )
    if g.random.random() < 0.3:
        into = g.filled(g.scalar(scope), into, tile)
    written = g.sum(a, b, into, tile)
    if g.random.random() < 0.3:
        written = g.sum(written, part(start), written, tile)
    updated = g.define(
        f"tensor.insert_slice {written} into {carried}[{place}][{size}][1] : "
        f"{tile} into {LARGE}"
    )
    if g.random.random() < 0.2:
        value = g.define(f"tensor.extract {start}[{index}] : {LARGE}")
        updated = g.define(f"tensor.insert {value} into {updated}[{index}] : {LARGE}")
    g.emit(f"scf.yield {updated} : {LARGE}\n}}")
    scope.tensors[LARGE].append(result)


def while_loop(g: Generator, scope: Scope, depth: int) -> None:
    """A loop that runs `%i` times, or once more: the condition comes behind or in front."""
    types = [g.type() for _ in range(g.random.randint(1, 2))]
    result, before, after = g.name(), g.name(), g.name()
    first = [g.name() for _ in types]
    second = [g.name() for _ in types]
    inits = ", ".join(
        f"{name} = {g.pick(scope, type)}"
        for name, type in zip(first, types, strict=True)
    )
    signature = ", ".join([*types, "index"])
    g.emit(
        f"{result}:{len(types) + 1} = scf.while ({inits}, {before} = %c0) : "
        f"({signature}) -> ({signature}) {{"
    )
    nested = scope.nested()
    for name, type in zip(first, types, strict=True):
        nested.tensors[type].append(name)
    g.ops(nested, depth - 1, g.random.randint(0, 3))
    again = g.define(f"arith.cmpi slt, {before}, %i : index")
    values = [
        _one_handed_over(g, nested, *pair) for pair in zip(first, types, strict=True)
    ]
    g.emit(f"scf.condition({again}) {', '.join([*values, before])} : {signature}")
    arguments = ", ".join(
        f"{name}: {type}" for name, type in zip(second, types, strict=True)
    )
    g.emit(f"}} do {{\n^bb0({arguments}, {after}: index):")
    nested = scope.nested()
    for name, type in zip(second, types, strict=True):
        nested.tensors[type].append(name)
    g.ops(nested, depth - 1, g.random.randint(0, 3))
    step = g.define(f"arith.addi {after}, %c1 : index")
    values = [
        _one_handed_over(g, nested, *pair) for pair in zip(second, types, strict=True)
    ]
    g.emit(f"scf.yield {', '.join([*values, step])} : {signature}\n}}")
    for i, type in enumerate(types):
        scope.tensors[type].append(f"{result}#{i}")


def _handed_over(
    g: Generator, scope: Scope, carried: list[str], types: list[str]
) -> str:
    values = [
        _one_handed_over(g, scope, name, type)
        for name, type in zip(carried, types, strict=True)
    ]
    return f"{', '.join(values)} : {', '.join(types)}"


def _one_handed_over(g: Generator, scope: Scope, own: str, type: str) -> str:
    """Most often the tensor itself, updated or not."""
    kind = g.random.choice(["same", "updated", "updated", "any"])
    if kind == "same":
        return own
    if kind == "any":
        return g.pick(scope, type)
    a, b = g.pick(scope, type), g.pick(scope, type)
    return g.random.choice([g.sum(a, b, own, type), g.inserted(scope, own, type)])


def index_switch(g: Generator, scope: Scope, depth: int) -> None:
    type, result = g.type(), g.name()
    g.emit(f"{result} = scf.index_switch %i -> {type}")
    for label in ("case 0 {", "case 2 {", "default {"):
        g.emit(label)
        nested = scope.nested()
        g.ops(nested, depth - 1, g.random.randint(0, 3))
        g.emit(f"scf.yield {g.pick(nested, type)} : {type}\n}}")
    scope.tensors[type].append(result)


def execute_region(g: Generator, scope: Scope, depth: int) -> None:
    type, result = g.type(), g.name()
    g.emit(f"{result} = scf.execute_region -> {type} {{")
    nested = scope.nested()
    g.ops(nested, depth - 1, g.random.randint(0, 4))
    g.emit(f"scf.yield {g.pick(nested, type)} : {type}\n}}")
    scope.tensors[type].append(result)


def forall(g: Generator, scope: Scope, depth: int) -> None:
    """Each run writes its own half of the shared output."""
    result, shared, index = g.name(), g.name(), g.name()
    g.emit(
        f"{result} = scf.forall ({index}) in (2) "
        f"shared_outs({shared} = {g.pick(scope, LARGE)}) -> ({LARGE}) {{"
    )
    nested = scope.nested()
    offset = g.define(f"arith.muli {index}, %c4 : index")
    tile = g.slice_of(shared, offset)
    nested.tensors[SMALL].append(tile)
    g.ops(nested, 0, g.random.randint(0, 4))
    new = g.sum(g.pick(nested, SMALL), g.pick(nested, SMALL), tile, SMALL)
    written = g.random.choice([new, g.pick(nested, SMALL)])
    g.emit("scf.forall.in_parallel {")
    g.emit(
        f"tensor.parallel_insert_slice {written} into {shared}[{offset}][4][1] : "
        f"{SMALL} into {LARGE}\n}}\n}}"
    )
    scope.tensors[LARGE].append(result)


def generate(g: Generator, scope: Scope, depth: int) -> None:
    """Each element is computed from tensors around."""
    _generate(g, scope, 0)


def generate_writing(g: Generator, scope: Scope, depth: int) -> None:
    """The body works on tensors from around, which mlir-opt lets all runs write."""
    _generate(g, scope, 3)


def _generate(g: Generator, scope: Scope, ops: int) -> None:
    type, result, index = g.type(), g.name(), g.name()
    g.emit(f"{result} = tensor.generate {{\n^bb0({index}: index):")
    nested = scope.nested()
    # What the runs write is not the same, so that it shows if they share memory.
    nested.scalars = [g.element(index)]
    g.ops(nested, 0, ops)
    for _ in range(2):
        g.extract(nested)
    g.emit(f"tensor.yield {nested.scalars[-1]} : f32\n}} : {type}")
    scope.tensors[type].append(result)


def diamond(g: Generator, scope: Scope, depth: int) -> None:
    type, argument = g.type(), g.name()
    labels = [f"^b{g.name()[1:]}" for _ in range(3)]
    g.emit(f"cf.cond_br %c, {labels[0]}, {labels[1]}")
    for label in labels[:2]:
        g.emit(f"{label}:")
        nested = scope.nested()
        g.ops(nested, 1, g.random.randint(0, 3))
        g.emit(f"cf.br {labels[2]}({g.pick(nested, type)} : {type})")
    g.emit(f"{labels[2]}({argument}: {type}):")
    scope.tensors[type].append(argument)


def block_loop(g: Generator, scope: Scope, depth: int) -> None:
    type, argument, index = g.type(), g.name(), g.name()
    head, body, behind = (f"^b{g.name()[1:]}" for _ in range(3))
    g.emit(f"cf.br {head}(%c0, {g.pick(scope, type)} : index, {type})")
    g.emit(f"{head}({index}: index, {argument}: {type}):")
    scope.tensors[type].append(argument)
    g.ops(scope, 1, g.random.randint(0, 2))
    again = g.define(f"arith.cmpi slt, {index}, %i : index")
    g.emit(f"cf.cond_br {again}, {body}, {behind}")
    g.emit(f"{body}:")
    nested = scope.nested()
    g.ops(nested, 1, g.random.randint(0, 3))
    value = _one_handed_over(g, nested, argument, type)
    step = g.define(f"arith.addi {index}, %c1 : index")
    g.emit(f"cf.br {head}({step}, {value} : index, {type})")
    g.emit(f"{behind}:")


def early_return(g: Generator, scope: Scope, depth: int) -> None:
    here, on = (f"^b{g.name()[1:]}" for _ in range(2))
    g.emit(f"cf.cond_br %c, {here}, {on}")
    g.emit(f"{here}:")
    nested = scope.nested()
    g.ops(nested, 1, g.random.randint(0, 2))
    g.return_from(nested)
    g.emit(f"{on}:")


LOOPS = Family(regions=((8, carrying_loop), (6, while_loop)))
TILES = Family(regions=((10, tile_loop),))
REGIONS = Family(regions=((4, execute_region), (5, forall), (4, generate)))
SWITCHES = Family(regions=((8, index_switch),))
BODIES = Family(regions=((6, generate_writing),))
BLOCKS = Family(blocks=((8, diamond), (8, block_loop), (3, early_return)))
