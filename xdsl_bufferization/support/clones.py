"""Clones of modules, and what in them is the clone of what."""

from __future__ import annotations

from copy import copy

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.regions import walk_all


class ModuleClone:
    """A clone of a module."""

    def __init__(self, module: ModuleOp):
        self.values: dict[SSAValue, SSAValue] = {}
        """The clones of the values of the module."""
        self.module: ModuleOp = module.clone(self.values)
        self.ops: dict[Operation, Operation] = dict(
            zip(walk_all([module]), walk_all([self.module]), strict=True)
        )
        """The clones of the ops of the module, itself included, in the order of the text."""


class TracedClone(ModuleClone):
    """
    A clone that may be rewritten, whose ops are traced back to the module.

    Ops that passes make have the location of the op whose work they do, that very object.
    Each op of the clone has a location object of its own, so that it tells the op.
    """

    def __init__(self, module: ModuleOp):
        super().__init__(module)
        self._locations: list[LocationAttr] = []
        """Kept, so that no other object gets the identity of one of them."""
        self._origins: dict[int, Operation] = {}
        """The ops of the module by the identity of the location of their clones."""
        for op, cloned in self.ops.items():
            self.trace(cloned, op)

    def trace(self, op: Operation, origin: Operation | None) -> None:
        """Give an op of the clone a location object that tells this op of the module."""
        op.location = copy(op.location)
        self._locations.append(op.location)
        if origin is not None:
            self._origins[id(op.location)] = origin

    def origin(self, op: Operation) -> Operation | None:
        """The op of the module whose work an op of the clone does."""
        return self._origins.get(id(op.location))
