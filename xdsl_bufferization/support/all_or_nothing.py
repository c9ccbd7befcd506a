"""Changes to a program that are taken back if one of them is refused."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import replace_body
from xdsl_bufferization.support.snapshots import Snapshot

_snapshots: dict[Operation, Snapshot] = {}
"""By module that is being changed: as it was before."""


def all_or_nothing(module: Operation, change: Callable[[Snapshot], None]) -> None:
    """
    Call `change` with the module as it is. If that raises anything, also for Ctrl-C, the module
    has the ops and attributes that it had. Called by another such change of the module, it leaves
    that to the other one.

    If the module has changed, the ops in it are new ones. The `op` of a `BufferizationError`
    becomes the op of the module that it is about.
    """
    if (before := _snapshots.get(module)) is not None:
        change(before)
        return
    before = Snapshot(module)
    try:
        _snapshots[module] = before
        change(before)
    except BaseException as error:
        try:
            _take_back(module, before, error)
        except BaseException:
            # Ctrl-C again, or only now: it may have been taken back in part.
            _take_back(module, before, error)
            raise
        raise
    finally:
        _snapshots.pop(module, None)


def _take_back(module: Operation, before: Snapshot, error: BaseException) -> None:
    if before.is_of(module):
        return
    former = before.build()
    if isinstance(error, BufferizationError) and error.op is not None:
        # Most programs are not refused.
        from xdsl_bufferization.support.refused_ops import op_before

        op = op_before(error.op, former, before.built)
        error.op = module if op is former else op
    module.properties = former.properties
    module.attributes = former.attributes
    if former.regions:
        replace_body(module, former.detach_region(0))
