"""Memory that is stored in memory, reallocated, and freed by the program on some paths."""

from __future__ import annotations

from tests.programs.generator import Family, Generator, Scope

_MEMORY = "memref<8xf32>"
_UNKNOWN = "memref<?xf32>"
_MANUAL = "{bufferization.manual_deallocation} "


def _filled(
    g: Generator, scope: Scope, type: str = _MEMORY, attributes: str = ""
) -> str:
    """New memory, all of one scalar; of size 4 if the type does not say it."""
    size = "" if type == _MEMORY else "%c4"
    memory = g.define(f"memref.alloc({size}) {attributes}: {type}")
    g.emit(f"linalg.fill ins({g.scalar(scope)} : f32) outs({memory} : {type})")
    return memory


def _read(g: Generator, scope: Scope, memory: str, type: str = _MEMORY) -> None:
    scope.scalars.append(g.define(f"memref.load {memory}[%c0] : {type}"))


# Memrefs of memrefs


def _box(g: Generator, memory: str, element: str) -> tuple[str, str]:
    """New memory of two slots with the memref in both, and its type."""
    type = f"memref<2x{element}>"
    box = g.define(f"memref.{g.random.choice(['alloc', 'alloca'])}() : {type}")
    for slot in ("%c0", "%c1"):
        g.emit(f"memref.store {memory}, {box}[{slot}] : {type}")
    return box, type


def stored(g: Generator, scope: Scope, depth: int) -> None:
    """Slots, some of them overwritten, and one of them read."""
    box, type = _box(g, _filled(g, scope), _MEMORY)
    for _ in range(g.random.randrange(3)):
        other = _filled(g, scope)
        if g.random.random() < 0.5:
            other = g.define(f"memref.load {box}[%c1] : {type}")
        g.emit(
            f"memref.store {other}, {box}[{g.random.choice(['%c0', '%c1'])}] : {type}"
        )
    _read(g, scope, g.define(f"memref.load {box}[%c0] : {type}"))


def stored_twice(g: Generator, scope: Scope, depth: int) -> None:
    """A box in a box."""
    inner, type = _box(g, _filled(g, scope), _MEMORY)
    outer, outer_type = _box(g, inner, type)
    loaded = g.define(f"memref.load {outer}[%c1] : {outer_type}")
    if g.random.random() < 0.5:
        g.emit(f"memref.store {_filled(g, scope)}, {loaded}[%c0] : {type}")
    _read(g, scope, g.define(f"memref.load {loaded}[%c0] : {type}"))


def stored_on_some_paths(g: Generator, scope: Scope, depth: int) -> None:
    """A slot that a conditional overwrites, and that a loop reads."""
    box, type = _box(g, _filled(g, scope), _MEMORY)
    other = _filled(g, scope)
    g.emit(f"scf.if %c {{\nmemref.store {other}, {box}[%c0] : {type}\n}}")
    result, sum = g.name(), g.name()
    g.emit(
        f"{result} = scf.for {sum}i = %c0 to %i step %c1 "
        f"iter_args({sum} = {g.scalar(scope)}) -> (f32) {{"
    )
    nested = scope.nested()
    if g.random.random() < 0.5:
        stored(g, nested, depth)
    _read(g, nested, g.define(f"memref.load {box}[%c0] : {type}"))
    total = g.define(f"arith.addf {sum}, {nested.scalars[-1]} : f32")
    g.emit(f"scf.yield {total} : f32\n}}")
    scope.scalars.append(result)


def carried_out_of_box(g: Generator, scope: Scope, depth: int) -> None:
    """A loop that hands on what it loads: the buffer before, or a new one."""
    result, carried = g.name(), g.name()
    first = _filled(g, scope)
    g.emit(
        f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
        f"iter_args({carried} = {first}) -> ({_MEMORY}) {{"
    )
    nested = scope.nested()
    _read(g, nested, carried)
    box, type = _box(g, carried, _MEMORY)
    g.emit(f"memref.store {_filled(g, nested)}, {box}[%c1] : {type}")
    slot = g.random.choice(["%c0", "%c1"])
    loaded = g.define(f"memref.load {box}[{slot}] : {type}")
    g.emit(f"scf.yield {loaded} : {_MEMORY}\n}}")
    _read(g, scope, result)


# Reallocations


def reallocated(g: Generator, scope: Scope, depth: int) -> None:
    """Memory that grows or shrinks, and that the program frees or not."""
    kind = g.random.choice(["left", "freed", "manual", "manual op"])
    manual = _MANUAL if kind.startswith("manual") else ""
    of_op = _MANUAL if kind == "manual op" else ""
    memory = _filled(g, scope, _UNKNOWN, manual)
    for _ in range(g.random.randrange(1, 3)):
        size = g.random.choice(["%c1", "%c4", "%c8"])
        if g.random.random() < 0.5:
            size = g.define(f"arith.addi %i, {size} : index")
        memory = g.define(
            f"memref.realloc {memory}({size}) {of_op}: {_UNKNOWN} to {_UNKNOWN}"
        )
        _read(g, scope, memory, _UNKNOWN)
    if kind != "left":
        g.emit(f"memref.dealloc {memory} {manual}: {_UNKNOWN}")


def reallocated_in_loop(g: Generator, scope: Scope, depth: int) -> None:
    """A loop that carries the memory that it reallocates."""
    manual = g.random.choice([_MANUAL, ""])
    first = _filled(g, scope, _UNKNOWN, manual)
    result, carried = g.name(), g.name()
    g.emit(
        f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
        f"iter_args({carried} = {first}) -> ({_UNKNOWN}) {{"
    )
    size = g.define(f"arith.addi {carried}i, {g.random.choice(['%c1', '%c4'])} : index")
    grown = g.define(f"memref.realloc {carried}({size}) : {_UNKNOWN} to {_UNKNOWN}")
    g.emit(f"scf.yield {grown} : {_UNKNOWN}\n}}")
    _read(g, scope, result, _UNKNOWN)
    g.emit(f"memref.dealloc {result} {manual}: {_UNKNOWN}")


# Frees


def freed(g: Generator, scope: Scope, depth: int) -> None:
    """One of two buffers, or both."""
    a, b = _filled(g, scope), _filled(g, scope)
    chosen = g.define(f"arith.select %c, {a}, {b} : {_MEMORY}")
    _read(g, scope, chosen)
    g.emit(f"memref.dealloc {chosen} : {_MEMORY}")
    if g.random.random() < 0.5:
        other = g.define(f"arith.select %c, {b}, {a} : {_MEMORY}")
        g.emit(f"memref.dealloc {other} : {_MEMORY}")


def freed_in_branch(g: Generator, scope: Scope, depth: int) -> None:
    """Memory that is freed in the one branch, in both, or is read in the other."""
    memory = _filled(g, scope)
    g.emit(f"scf.if %c {{\nmemref.dealloc {memory} : {_MEMORY}\n}} else {{")
    nested = scope.nested()
    _read(g, nested, memory)
    if g.random.random() < 0.5:
        g.emit(f"memref.dealloc {memory} : {_MEMORY}")
    g.emit("}")


def freed_or_handed_on(g: Generator, scope: Scope, depth: int) -> None:
    """A conditional that replaces memory and frees it, or hands it on."""
    memory, result = _filled(g, scope), g.name()
    g.emit(f"{result} = scf.if %c -> ({_MEMORY}) {{")
    new = _filled(g, scope.nested())
    g.emit(f"memref.dealloc {memory} : {_MEMORY}\nscf.yield {new} : {_MEMORY}")
    g.emit(f"}} else {{\nscf.yield {memory} : {_MEMORY}\n}}")
    _read(g, scope, result)
    if g.random.random() < 0.5:
        g.emit(f"memref.dealloc {result} : {_MEMORY}")


def freed_by_loop(g: Generator, scope: Scope, depth: int) -> None:
    """A loop that frees what it replaces, always or in some iterations."""
    memory, result, carried = _filled(g, scope), g.name(), g.name()
    g.emit(
        f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
        f"iter_args({carried} = {memory}) -> ({_MEMORY}) {{"
    )
    nested = scope.nested()
    _read(g, nested, carried)
    new, free = _filled(g, nested), f"memref.dealloc {carried} : {_MEMORY}"
    is_first = g.define(f"arith.cmpi eq, {carried}i, %c0 : index")
    g.emit(g.random.choice([free, f"scf.if {is_first} {{\n{free}\n}}"]))
    g.emit(f"scf.yield {new} : {_MEMORY}\n}}")
    _read(g, scope, result)
    if g.random.random() < 0.5:
        g.emit(f"memref.dealloc {result} : {_MEMORY}")


BOXES = Family(
    ops=((8, stored), (6, stored_twice)),
    regions=((6, stored_on_some_paths), (6, carried_out_of_box)),
)
REALLOCS = Family(ops=((12, reallocated),), regions=((6, reallocated_in_loop),))
FREES = Family(
    ops=((8, freed),),
    regions=((6, freed_in_branch), (6, freed_or_handed_on), (6, freed_by_loop)),
)
