"""Several changes to a module, of which a later one may be refused."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp


def all_or_nothing(module: ModuleOp, change: Callable[[ModuleOp], None]) -> None:
    """Change the module; what `change` raises leaves it as it was."""
    before = module.clone()
    try:
        change(module)
    except Exception:
        module.detach_region(0).drop_all_references()
        module.add_region(before.detach_region(0))
        raise
