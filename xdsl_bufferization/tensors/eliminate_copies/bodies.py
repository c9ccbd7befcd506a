"""The bodies of functions, kept while the functions are rewritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects import func
from xdsl.ir import Operation, Region

from xdsl_bufferization.support.regions import replace_body


class Bodies:
    """Bodies of functions."""

    def __init__(self, bodies: Mapping[func.FuncOp, Region]):
        self._bodies = dict(bodies)

    @classmethod
    def of_clones(
        cls, functions: Iterable[func.FuncOp], clones: Iterable[func.FuncOp]
    ) -> Bodies:
        """The bodies of the functions' clones, of which each is in the place of its function."""
        pairs = zip(functions, clones, strict=True)
        return cls({function: clone.body for function, clone in pairs})

    @classmethod
    def taken(cls, functions: Iterable[func.FuncOp]) -> Bodies:
        """The bodies that the functions have, and have no more."""
        return cls({f: f.detach_region(0) for f in functions})

    def clone(self, functions: Iterable[func.FuncOp]) -> Bodies:
        """Clones of the bodies of these functions."""
        return Bodies({f: self._bodies[f].clone() for f in functions})

    def put_back(self, functions: Iterable[func.FuncOp]) -> None:
        """Give the functions these bodies, which are theirs from then on."""
        for function in functions:
            replace_body(function, self._bodies.pop(function))


def outermost_function(op: Operation) -> func.FuncOp | None:
    """The outermost function that is `op`, or encloses it; `None` outside of functions."""
    outermost: func.FuncOp | None = None
    around: Operation | None = op
    while around is not None:
        if isinstance(around, func.FuncOp):
            outermost = around
        around = around.parent_op()
    return outermost
