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


def joining_blocks(n: int) -> str:
    """Each conditional writes the tensor of the one before it, or does not."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"cf.cond_br %c, ^written{i}, ^kept{i}",
            f"^written{i}:",
            f"%w{i} = tensor.insert %f into %t{i}[%i] : {TENSOR}",
            f"cf.br ^join{i}(%w{i} : {TENSOR})",
            f"^kept{i}:",
            f"cf.br ^join{i}(%t{i} : {TENSOR})",
            f"^join{i}(%t{i + 1} : {TENSOR}):",
        )
    return _function([TENSOR], [*lines, _return([f"%t{n}"])])


def joining_blocks_with_new_memory(n: int) -> str:
    """Each conditional makes a new tensor, or forwards that of the one before it."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"cf.cond_br %c, ^new{i}, ^kept{i}",
            f"^new{i}:",
            f"%e{i} = tensor.empty() : {TENSOR}",
            f"%n{i} = linalg.fill ins(%f : f32) outs(%e{i} : {TENSOR}) -> {TENSOR}",
            f"cf.br ^join{i}(%n{i} : {TENSOR})",
            f"^kept{i}:",
            f"cf.br ^join{i}(%t{i} : {TENSOR})",
            f"^join{i}(%t{i + 1} : {TENSOR}):",
        )
    return _function([TENSOR], [*lines, _return([f"%t{n}"])])


def selected_memrefs(n: int) -> str:
    """One memref may be any of those given out of `n` tensors, and is read each time."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"%e{i} = tensor.empty() : {TENSOR}",
            f"%n{i} = linalg.fill ins(%f : f32) outs(%e{i} : {TENSOR}) -> {TENSOR}",
            f"%m{i} = bufferization.to_buffer %n{i} read_only : {TENSOR} to {MEMREF}",
        )
    lines.append(f"%s0 = arith.select %c, %m0, %m0 : {MEMREF}")
    for i in range(1, n):
        lines += (
            f"%s{i} = arith.select %c, %s{i - 1}, %m{i} : {MEMREF}",
            f"%x{i} = memref.load %s{i}[%i] : {MEMREF}",
        )
    return _function([], [*lines, "func.return"])


def conditionals_that_hand_on(n: int) -> str:
    """Each conditional yields a new memref, or that of the one before it."""
    lines = [f"%s0 = memref.alloc() : {MEMREF}"]
    for i in range(n):
        lines += (
            f"%s{i + 1} = scf.if %c -> ({MEMREF}) {{",
            f"%m{i} = memref.alloc() : {MEMREF}",
            f"scf.yield %m{i} : {MEMREF}",
            "} else {",
            f"scf.yield %s{i} : {MEMREF}",
            "}",
        )
    return _function(
        [], [*lines, f"memref.store %f, %s{n}[%i] : {MEMREF}", "func.return"]
    )


def loops_of_buffers_used_later(n: int) -> str:
    """Each loop starts with the memref of the one before it, which is used after the loop."""
    lines = [f"%s0 = memref.alloc() : {MEMREF}"]
    for i in range(n):
        lines += (
            f"%s{i + 1} = scf.for %k{i} = %i to %i step %i iter_args(%x{i} = %s{i})"
            f" -> ({MEMREF}) {{",
            f"%m{i} = memref.alloc() : {MEMREF}",
            f"memref.store %f, %x{i}[%i] : {MEMREF}",
            f"scf.yield %m{i} : {MEMREF}",
            "}",
            f"memref.store %f, %s{i}[%i] : {MEMREF}",
        )
    return _function([], [*lines, "func.return"])


def returned_choice(n: int) -> str:
    """A chain of `n` choices between a new memref and the choice before; the last is returned."""
    lines = [f"%s0 = memref.alloc() : {MEMREF}"]
    for i in range(n):
        lines += (
            f"%m{i} = memref.alloc() : {MEMREF}",
            f"%s{i + 1} = arith.select %c, %s{i}, %m{i} : {MEMREF}",
            f"memref.store %f, %s{i + 1}[%i] : {MEMREF}",
        )
    lines += ["scf.if %c {", f"memref.store %f, %s{n}[%i] : {MEMREF}", "}"]
    return _function([], [*lines, f"func.return %s{n} : {MEMREF}"]).replace(
        ") {", f") -> {MEMREF} {{", 1
    )


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


def rotating_for(n: int) -> str:
    """A loop in which each carried tensor becomes the one before it."""
    types = ", ".join([TENSOR] * n)
    carried = ", ".join(f"%a{i} = %t{i}" for i in range(n))
    lines = (
        f"%r:{n} = scf.for %k = %i to %i step %i iter_args({carried}) -> ({types}) {{",
        f"scf.yield {_rotated('a', n)} : {types}",
        "}",
        _return(f"%r#{i}" for i in range(n)),
    )
    return _function([TENSOR] * n, lines)


def rotating_while(n: int) -> str:
    """The same with a condition that is computed in each iteration."""
    types = ", ".join([TENSOR] * n)
    carried = ", ".join(f"%a{i} = %t{i}" for i in range(n))
    after = ", ".join(f"%b{i} : {TENSOR}" for i in range(n))
    lines = (
        f"%r:{n} = scf.while ({carried}) : ({types}) -> ({types}) {{",
        '%k = "test.op"() : () -> i1',
        f"scf.condition(%k) {_rotated('a', n)} : {types}",
        "} do {",
        f"^bb0({after}):",
        f"scf.yield {', '.join(f'%b{i}' for i in range(n))} : {types}",
        "}",
        _return(f"%r#{i}" for i in range(n)),
    )
    return _function([TENSOR] * n, lines)


def call_of_declaration(n: int) -> str:
    """A call of a declared function that takes `n` tensors and returns as many."""
    types = ", ".join([TENSOR] * n)
    tensors = ", ".join(f"%t{i}" for i in range(n))
    lines = (
        f"%r:{n} = func.call @declared({tensors}) : ({types}) -> ({types})",
        _return(f"%r#{i}" for i in range(n)),
    )
    declaration = f"func.func private @declared({types}) -> ({types})\n"
    return declaration + _function([TENSOR] * n, lines)


def call_of_many(n: int) -> str:
    """A call of a function that computes `n` new tensors from as many."""
    types = ", ".join([TENSOR] * n)
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"%e{i} = tensor.empty() : {TENSOR}",
            f"%n{i} = linalg.exp ins(%t{i} : {TENSOR}) outs(%e{i} : {TENSOR}) -> {TENSOR}",
        )
    callee = _function([TENSOR] * n, [*lines, _return(f"%n{i}" for i in range(n))])
    tensors = ", ".join(("%c", "%f", "%i", *(f"%t{i}" for i in range(n))))
    caller = (
        f"%r:{n} = func.call @many({tensors}) : (i1, f32, index, {types}) -> ({types})",
        _return(f"%r#{i}" for i in range(n)),
    )
    return callee.replace("@main", "private @many") + _function([TENSOR] * n, caller)


def calls_of_updates(n: int) -> str:
    """Two calls of a function that writes all of its `n` tensors."""
    types = ", ".join([TENSOR] * n)
    lines = [f"%n{i} = tensor.insert %f into %t{i}[%i] : {TENSOR}" for i in range(n)]
    callee = _function([TENSOR] * n, [*lines, _return(f"%n{i}" for i in range(n))])
    tensors = (
        ", ".join(("%c", "%f", "%i", *(f"{name}{i}" for i in range(n))))
        for name in ("%t", "%r#")
    )
    caller = [
        f"{result}:{n} = func.call @many({given}) : (i1, f32, index, {types}) -> ({types})"
        for result, given in zip(("%r", "%s"), tensors, strict=True)
    ]
    caller.append(_return(f"%s#{i}" for i in range(n)))
    return callee.replace("@main", "private @many") + _function([TENSOR] * n, caller)


def call_on_memrefs(n: int) -> str:
    """A call of a function that returns `n` new memrefs, given as many."""
    types = ", ".join([MEMREF] * n)
    new = [f"%n{i} = memref.alloc() : {MEMREF}" for i in range(n)]
    returned = f"func.return {', '.join(f'%n{i}' for i in range(n))} : {types}"
    callee = _function([MEMREF] * n, [*new, returned])
    memrefs = ", ".join(("%c", "%f", "%i", *(f"%m{i}" for i in range(n))))
    caller = (
        *(f"%m{i} = memref.alloc() : {MEMREF}" for i in range(n)),
        f"%r:{n} = func.call @many({memrefs}) : (i1, f32, index, {types}) -> ({types})",
        f"func.return {', '.join(f'%r#{i}' for i in range(n))} : {types}",
    )
    return callee.replace("@main", "private @many") + _function([MEMREF] * n, caller)


def blocks_with_one_exit(n: int) -> str:
    """Each block goes on or to the exit, by the same condition, which it also reads."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"%t{i + 1} = tensor.insert %f into %t{i}[%i] : {TENSOR}",
            '"test.op"(%c) : (i1) -> ()',
            f"cf.cond_br %c, ^next{i}, ^exit(%t{i + 1} : {TENSOR})",
            f"^next{i}:",
        )
    lines += (f"cf.br ^exit(%t{n} : {TENSOR})", f"^exit(%r : {TENSOR}):")
    return _function([TENSOR], [*lines, _return(["%r"])])


def blocks_with_one_exit_by_many_conditions(n: int) -> str:
    """Each block goes on or to the exit, which has as many ops, by a condition of its own."""
    lines: list[str] = []
    for i in range(n):
        lines += (
            f"%t{i + 1} = tensor.insert %f into %t{i}[%i] : {TENSOR}",
            f'%c{i} = "test.op"() : () -> i1',
            f"cf.cond_br %c{i}, ^next{i}, ^exit(%t{i + 1} : {TENSOR})",
            f"^next{i}:",
        )
    lines += (f"cf.br ^exit(%t{n} : {TENSOR})", f"^exit(%r : {TENSOR}):")
    lines += ['"test.op"() : () -> ()'] * n
    return _function([TENSOR], [*lines, _return(["%r"])])


def _rotated(name: str, n: int) -> str:
    return ", ".join(f"%{name}{(i + 1) % n}" for i in range(n))


def loop_of_temporaries(n: int) -> str:
    """A loop with buffers of three types, each of which the op after its own reads."""
    lines = ["scf.for %k = %i to %i step %i {"]
    values, types = ["%f"], ["f32"]
    for i in range(n):
        values.append(f"%m{i}")
        types.append(f"memref<{8 << i % 3}xf32>")
        lines += (
            f"{values[-1]} = memref.alloc() : {types[-1]}",
            f'"test.op"({", ".join(values[-2:])}) : ({", ".join(types[-2:])}) -> ()',
        )
    return _function((), [*lines, "}", "func.return"])


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


def calls_of_growing_size(count: int) -> str:
    """Calls that need memory of run-time size, each more than the one before."""
    calls = "\n".join(
        f"  %n{i + 1} = arith.addi %n{i}, %m : index\n"
        f"  func.call @callee(%x, %n{i + 1}) : (memref<?xf32>, index) -> ()"
        for i in range(count)
    )
    return f"""
func.func private @callee(%x: memref<?xf32>, %n: index) {{
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  func.return
}}
func.func @f(%x: memref<?xf32>, %n0: index, %m: index) {{
{calls}
  func.return
}}
"""
