"""Clones of modules, and what in them is the clone of what."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.walk import walk_all


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
