"""Changes to a program that are taken back if one of them is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import Operation

from xdsl_bufferization.support.regions import replace_body

ModuleT = TypeVar("ModuleT", bound=Operation)


def all_or_nothing(module: ModuleT, change: Callable[[ModuleT], None]) -> None:
    """Apply `change` to the module. If that raises, the module is as it was."""
    before = module.clone()
    try:
        change(module)
    except Exception:
        replace_body(module, before.detach_region(0))
        raise
