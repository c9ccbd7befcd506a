"""
One-Shot Bufferize, stage by stage: analyse the tensors of a module, then rewrite it on
buffers.

    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
      %r = tensor.insert %f into %t[%i]     // out of place: %t is read below
      %x = tensor.extract %t[%i]            // in place
      func.return %r, %x

    func.func @f(%t: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
      %r = memref.alloc()
      memref.copy %t, %r
      memref.store %f, %r[%i]
      %x = memref.load %t[%i]
      func.return %r, %x

Functions are analysed callees first, so that a call has a summary of what it does. Nothing is
changed until all of the module is known to be bufferized.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    ForwardedCopy,
    FunctionSummary,
)
from xdsl_bufferization.interfaces.registry import ask, sequence_of
from xdsl_bufferization.one_shot.decisions.analysis import (
    BufferizationAnalysis,
    BufferizationStatistics,
    depends_on_all_ops,
    is_copied_before_write,
)
from xdsl_bufferization.one_shot.decisions.annotations import (
    ConflictPrinter,
    annotate_alias_sets,
    annotate_decisions,
    annotate_functions,
    remove_annotations,
)
from xdsl_bufferization.one_shot.decisions.in_place_requests import (
    check_in_place_requests,
    remove_request,
)
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.decisions.summaries import (
    joined,
    nothing_known,
    summarize,
)
from xdsl_bufferization.one_shot.facts.numbering import ChangedOps
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.one_shot.participation import (
    copy_shared_memory,
    is_function_boundary,
    left_modules,
    participating_model,
    verify_bufferizable,
    verify_references,
)
from xdsl_bufferization.one_shot.rewriting.buffer_types import (
    MemorySpaces,
    gives_memory,
)
from xdsl_bufferization.one_shot.rewriting.bufferizer import OneShotBufferizer
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    check_copies,
    insert_forwarded_copies,
    insert_tensor_copies,
)
from xdsl_bufferization.support.call_graph import CallGraph, outermost_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import (
    checked,
    explained,
    is_of_other_package,
    verified_module,
)
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.pass_options import checked_values
from xdsl_bufferization.support.regions import erase_unreachable_blocks, walk
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
)
from xdsl_bufferization.support.snapshots import all_or_nothing

if TYPE_CHECKING:
    from xdsl_bufferization.support.snapshots import ModuleClone, Snapshot

_FORWARDED_COPIES = sequence_of(ForwardedCopy, "ForwardedCopy")


@reduced_gc()
def one_shot_bufferize(
    ctx: Context, module: ModuleOp, options: OneShotOptions | None = None
) -> None:
    """
    Rewrite the tensors of the module to memrefs, in place.

    Raises `BufferizationError`, with the module as it was, if the program is not valid, cannot
    be bufferized, or a model of another package makes a mistake; and `TypeError` for an
    argument of another kind.
    """
    name = "one_shot_bufferize"
    checked(name, ctx, Context)
    module = verified_module(name, module)
    options = OneShotOptions() if options is None else options
    checked(name, options, OneShotOptions)

    def bufferize(before: Snapshot) -> None:
        one_shot = OneShotBufferization(module, options)
        copy_shared_memory(module, options)
        one_shot.analyze()
        one_shot.rewrite()

    all_or_nothing(module, bufferize)


class OneShotBufferization:
    """
    The stages of One-Shot Bufferize on a module, for those who want them one by one.

    `analyze` decides, `annotate` writes the decisions into the program, and `rewrite`
    carries them out. In between, the program must not be changed.
    """

    left_modules: Callable[[ModuleOp, OneShotOptions], set[Operation]] = staticmethod(
        left_modules
    )

    def __init__(self, module: ModuleOp, options: OneShotOptions):
        """
        Raises `BufferizationError` for a value that an option does not take, and `TypeError`
        for an argument of another kind.
        """
        name = type(self).__name__
        checked(name, module, ModuleOp)
        checked(name, options, OneShotOptions)
        values = checked_values(options, type(options).__name__)
        options = replace(options, **values)
        if not options.lets_take_part("func.func"):
            options = replace(options, bufferize_function_boundaries=False)
        self.module = module
        self.options = options
        with explained(name, module):
            self._left = self.left_modules(module, options)
        self.summaries: dict[func.FuncOp, FunctionSummary] = {}
        """The effects of the functions analysed so far on their arguments."""
        self.analyses: list[OneShotAnalysis] = []
        """The decisions, for one scope after the other."""
        self._copies: dict[Operation, Sequence[ForwardedCopy]] = {}
        """By op with regions: the copies of tensors that terminators in these forward."""
        self._ordinary: set[OpInfo] = set()
        """
        Ops known to have ordinary memory, and to be rewritten by models of this package; but no
        functions, which may be given other layouts.
        """
        self._bufferizer: OneShotBufferizer | None = None
        """The rewrite, once it is done."""
        self._is_analyzed = False

    @cached_property
    def call_graph(self) -> CallGraph:
        """The functions that are bufferized, and their calls."""
        return CallGraph(self.module, has_tensor_semantics, without=self._left)

    # Decisions ------------------------------------------------------------------------

    def analyze(
        self, *, analysis_only: bool = False, already_verified: bool = False
    ) -> Sequence[OneShotAnalysis]:
        """
        Decide which operands are in place, scope by scope, without changing anything.

        Raises `BufferizationError` if the program cannot be bufferized; with
        `analysis_only`, not for unknown ops and sparse tensors, as nothing will be rewritten. If
        the program is `already_verified`, errors are only about decisions: an op has to be in
        place and cannot.
        """
        with explained("OneShotBufferization.analyze", self.module):
            self.analyses.clear()
            self._copies.clear()
            if not already_verified:
                others = verify_bufferizable(
                    self._ops(),
                    self.options,
                    self.model_of,
                    rewritten=not analysis_only,
                )
                if self.options.bufferize_function_boundaries and not analysis_only:
                    verify_references(others, self.call_graph, self.model_of)
            self.summaries.clear()
            scopes = self._scopes()
            if self.options.bufferize_function_boundaries:
                for function in self.call_graph.recursive:
                    self.summaries[function] = nothing_known(function)
            for scope in scopes:
                analysis = self._analyze(scope)
                while self._extend_summaries(scope, analysis):
                    analysis = self._analyze(scope)
                self.analyses.append(analysis)
                self._check(analysis, scope, analysis.program.ops)
        self._is_analyzed = True
        return self.analyses

    def analyze_again(self, changed: Mapping[func.FuncOp | None, ChangedOps]) -> bool:
        """
        Decide again about the alias components that have changed since the program, which is
        valid, was analysed; all other decisions stay. Returns whether that has been done:
        `False` if the changes reach too far, so that `analyze` has to be called.

        Raises `BufferizationError` as `analyze` does; then `analyze` has to be called, too.
        """
        with explained("OneShotBufferization.analyze", self.module):
            if not self._can_analyze_again(changed):
                return False
            recursive, by_scope = self.call_graph.recursive, dict(changed)
            for number, scope in enumerate(self._components):
                function, analysis = scope[0], self.analyses[number]
                changes = by_scope.get(function)
                if changes is not None and not analysis.program.update(changes):
                    return False
                part = analysis.program.take_changed()
                if part is None:
                    continue
                analysis.decide_again(part)
                self._check(analysis, scope, part.ops)
                former, summary = (
                    self.summaries[function],
                    summarize(function, analysis),
                )
                if summary != former:
                    self.summaries[function] = summary
                    for call in self.call_graph.calls.get(function, ()):
                        caller = outermost_function(call)
                        if caller in recursive or caller not in self._scope_of:
                            return False
                        by_scope.setdefault(caller, ChangedOps()).changed.add(call)
            return True

    def update_facts(
        self, changed: Mapping[func.FuncOp | None, ChangedOps]
    ) -> Sequence[OneShotAnalysis]:
        """
        Gather the facts about what has changed, and leave it to `analyze_again` to decide about it.
        Returns the analyses, or none if facts depend on what is decided, as those of calls do:
        then `analyze_again` has to be told about the changes.
        """
        calls = self.call_graph.calls
        if not self._can_analyze_again(changed) or any(
            calls.get(f) for f in changed if f is not None
        ):
            return ()
        with explained("OneShotBufferization.analyze", self.module):
            updated = [
                self.analyses[number].program.update(changed[scope[0]])
                for number, scope in enumerate(self._components)
                if scope[0] in changed
            ]
        return self.analyses if all(updated) else ()

    def _can_analyze_again(
        self, changed: Mapping[func.FuncOp | None, ChangedOps]
    ) -> bool:
        recursive = self.call_graph.recursive
        return (
            not depends_on_all_ops(self.options)
            and self.options.bufferize_function_boundaries
            and all(f in self._scope_of and f not in recursive for f in changed)
        )

    def _check(
        self,
        analysis: BufferizationAnalysis,
        scope: Sequence[Operation],
        ops: Sequence[OpInfo],
    ) -> None:
        """
        Find the forwarded copies that ops of a scope make, and refuse those that must not be
        made, and operands of the ops that must not be copied.
        """
        # What functions return depends on all that is in them.
        functions = filter(None, map(analysis.program.info, scope))
        copies: list[ForwardedCopy] = []
        for info in dict.fromkeys((*functions, *ops)):
            if info.op.regions:
                self._copies[info.op] = self._copies_forwarded_by(analysis, info)
                copies += self._copies[info.op]
        check_in_place_requests(
            analysis, ops, copies, everywhere=self.options.must_be_in_place
        )

    @property
    def forwarded_copies(self) -> Sequence[ForwardedCopy]:
        """The copies of tensors that terminators forward."""
        return [c for a in self.analyses for c in self.forwarded_copies_in(a)]

    def forwarded_copies_in(
        self, analysis: BufferizationAnalysis
    ) -> Iterator[ForwardedCopy]:
        """The copies of tensors that terminators in the scope of the analysis forward."""
        for info in analysis.program.ops:
            if info.op.regions:
                # One that a change has placed, and that has no tensors, forwards none.
                yield from self._copies.get(info.op, ())

    @cached_property
    def _scope_of(self) -> Mapping[func.FuncOp | None, Sequence[func.FuncOp]]:
        """By function, those that are analysed with it."""
        return {function: scope for scope in self._components for function in scope}

    def _analyze(self, scope: Sequence[Operation]) -> OneShotAnalysis:
        program = TensorProgram(scope, self._model_in_analysis, self.summary_of)
        copies = any(is_copied_before_write(op, self.options) for op in scope)
        return OneShotAnalysis(program, self.options, copy_before_write=copies)

    def _extend_summaries(
        self,
        scope: Sequence[Operation],
        analysis: OneShotAnalysis,
    ) -> bool:
        """
        Note what the functions of the scope do; returns whether a recursive one does more
        than was assumed of its calls, so that the analysis is not valid.
        """
        extended = False
        if self.options.bufferize_function_boundaries:
            for function in scope:
                if isinstance(function, func.FuncOp):
                    summary = summarize(function, analysis)
                    if (assumed := self.summaries.get(function)) is not None:
                        summary = joined(assumed, summary)
                        extended |= summary != assumed
                    self.summaries[function] = summary
        return extended

    def _copies_forwarded_by(
        self, analysis: BufferizationAnalysis, info: OpInfo
    ) -> Sequence[ForwardedCopy]:
        """The copies that terminators in the op's regions make."""
        if info.model is None or not (
            # What a function returns matters to its callers in any case.
            analysis.ops_share_memory or is_function_boundary(info.op)
        ):
            return ()
        return ask(
            info.model,
            "forwarded_copies",
            _FORWARDED_COPIES,
            info.op,
            analysis,
            self.options,
        )

    def annotate(self, *, conflicts: bool = False, alias_sets: bool = False) -> None:
        """
        Write the decisions into the program as attributes; with `conflicts` their reasons
        too, with `alias_sets` the names of the tensors that may share memory.
        """
        for op in walk([self.module]):
            remove_annotations(op)
        printer = ConflictPrinter()
        if alias_sets:
            annotate_alias_sets(self.module, self.analyses)
        for analysis in self.analyses:
            annotate_decisions(analysis)
            if conflicts:
                printer.annotate(analysis)
        annotate_functions(self.summaries)

    @property
    def statistics(self) -> BufferizationStatistics:
        """The decisions and allocations so far, in numbers."""
        allocations = 0 if self._bufferizer is None else self._bufferizer.allocations
        return BufferizationStatistics.of(self.analyses, allocations)

    # Rewriting ------------------------------------------------------------------------

    def rewrite(self) -> None:
        """
        Rewrite the program on buffers, as decided.

        Raises `BufferizationError`, with the program as it was, if a memref of the program's
        has a layout that the buffer cannot have, the memory space of a copy is not known, or
        a model of another package fails.
        """
        with explained("OneShotBufferization.rewrite", self.module):
            all_or_nothing(self.module, self._rewrite)

    def _rewrite(self, before: Snapshot) -> None:
        self.insert_copies()
        self.rewrite_in_place()

    def may_be_refused_by_rewrite(self) -> bool:
        """
        Whether `rewrite` may refuse the program: it names layouts or memory spaces, or another
        package's model rewrites an op. Memrefs without these have the types of new buffers.
        """
        return self.options.must_infer_memory_space or any(
            gives_memory(info.op) or _is_rewritten_by_others(info.model)
            for info in self._extraordinary()
        )

    def _extraordinary(self) -> Iterator[OpInfo]:
        """The ops that are not known to be ordinary; each is looked at once."""
        for analysis in self.analyses:
            for info in analysis.program.ops:
                if info in self._ordinary:
                    continue
                if (
                    isinstance(info.op, func.FuncOp)
                    or _is_rewritten_by_others(info.model)
                    or gives_memory(info.op)
                ):
                    yield info
                else:
                    self._ordinary.add(info)

    def _has_memory_spaces(self) -> bool:
        """Whether buffers may be in other memory spaces than the default one."""
        return (
            self.options.must_infer_memory_space
            or self.options.use_encoding_for_memory_space
            or any(
                gives_memory(info.op) and info.model is not None
                for info in self._extraordinary()
            )
        )

    def rewrite_clone(self, clone: ModuleClone) -> None:
        """
        Rewrite a clone of the program on buffers, as decided; the program stays as it is.
        """
        self.insert_copies(clone)
        OneShotBufferization(clone.module, self.options).rewrite_in_place()

    def insert_copies(
        self, clone: ModuleClone | None = None, *, analysis_only: bool = False
    ) -> Mapping[Operation, TensorOperand | ForwardedCopy]:
        """
        Insert the copies that the decisions ask for into the tensor program, or into a
        clone of it; returns the ops that make them, each with the operand or the forwarded
        tensor that it copies. With `analysis_only`, because nothing will be rewritten, the memory
        spaces of what unknown ops return need not be known.

        Raises `BufferizationError`, with the program as it was, if a buffer has no valid
        memory space, or a tensor of another dialect's type cannot be copied.
        """
        if not self._is_analyzed:
            raise BufferizationError(
                None,
                "OneShotBufferization: the module has not been analysed since it was made, or "
                "rewritten",
                hint="call analyze first",
            )
        # The decisions do not know the copies, which are a part of the program now.
        self._is_analyzed = clone is not None
        check_copies(self.analyses, self.forwarded_copies)
        memory_space_of = self.memory_space_of(analysis_only=analysis_only)
        inserted: dict[Operation, TensorOperand | ForwardedCopy] = {}
        clones = None if clone is None else clone.ops
        for analysis in self.analyses:
            inserted |= insert_tensor_copies(analysis, memory_space_of, clones)
        forwarded = self.forwarded_copies
        if clone is not None:
            forwarded = [_in_clone(copy, clone) for copy in forwarded]
        inserted |= insert_forwarded_copies(forwarded)
        return inserted

    def memory_space_of(
        self, *, analysis_only: bool = False
    ) -> Callable[[SSAValue], Attribute | None]:
        """
        A function that gives the memory space of a tensor's buffer, `None` for the default one.

        Raises `BufferizationError` if a buffer has no valid memory space.
        """
        if not self._has_memory_spaces():
            return lambda _: None
        return MemorySpaces(
            self.options,
            self.model_of,
            self.call_graph,
            self._scopes(),
            self.forwarded_copies,
            rewritten=not analysis_only,
        ).of

    def rewrite_in_place(self) -> None:
        """Rewrite the program on buffers, after `insert_copies`: every op is in place."""
        for op in self._ops():
            if op.attributes:
                remove_annotations(op)
                remove_request(op)
            if op.regions and self.model_of(op) is not None:
                # They are not analysed, and so cannot be rewritten.
                erase_unreachable_blocks(op)
        bufferizer = OneShotBufferizer(
            self.options,
            self.model_of,
            self.call_graph.callee,
            self.call_graph.recursive,
        )
        for scope in self._scopes():
            bufferizer.bufferize(scope)
        bufferizer.finish()
        self._bufferizer = bufferizer

    # What takes part ------------------------------------------------------------------

    def _ops(self) -> Iterator[Operation]:
        """All ops, but those in modules that stay as they are."""
        return walk([self.module], without=self._left)

    def _scopes(self) -> Sequence[Sequence[Operation]]:
        """
        The outermost ops that are analysed and rewritten together, in that order: a
        function after its callees, and with those that it calls recursively.
        """
        if not self.options.bufferize_function_boundaries:
            return [list(self.module.ops)]
        return [*self._components, self.call_graph.others]

    @cached_property
    def _components(self) -> Sequence[Sequence[func.FuncOp]]:
        self.call_graph.check_callees()
        return self.call_graph.callees_first()

    def model_of(self, op: Operation) -> BufferizableOpInterface | None:
        """The model by which the op is bufferized; `None` if it stays on tensors."""
        return participating_model(op, self.options)

    def _model_in_analysis(self, op: Operation) -> BufferizableOpInterface | None:
        """
        The model by which the op is analysed: branches are, even if they stay on tensors.
        """
        model = self.model_of(op)
        return (
            BufferizableOpInterface.of(op) if model is None and op.successors else model
        )

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """The effects of the called function on its arguments, if it has been analysed."""
        callee = self.call_graph.callee(call)
        return None if callee is None else self.summaries.get(callee)


def _in_clone(copy: ForwardedCopy, clone: ModuleClone) -> ForwardedCopy:
    return copy._replace(
        terminator=clone.ops[copy.terminator],
        destination=copy.destination and clone.values[copy.destination],
    )


def _is_rewritten_by_others(model: BufferizableOpInterface | None) -> bool:
    """Whether another package's model rewrites the op, which may fail."""
    return model is not None and is_of_other_package(type(model))
