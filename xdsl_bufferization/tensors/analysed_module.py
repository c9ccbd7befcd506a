"""A module on tensors and what One-Shot Bufferize makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.clones import ModuleClone
from xdsl_bufferization.support.options import OneShotOptions


class AnalysedModule:
    """
    A module that is analysed and bufferized when that is asked for, and again after it has
    changed.
    """

    def __init__(self, module: ModuleOp, options: OneShotOptions):
        self.module = module
        self.options = options

    @cached_property
    def decisions(self) -> OneShotBufferization:
        """
        One-Shot Bufferize with its decisions about the module.

        Raises `BufferizationError` if the module cannot be bufferized.
        """
        one_shot = OneShotBufferization(self.module, self.options)
        one_shot.analyze()
        return one_shot

    @property
    def analyses(self) -> Sequence[BufferizationAnalysis]:
        """The decisions, for one scope after the other."""
        return self.decisions.analyses

    @cached_property
    def on_buffers(self) -> BufferizedClone:
        """
        The module on buffers, as decided.

        Raises `BufferizationError` if the module cannot be bufferized.
        """
        return BufferizedClone(self.decisions)

    def has_changed(self) -> None:
        """Forget the decisions and the clone, since they are out of date."""
        self.__dict__.pop("decisions", None)
        self.__dict__.pop("on_buffers", None)

    def bufferize(self) -> None:
        """
        Rewrite the module on buffers, or put in its place what is on buffers already.

        Raises `BufferizationError`, with the module as it was, if it cannot be bufferized.
        """
        if "on_buffers" in self.__dict__:
            self.module.detach_region(0).drop_all_references()
            self.module.add_region(self.on_buffers.module.detach_region(0))
        else:
            self.decisions.rewrite()
        self.has_changed()


class BufferizedClone:
    """
    A clone of a program, rewritten on buffers as decided; the program stays as it is.

    New ops have the location of the op that they do the work of, that very object; so each
    is traced back to an op of the program.
    """

    def __init__(self, decisions: OneShotBufferization):
        clone = ModuleClone(decisions.module)
        self.module = clone.module
        self._locations: list[LocationAttr] = []
        """Kept, so that no other object gets the identity of one of them."""
        self._origins: dict[int, Operation] = {}
        """The ops of the program by identity of the location of their clones."""
        for op, cloned in clone.ops.items():
            cloned.location = copy(cloned.location)
            self._locations.append(cloned.location)
            self._origins[id(cloned.location)] = op
        decisions.rewrite_clone(clone)

    def origin(self, op: Operation) -> Operation | None:
        """The op of the program whose work an op of the clone does."""
        return self._origins.get(id(op.location))
