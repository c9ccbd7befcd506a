"""A module on tensors and what One-Shot Bufferize decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.options import OneShotOptions


class AnalysedModule:
    """A module that is analysed when that is asked for, and again after it has changed."""

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

    def has_changed(self) -> None:
        """Forget the decisions, since they are out of date."""
        self.__dict__.pop("decisions", None)
