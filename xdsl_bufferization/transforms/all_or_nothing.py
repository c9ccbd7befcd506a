"""Several changes to a module, of which a later one may be refused."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region


def all_or_nothing(module: ModuleOp, change: Callable[[ModuleOp], None]) -> None:
    """
    Change a copy of the module, and put that in its place; what `change` raises leaves the
    module as it was.
    """
    copy = module.clone()
    change(copy)
    before = Region()
    module.body.move_blocks(before)
    copy.body.move_blocks(module.body)
    before.erase()
