"""Changes to a program that are taken back if one of them is refused."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import replace_body
from xdsl_bufferization.support.snapshots import Snapshot


@contextmanager
def all_or_nothing(module: Operation) -> Generator[None]:
    """
    If the `with` block raises, the module has the ops and attributes that it had.

    The ops in it are new ones. The `op` of a `BufferizationError` becomes the op of the module
    that it is about.
    """
    before = Snapshot(module)
    try:
        yield
    except Exception as error:
        former = before.build()
        if isinstance(error, BufferizationError):
            _name_op_of(former, before, error)
            if error.op is former:
                error.op = module
        module.properties = former.properties
        module.attributes = former.attributes
        if former.regions:
            replace_body(module, former.detach_region(0))
        raise


def _name_op_of(former: Operation, before: Snapshot, error: BufferizationError) -> None:
    """Let the error be about an op of the module as it was."""
    if error.op is not None:
        # Most programs are not refused.
        from xdsl_bufferization.support.refused_ops import op_before

        error.op = op_before(error.op, former, before.built)
