"""
Families of programs of any size, each with what an analysis may find hard about it.

Every generator returns the text of a module with a function `@main` that takes a tensor of
`size(n)` floats and one float, and returns a tensor of that size; `n` is at least 1. The
text is custom syntax that both xDSL and mlir-opt read.
"""

from __future__ import annotations

from collections.abc import Callable

SLOTS = 16
"""Elements that the programs address one by one."""

TENSOR = f"tensor<{SLOTS}xf32>"
"""Their type."""

TILE = 4
"""Elements of a tile."""


def chained_inserts(n: int) -> str:
    """A chain of `n` writes of single elements: one alias set that `n` ops write."""
    lines = _constants(SLOTS)
    for i in range(n):
        lines.append(
            f"%t{i + 1} = tensor.insert %f into %t{i}[%c{i % SLOTS}] : {TENSOR}"
        )
    return _module(_function("main", TENSOR, lines, f"%t{n}"))


def tiles(n: int) -> str:
    """
    `n` disjoint tiles of one tensor, each taken out, doubled and put back: subsets that
    have to be told from one another.
    """
    type, tile = f"tensor<{TILE * n}xf32>", f"tensor<{TILE}xf32>"
    lines: list[str] = []
    for i in range(n):
        subset = f"[{TILE * i}] [{TILE}] [1]"
        lines += (
            f"%s{i} = tensor.extract_slice %t{i}{subset} : {type} to {tile}",
            f"%d{i} = linalg.add ins(%s{i}, %s{i} : {tile}, {tile}) "
            f"outs(%s{i} : {tile}) -> {tile}",
            f"%t{i + 1} = tensor.insert_slice %d{i} into %t{i}{subset} : "
            f"{tile} into {type}",
        )
    return _module(_function("main", type, lines, f"%t{n}"))


def chained_adds(n: int) -> str:
    """A chain of `n` additions, each into a buffer of its own: many alias sets."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"%e{i} = tensor.empty() : {TENSOR}",
            f"%t{i + 1} = linalg.add ins(%t{i}, %t0 : {TENSOR}, {TENSOR}) "
            f"outs(%e{i} : {TENSOR}) -> {TENSOR}",
        )
    return _module(_function("main", TENSOR, lines, f"%t{n}"))


def reads_then_write(n: int) -> str:
    """`n` reads of one tensor, summed, and the write that must come after them all."""
    lines = [*_constants(SLOTS), "%sum0 = arith.addf %f, %f : f32"]
    for i in range(n):
        lines += (
            f"%x{i} = tensor.extract %t0[%c{i % SLOTS}] : {TENSOR}",
            f"%sum{i + 1} = arith.addf %sum{i}, %x{i} : f32",
        )
    lines.append(f"%t1 = tensor.insert %sum{n} into %t0[%c0] : {TENSOR}")
    return _module(_function("main", TENSOR, lines, "%t1"))


def chained_calls(n: int) -> str:
    """
    `n` functions, each of which calls the next and then writes an element; the last only
    writes. In the text callers come first.
    """
    functions: list[str] = []
    for i in range(n):
        slot = i % SLOTS
        body = [f"%c = arith.constant {slot} : index"]
        written = "%t0"
        if i + 1 < n:
            written = "%t1"
            body.append(
                f"%t1 = func.call @f{i + 1}(%t0, %f) : ({TENSOR}, f32) -> {TENSOR}"
            )
        body.append(f"%t2 = tensor.insert %f into {written}[%c] : {TENSOR}")
        functions.append(_function("main" if i == 0 else f"f{i}", TENSOR, body, "%t2"))
    return _module(*functions)


def block_arguments(n: int) -> str:
    """A block with `n` tensors as arguments, each of which it writes."""
    lines, tensors, types = _filled(n)
    lines.append(f"cf.br ^next({tensors} : {types})")
    lines.append(f"^next({', '.join(f'%a{i}: {TENSOR}' for i in range(n))}):")
    lines += _written(n, "%c0")
    return _module(_function("main", TENSOR, lines, f"%w{n - 1}"))


def carried_tensors(n: int) -> str:
    """A loop that carries `n` tensors, and writes each of them in two iterations."""
    lines, tensors, types = _filled(n)
    carried = ", ".join(
        f"%a{i} = {tensor}" for i, tensor in enumerate(tensors.split(", "))
    )
    lines.append(
        f"%r:{n} = scf.for %i = %c0 to %c2 step %c1 iter_args({carried}) -> ({types}) {{"
    )
    lines += _written(n, "%i")
    lines.append(f"scf.yield {', '.join(f'%w{i}' for i in range(n))} : {types}")
    lines.append("}")
    return _module(_function("main", TENSOR, lines, f"%r#{n - 1}"))


def _filled(n: int) -> tuple[list[str], str, str]:
    """Lines that fill `n` tensors, the names of the tensors, and their types."""
    lines = _constants(3)
    for i in range(n):
        lines += (
            f"%e{i} = tensor.empty() : {TENSOR}",
            f"%b{i} = linalg.fill ins(%f : f32) outs(%e{i} : {TENSOR}) -> {TENSOR}",
        )
    return lines, ", ".join(f"%b{i}" for i in range(n)), ", ".join([TENSOR] * n)


def _written(n: int, index: str) -> list[str]:
    """Lines that write an element of each of `n` tensors."""
    return [
        f"%w{i} = tensor.insert %f into %a{i}[{index}] : {TENSOR}" for i in range(n)
    ]


FAMILIES: dict[str, Callable[[int], str]] = {
    "chained tensor.insert": chained_inserts,
    "extract/add/insert tiles": tiles,
    "chained linalg.add": chained_adds,
    "reads, then a write": reads_then_write,
    "chained func.call": chained_calls,
    "block arguments": block_arguments,
    "carried tensors": carried_tensors,
}
"""The families by the name under which they are reported."""


def size(family: Callable[[int], str], n: int) -> int:
    """How many elements the tensors of `family(n)` have."""
    return TILE * n if family is tiles else SLOTS


def _constants(count: int) -> list[str]:
    return [f"%c{i} = arith.constant {i} : index" for i in range(count)]


def _function(name: str, type: str, lines: list[str], result: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return (
        f"  func.func @{name}(%t0: {type}, %f: f32) -> {type} {{\n"
        f"{body}\n    func.return {result} : {type}\n  }}"
    )


def _module(*functions: str) -> str:
    return "\n".join(("builtin.module {", *functions, "}", ""))
