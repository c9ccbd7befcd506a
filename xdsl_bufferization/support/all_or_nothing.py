"""Changes to a program that are taken back if one of them is refused."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.ir import Operation

from xdsl_bufferization.support.regions import replace_body
from xdsl_bufferization.support.snapshots import Snapshot


@contextmanager
def all_or_nothing(module: Operation) -> Generator[None]:
    """If the `with` block raises, the module has the ops and attributes that it had."""
    before = Snapshot(module)
    try:
        yield
    except Exception:
        former = before.build()
        module.properties = former.properties
        module.attributes = former.attributes
        if former.regions:
            replace_body(module, former.detach_region(0))
        raise
