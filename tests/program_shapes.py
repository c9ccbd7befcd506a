"""
Programs of any size whose shape was expensive once, for tests of growth.

Every generator returns the text of a module in which `n` blocks, regions, ops or values depend
on each other.
"""

from __future__ import annotations

from collections.abc import Iterable

TENSOR = "tensor<8xf32>"
MEMREF = "memref<8xf32>"


def blocks_that_may_go_back(n: int) -> str:
    """Each block goes on, or back to the one before it, by the same condition."""
    lines = ["cf.br ^bb0"]
    for i in range(n):
        lines += (
            f"^bb{i}:",
            f"%m{i} = memref.alloc() : {MEMREF}",
            f"memref.store %f, %m{i}[%i] : {MEMREF}",
            f"cf.cond_br %c, ^bb{max(i - 1, 0)}, ^bb{i + 1}",
        )
    return _function((), [*lines, f"^bb{n}:", "func.return"])


def blocks_that_forward_memrefs_back(n: int) -> str:
    """The same, but each block forwards its own memref back and its argument ahead."""
    lines = [f"%m = memref.alloc() : {MEMREF}", f"cf.br ^bb0(%m : {MEMREF})"]
    for i in range(n):
        lines += (
            f"^bb{i}(%x{i} : {MEMREF}):",
            f"%m{i} = memref.alloc() : {MEMREF}",
            f"memref.store %f, %m{i}[%i] : {MEMREF}",
            f"memref.store %f, %x{i}[%i] : {MEMREF}",
            f"cf.cond_br %c, ^bb{max(i - 1, 0)}(%m{i} : {MEMREF}), "
            f"^bb{i + 1}(%x{i} : {MEMREF})",
        )
    return _function((), [*lines, f"^bb{n}(%e : {MEMREF}):", "func.return"])


def nested_conditionals(n: int) -> str:
    """Conditionals in one another that yield a tensor which the innermost one writes."""
    lines = [f"%r{depth} = scf.if %c -> ({TENSOR}) {{" for depth in range(n)]
    lines.append(f"%r{n} = tensor.insert %f into %t0[%i] : {TENSOR}")
    for depth in reversed(range(n)):
        lines += (
            f"scf.yield %r{depth + 1} : {TENSOR}",
            "} else {",
            f"scf.yield %t0 : {TENSOR}",
            "}",
        )
    return _function([TENSOR], [*lines, _return(["%r0"])])


def _function(tensors: Iterable[str], lines: Iterable[str]) -> str:
    tensors = [*tensors]
    arguments = [f"%t{i} : {type}" for i, type in enumerate(tensors)]
    signature = ", ".join(("%c : i1", "%f : f32", "%i : index", *arguments))
    results = f" -> ({', '.join(tensors)})" if tensors else ""
    body = "\n".join(lines)
    return f"func.func @main({signature}){results} {{\n{body}\n}}\n"


def _return(values: Iterable[str]) -> str:
    values = [*values]
    return f"func.return {', '.join(values)} : {', '.join([TENSOR] * len(values))}"
