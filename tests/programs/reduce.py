"""
Small programs that still show what a large one does.

`python -m tests.programs.reduce SEED [FAMILY ...]` takes ops out of the random program for
as long as its outcome stays (`tests.programs.comparison`), and prints what is left.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from tests.peer import MlirTools, PeerError, find_mlir_tools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.programs.comparison import compare
from tests.programs.generator import Program


def reduce(program: Program, fails: Callable[[Program], bool]) -> Program:
    """
    The program without ops that `fails` does not need to be true. It is called with
    programs that are valid to xDSL.
    """
    module = parse_module(program.text)
    # The outer ops first: much goes with them. And from the last op to the first, as it
    # may be all that needs those before it.
    for depth in count(1):
        position = len(_depths(module))
        if depth > max(_depths(module)):
            return replace(program, text=print_generic(module))
        while position:
            position -= 1
            if _depths(module)[position] != depth:
                continue
            for candidate in _without(module, position):
                reduced = replace(program, text=print_generic(candidate))
                if _is_valid(candidate) and fails(reduced):
                    module = candidate
                    break
            position = min(position, len(_depths(module)))
    raise AssertionError


def _depths(module: ModuleOp) -> Sequence[int]:
    """How many ops are around each op."""
    depths: dict[Operation | None, int] = {None: -1}
    for op in module.walk():
        depths[op] = depths[op.parent_op()] + 1
    return [*depths.values()][1:]


def _is_valid(module: ModuleOp) -> bool:
    try:
        module.verify()
    except VerifyException:
        return False
    return True


def _without(module: ModuleOp, position: int) -> Iterator[ModuleOp]:
    """Copies of the module without its op at that position, others in its place."""
    op = _op_at(module, position)
    if op is module or op.has_trait(IsTerminator, value_if_unregistered=False):
        return
    if isinstance(op, FuncOp):
        if op.next_op is not None:  # the last one is what is run
            copy = module.clone()
            _op_at(copy, position).detach()
            yield copy
        return
    if op.parent is None:
        return
    for choice in range(3 if op.results else 1):
        copy = module.clone()
        original = _op_at(copy, position)
        values = [_others(original, result) for result in original.results]
        if any(len(candidates) <= choice for candidates in values):
            return
        for result, candidates in zip(original.results, values, strict=True):
            result.replace_all_uses_with(candidates[choice])
        original.detach()
        original.erase()
        yield copy


def _op_at(module: ModuleOp, position: int) -> Operation:
    for i, op in enumerate(module.walk()):
        if i == position:
            return op
    raise IndexError(position)


def _others(op: Operation, result: SSAValue) -> Sequence[SSAValue]:
    """What can take the place of the result: its op's operands come first."""
    if not result.uses:
        return [result] * 3
    found = [operand for operand in op.operands if operand.type == result.type]
    outer: Operation | None = op
    while outer is not None and not isinstance(outer, ModuleOp):
        before = outer.prev_op
        while before is not None:
            found += [value for value in before.results if value.type == result.type]
            before = before.prev_op
        block = outer.parent
        assert block is not None
        found += [value for value in block.args if value.type == result.type]
        outer = block.parent_op()
    return list(dict.fromkeys(found))


def same_outcome(tools: MlirTools, program: Program) -> Callable[[Program], bool]:
    """Whether the outcome of a program is that of the one given."""
    (wanted,) = compare(tools, [program])

    def fails(candidate: Program) -> bool:
        try:
            (found,) = compare(tools, [candidate])
        except (PeerError, ValueError):  # not valid to mlir-opt, or a function is gone
            return False
        return found.outcome == wanted.outcome

    return fails


def main() -> None:
    tools = find_mlir_tools()
    assert tools is not None, "needs LLVM 22's mlir-opt and mlir-runner"
    seed, *families = sys.argv[1:]
    program = generate_program(int(seed), families or FAMILIES)
    program = replace(program, text=tools.opt(program.text))
    (comparison,) = compare(tools, [program])
    print(f"// seed {seed}: {comparison.outcome}", file=sys.stderr)
    reduced = reduce(program, same_outcome(tools, program))
    (comparison,) = compare(tools, [reduced])
    print("\n".join(f"// {line}" for line in comparison.detail.splitlines()))
    print(tools.opt(reduced.text, "--mlir-print-op-generic=false"))


if __name__ == "__main__":
    main()
