"""A module on tensors and what One-Shot Bufferize makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.call_graph import CallGraph, outermost_function
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import reachable
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.tensors.changes import Changes

if TYPE_CHECKING:
    from xdsl_bufferization.support.snapshots import TracedClone


_T = TypeVar("_T")


class AnalysedModule:
    """
    A module that is analysed and bufferized when that is asked for, and again after it has
    changed: into another one that can be bufferized, since that is verified only once.
    """

    def __init__(
        self,
        module: ModuleOp,
        options: OneShotOptions,
        changes: Changes | None = None,
        calls: CallGraph | None = None,
    ):
        self.module = module
        self.options = options
        self.changes: Changes = Changes() if changes is None else changes
        """How the module is changed."""
        self.order_bounds: Mapping[func.FuncOp, int] = {}
        """
        By function whose peak depends on the order of its ops: bytes that every order needs, once
        that has been looked for.
        """
        self.without: AbstractSet[str] = frozenset()
        """The names of rewrites that are left out."""
        self.improved: Sequence[func.FuncOp] = ()
        """The functions that `eliminate-copies` has changed for the better."""
        self._calls = calls
        self._changed = self.changes.listen()
        self._one_shot: OneShotBufferization | None = None
        """Decisions that are right but for what `_changed` says, and what is undecided yet."""
        self._remembered: dict[object, object] = {}
        """By function: what it has computed from the decisions."""
        self._is_verified = False
        self._is_decided = False

    @property
    def decisions(self) -> OneShotBufferization:
        """
        One-Shot Bufferize with its decisions about the module.

        Raises `BufferizationError` if the module cannot be bufferized.
        """
        if not self._is_decided or self._one_shot is None:
            self._one_shot = self._decided()
            self._is_decided = True
        return self._one_shot

    def _decided(self) -> OneShotBufferization:
        one_shot, self._one_shot = self._one_shot, None
        if one_shot is None:
            one_shot = OneShotBufferization(self.module, self.options)
            if self._calls is not None:
                one_shot.call_graph = self._calls
            one_shot.analyze(already_verified=self._is_verified)
            self._is_verified = True
        elif not one_shot.analyze_again(self._changed):
            one_shot.analyze(already_verified=True)
        self._changed.clear()
        return one_shot

    @property
    def undecided_analyses(self) -> Sequence[OneShotAnalysis]:
        """
        Analyses to ask for facts only: after changes, these are gathered again, but nothing is
        decided yet, unless facts depend on decisions, as those of calls do.
        """
        if self._is_decided or (one_shot := self._one_shot) is None:
            return self.analyses
        self._one_shot = None
        if not (analyses := one_shot.update_facts(self._changed)):
            self._one_shot = one_shot
            return self.analyses
        self._changed.clear()
        self._one_shot = one_shot
        return analyses

    @property
    def analyses(self) -> Sequence[OneShotAnalysis]:
        """The decisions, for one scope after the other."""
        return self.decisions.analyses

    @property
    def functions_with_tensors_in_memory(self) -> AbstractSet[func.FuncOp | None]:
        """
        The functions in which tensors may be memory that ops access as memrefs: those with a
        `to_tensor`, and those that get tensors from such functions, as arguments or as results.
        """
        found = {
            outermost_function(info.op)
            for analysis in self.undecided_analyses
            for info in analysis.program.ops
            if info.op.name == ToTensorOp.name
        }
        if not found or self._one_shot is None:
            return found
        passes_to: dict[func.FuncOp | None, list[func.FuncOp | None]] = {}
        for call, callee in self._one_shot.call_graph.callees.items():
            caller = outermost_function(call)
            if any(map(is_tensor, call.operands)):
                passes_to.setdefault(caller, []).append(callee)
            if any(map(is_tensor, call.results)):
                passes_to.setdefault(callee, []).append(caller)
        return reachable(found, lambda f: passes_to.get(f, ())).keys()

    def on_buffers(self) -> TracedClone:
        """
        A clone of the module, rewritten on buffers as decided.

        Raises `BufferizationError` if the module cannot be bufferized.
        """
        # Few programs are rewritten as a clone.
        from xdsl_bufferization.support.snapshots import TracedClone

        decisions = self.decisions
        clone = TracedClone(self.module)
        decisions.rewrite_clone(clone)
        return clone

    def check_rewrite(self) -> None:
        """
        Raises `BufferizationError` if the rewrite on buffers is refused, where only the
        rewrite itself shows that.
        """
        if self.decisions.may_be_refused_by_rewrite():
            self.remember(AnalysedModule.on_buffers)

    def remember(self, compute: Callable[[AnalysedModule], _T]) -> _T:
        """The result of the function for the module, kept until the module changes."""
        if compute not in self._remembered:
            self._remembered[compute] = compute(self)
        return cast(_T, self._remembered[compute])

    def has_changed(self) -> None:
        """If the log has changes since then, forget what has been decided and computed."""
        if self._changed:
            self.forget()

    def forget(self) -> None:
        """Forget what has been computed, and decide again when that is asked for."""
        self._is_decided = False
        self._remembered.clear()

    def bufferize(self) -> None:
        """
        Rewrite the module on buffers.

        Raises `BufferizationError`, with the module as it was, if it cannot be bufferized.
        """
        self.decisions.rewrite()
        self._one_shot = None
        self.forget()


def analyses_by_function(
    program: AnalysedModule,
) -> Mapping[func.FuncOp, OneShotAnalysis]:
    """The decisions about each function, which the program remembers."""
    return {
        info.op: analysis
        for analysis in program.analyses
        for info in analysis.program.ops
        if isinstance(info.op, func.FuncOp)
    }
