"""
xDSL without this package, in a process of its own: does it read what this package prints?

    python tests/plain_xdsl.py < programs.json > problems.json

The input is a list of pairs, each one program in custom and in generic form; the output has
for each pair the problem, or null.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from typing import Any

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

_COMMUTATIVE = "arith.addf", "arith.addi", "arith.maximumf", "arith.mulf", "arith.muli"


def problems(
    programs: Sequence[tuple[str, str]], *, allow_unregistered: bool
) -> Sequence[str | None]:
    """
    For each program, in custom and in generic form, why xDSL alone does not read it, or not
    the same program from both; `None` if it does.
    """
    run = subprocess.run(
        [sys.executable, __file__, *(["--allow-unregistered"] * allow_unregistered)],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def _problem(custom: str, generic: str, *, allow_unregistered: bool) -> str | None:
    try:
        modules = [_read(text, allow_unregistered) for text in (custom, generic)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    first, second = map(_normal_form, modules)
    return None if first == second else f"xDSL reads two programs:\n{first}{second}"


def _read(text: str, allow_unregistered: bool) -> ModuleOp:
    context = Context(allow_unregistered=allow_unregistered)
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def _normal_form(module: ModuleOp) -> str:
    """
    The module in generic form, with attributes in alphabetical order, and the operands of
    commutative ops in that of their definitions: xDSL gives named structured ops bodies with
    operands in another order than MLIR does.
    """
    order: dict[SSAValue, int] = {}
    for op in module.walk():
        op.properties = dict(sorted(op.properties.items()))
        op.attributes = dict(sorted(op.attributes.items()))
        for block in (block for region in op.regions for block in region.blocks):
            order.update((argument, len(order)) for argument in block.args)
        if op.name in _COMMUTATIVE:
            op.operands = sorted(op.operands, key=lambda value: order.get(value, -1))
        order.update((result, len(order)) for result in op.results)
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def main() -> None:
    allow_unregistered = "--allow-unregistered" in sys.argv
    programs: Any = json.load(sys.stdin)
    found = [
        _problem(*pair, allow_unregistered=allow_unregistered) for pair in programs
    ]
    assert not any(name.startswith("xdsl_bufferization") for name in sys.modules)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
