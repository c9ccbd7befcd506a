"""Changes to a program that are taken back if one of them is refused."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from xdsl.ir import Operation

from xdsl_bufferization.support.regions import replace_body

ModuleT = TypeVar("ModuleT", bound=Operation)


@contextmanager
def all_or_nothing(module: ModuleT) -> Generator[ModuleT]:
    """
    If the `with` block raises, the module is as it was. Gives a clone of the module as it was,
    which has to stay as it is.
    """
    before = module.clone()
    try:
        yield before
    except Exception:
        replace_body(module, before.detach_region(0))
        raise
