"""Modules within the module, which use its names again."""

from __future__ import annotations

from tests.programs.generator import LARGE, Family, Function, Generator


def nested_program(g: Generator) -> None:
    """
    A module with a program of its own. Its functions are named like those of the module around,
    but take and return other tensors, and all of them are called.
    """
    families = [family for family in g.families if family is not MODULES]
    inner = Generator(g.random, families, g.recursion)
    for family in families:
        for add_functions in family.functions:
            add_functions(inner)
    for _ in range(g.random.randint(1, 3)):
        inner.function(g.random.randint(2, 6))
    callees = [*inner.functions]
    scope = inner.begin(Function("calls_all", (LARGE,), (LARGE,)))
    for function in callees:
        inner.call_to(function, scope, "%i")
    inner.return_from(scope)
    inner.emit("}")
    g.emit("builtin.module @within {")
    private = {f"func.func @{f.name}(" for f in callees if g.random.random() < 0.5}
    for line in inner.lines:
        opening = next((start for start in private if line.startswith(start)), "")
        g.emit(line.replace("func.func", "func.func private", 1) if opening else line)
    g.emit("}")


MODULES = Family(functions=(nested_program,))
