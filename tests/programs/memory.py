"""Memory of the program's own: clones, vectors as elements, alignment, memory spaces."""

from __future__ import annotations

from tests.programs.generator import LARGE, Family, Generator, Scope

_MEMORY = "memref<8xf32>"
_STRIDED = "memref<4xf32, strided<[1], offset: ?>>"
_VECTOR = "vector<4xf32>"


def _filled(g: Generator, scope: Scope, attributes: str = "") -> str:
    """New memory, all of one scalar."""
    memory = g.define(f"memref.alloc() {attributes}: {_MEMORY}")
    g.emit(f"linalg.fill ins({g.scalar(scope)} : f32) outs({memory} : {_MEMORY})")
    return memory


def _read(g: Generator, scope: Scope, memory: str, type: str = _MEMORY) -> None:
    scope.scalars.append(g.define(f"memref.load {memory}[%i] : {type}"))


def clone(g: Generator, scope: Scope, depth: int) -> None:
    """A clone that is read once its source is not used any more, or before that."""
    source = _filled(g, scope)
    cloned = g.define(f"bufferization.clone {source} : {_MEMORY} to {_MEMORY}")
    if g.random.random() < 0.5:
        _read(g, scope, source)
    other = _filled(g, scope)
    _read(g, scope, cloned)
    _read(g, scope, other)


def clone_of_part(g: Generator, scope: Scope, depth: int) -> None:
    source = _filled(g, scope)
    part = g.define(
        f"memref.subview {source}[{g.offset()}][4][1] : {_MEMORY} to {_STRIDED}"
    )
    cloned = g.define(f"bufferization.clone {part} : {_STRIDED} to memref<4xf32>")
    _read(g, scope, g.random.choice([source, source]))
    _read(g, scope, cloned, "memref<4xf32>")


def clone_as_tensor(g: Generator, scope: Scope, depth: int) -> None:
    """A tensor that nobody may write: it is a clone's."""
    source = _filled(g, scope)
    cloned = g.define(f"bufferization.clone {source} : {_MEMORY} to {_MEMORY}")
    scope.tensors[LARGE].append(
        g.define(f"bufferization.to_tensor {cloned} restrict : {_MEMORY} to {LARGE}")
    )


def clone_in_loop(g: Generator, scope: Scope, depth: int) -> None:
    """Each iteration reads what the one before has cloned, and yields a clone."""
    first = _filled(g, scope)
    result, carried = g.name(), g.name()
    g.emit(
        f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
        f"iter_args({carried} = {first}) -> ({_MEMORY}) {{"
    )
    nested = scope.nested()
    new = g.define(f"memref.alloc() : {_MEMORY}")
    if g.random.random() < 0.5:
        _read(g, nested, carried)
        g.emit(f"linalg.fill ins({nested.scalars[-1]} : f32) outs({new} : {_MEMORY})")
    else:
        g.emit(
            f"linalg.add ins({carried}, {carried} : {_MEMORY}, {_MEMORY}) "
            f"outs({new} : {_MEMORY})"
        )
    cloned = g.define(f"bufferization.clone {new} : {_MEMORY} to {_MEMORY}")
    g.emit(f"scf.yield {g.random.choice([cloned, cloned, new])} : {_MEMORY}\n}}")
    _read(g, scope, result)


def stored_vector(g: Generator, scope: Scope, depth: int) -> None:
    """An allocation of a few bytes, and one of vectors behind it."""
    small = g.define("memref.alloc() : memref<3xi8>")
    byte = g.define("arith.constant 7 : i8")
    g.emit(f"memref.store {byte}, {small}[%c1] : memref<3xi8>")
    type = f"memref<2x{_VECTOR}>"
    memory = g.define(f"memref.alloc() : {type}")
    vector = g.define(f"vector.broadcast {g.scalar(scope)} : f32 to {_VECTOR}")
    g.emit(f"memref.store {vector}, {memory}[%c1] : {type}")
    loaded = g.define(f"memref.load {memory}[%c1] : {type}")
    scope.scalars.append(g.define(f"vector.extract {loaded}[2] : f32 from {_VECTOR}"))
    read = g.define(f"memref.load {small}[%c1] : memref<3xi8>")
    scope.scalars.append(g.element(g.define(f"arith.index_cast {read} : i8 to index")))


def vector_in_tensor(g: Generator, scope: Scope, depth: int) -> None:
    type = f"tensor<2x{_VECTOR}>"
    vector = g.define(f"vector.broadcast {g.scalar(scope)} : f32 to {_VECTOR}")
    tensor = g.define(f"tensor.empty() : {type}")
    for position in ("%c0", "%c1"):
        tensor = g.define(f"tensor.insert {vector} into {tensor}[{position}] : {type}")
    other = g.define(f"vector.broadcast {g.scalar(scope)} : f32 to {_VECTOR}")
    inserted = g.define(f"tensor.insert {other} into {tensor}[%c1] : {type}")
    for each in (inserted, tensor):
        read = g.define(f"tensor.extract {each}[%c1] : {type}")
        scope.scalars.append(g.define(f"vector.extract {read}[1] : f32 from {_VECTOR}"))


def aligned(g: Generator, scope: Scope, depth: int) -> None:
    """Memory of several alignments, and vectors that are loaded from it."""
    for _ in range(2):
        alignment = g.random.choice([1, 2, 4, 16, 32, 64, 256])
        memory = _filled(g, scope, f"{{alignment = {alignment} : i64}} ")
        vector = g.define(f"vector.load {memory}[%c0] : {_MEMORY}, {_VECTOR}")
        scope.scalars.append(
            g.define(f"vector.extract {vector}[3] : f32 from {_VECTOR}")
        )


def in_space(g: Generator, scope: Scope, depth: int) -> None:
    """A tensor that is taken from memory in another memory space."""
    type = f"memref<8xf32, {g.random.choice('12')}>"
    memory = g.define(f"memref.alloc() : {type}")
    g.emit(
        f"bufferization.materialize_in_destination {g.pick(scope, LARGE)} in restrict "
        f"writable {memory} : ({LARGE}, {type}) -> ()"
    )
    tensor = g.define(
        f"bufferization.to_tensor {memory} restrict writable : {type} to {LARGE}"
    )
    inserted = g.inserted(scope, tensor, LARGE)
    for each in (inserted, tensor):
        scope.scalars.append(g.define(f"tensor.extract {each}[%i] : {LARGE}"))


def allocated_in_space(g: Generator, scope: Scope, depth: int) -> None:
    source = g.pick(scope, LARGE)
    tensor = g.define(
        f"bufferization.alloc_tensor() copy({source}) {{memory_space = 1 : i64}} "
        f": {LARGE}"
    )
    filled = g.filled(g.scalar(scope), tensor, LARGE)
    for each in (filled, tensor):
        scope.scalars.append(g.define(f"tensor.extract {each}[%i] : {LARGE}"))


def without_rank(g: Generator, scope: Scope, depth: int) -> None:
    """A tensor whose type does not tell its rank."""
    unknown = "tensor<*xf32>"
    cast = g.define(f"tensor.cast {g.pick(scope, LARGE)} : {LARGE} to {unknown}")
    scope.tensors[LARGE].append(g.define(f"tensor.cast {cast} : {unknown} to {LARGE}"))


def chosen_without_rank(g: Generator, scope: Scope, depth: int) -> None:
    unknown = "tensor<*xf32>"
    a, b = (
        g.define(f"tensor.cast {g.pick(scope, LARGE)} : {LARGE} to {unknown}")
        for _ in range(2)
    )
    result = g.name()
    g.emit(f"{result} = scf.if %c -> ({unknown}) {{\nscf.yield {a} : {unknown}")
    g.emit(f"}} else {{\nscf.yield {b} : {unknown}\n}}")
    scope.tensors[LARGE].append(
        g.define(f"tensor.cast {result} : {unknown} to {LARGE}")
    )


def memory_without_rank(g: Generator, scope: Scope, depth: int) -> None:
    unknown = "memref<*xf32>"
    memory = _filled(g, scope)
    cast = g.define(f"memref.cast {memory} : {_MEMORY} to {unknown}")
    if g.random.random() < 0.5:
        cast = g.define(f"bufferization.clone {cast} : {unknown} to {unknown}")
    back = g.define(f"memref.cast {cast} : {unknown} to {_MEMORY}")
    _read(g, scope, back)


def carried_part(g: Generator, scope: Scope, depth: int) -> None:
    """A loop in which each iteration hands on a part of what it was given."""
    unknown = "tensor<?xf32>"
    source = g.pick(scope, LARGE)
    init = g.define(f"tensor.cast {source} : {LARGE} to {unknown}")
    result, carried = g.name(), g.name()
    g.emit(
        f"{result} = scf.for {carried}i = %c0 to %i step %c1 "
        f"iter_args({carried} = {init}) -> ({unknown}) {{"
    )
    nested = scope.nested()
    size = g.define(f"tensor.dim {carried}, %c0 : {unknown}")
    less = g.define(f"arith.subi {size}, %c1 : index")
    part = g.define(
        f"tensor.extract_slice {carried}[{g.random.choice('01')}][{less}][1] : "
        f"{unknown} to {unknown}"
    )
    if g.random.random() < 0.6:
        part = g.inserted(nested, part, unknown)
    if g.random.random() < 0.3:
        part = g.sum(part, part, part, unknown)
    g.emit(f"scf.yield {part} : {unknown}\n}}")
    scope.scalars.append(g.define(f"tensor.extract {result}[%i] : {unknown}"))
    small = g.define(
        f"tensor.extract_slice {result}[{g.random.choice('01')}][4][1] : "
        f"{unknown} to tensor<4xf32>"
    )
    scope.tensors["tensor<4xf32>"].append(small)


def outside(g: Generator) -> None:
    """Ops on tensors in no function."""
    name = f"%outside{len(g.lines)}"
    g.emit(f"{name} = arith.constant dense<1.0> : {LARGE}")
    g.emit(f"{name}_f = arith.constant 2.0 : f32")
    g.emit(f"{name}_i = arith.constant 1 : index")
    g.emit(f"{name}_n = tensor.insert {name}_f into {name}[{name}_i] : {LARGE}")
    g.emit(f"{name}_r = tensor.extract {name}_n[{name}_i] : {LARGE}")


def nested_module(g: Generator) -> None:
    """A module in the module; its functions can be called by nobody else."""
    g.emit("builtin.module @nested {")
    g.emit(f"func.func @in_module(%t: {LARGE}, %f: f32, %i: index) -> {LARGE} {{")
    g.emit(f"%r = tensor.insert %f into %t[%i] : {LARGE}")
    g.emit(f"func.return %r : {LARGE}\n}}\n}}")


CLONES = Family(
    ops=((6, clone), (6, clone_of_part), (4, clone_as_tensor)),
    regions=((6, clone_in_loop),),
)
WIDE_ELEMENTS = Family(ops=((8, stored_vector), (8, vector_in_tensor)))
ALIGNED = Family(ops=((12, aligned),))
SPACES = Family(ops=((8, in_space), (6, allocated_in_space)))
UNRANKED = Family(
    ops=((8, without_rank), (8, memory_without_rank)),
    regions=((6, chosen_without_rank),),
)
PARTS = Family(regions=((12, carried_part),))
OUTSIDE = Family(functions=(outside, nested_module))
