"""
One-Shot Bufferize, stage by stage: analyse the tensors of a module, then rewrite it on buffers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    ForwardedCopy,
    FunctionSummary,
)
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.one_shot.decisions.analysis import (
    AlwaysCopyAnalysis,
    BufferizationAnalysis,
    OneShotAnalysis,
)
from xdsl_bufferization.one_shot.decisions.annotations import (
    ConflictPrinter,
    annotate_alias_sets,
    annotate_decisions,
    annotate_functions,
    remove_annotations,
)
from xdsl_bufferization.one_shot.decisions.copying_functions import summarize_copying
from xdsl_bufferization.one_shot.decisions.functions import (
    assume,
    joined,
    nothing_known,
    summarize,
)
from xdsl_bufferization.one_shot.decisions.in_place_requests import (
    check_in_place_requests,
    remove_request,
)
from xdsl_bufferization.one_shot.decisions.statistics import BufferizationStatistics
from xdsl_bufferization.one_shot.facts.program import TensorOperand, TensorProgram
from xdsl_bufferization.one_shot.rewriting.bufferizer import OneShotBufferizer
from xdsl_bufferization.one_shot.rewriting.element_types import verify_element_types
from xdsl_bufferization.one_shot.rewriting.memory_spaces import (
    MemorySpaces,
    has_unusual_memory,
)
from xdsl_bufferization.one_shot.rewriting.tensor_copies import (
    insert_forwarded_copies,
    insert_tensor_copies,
)
from xdsl_bufferization.support.call_graph import CallGraph, is_return
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_tensor
from xdsl_bufferization.support.walk import blocks_in_order, walk


def bufferize(
    ctx: Context, module: ModuleOp, options: OneShotOptions | None = None
) -> None:
    """
    Rewrite the tensors of the module to memrefs, in place.

    Raises `BufferizationError`, with the module as it was, if the program can not be
    bufferized.
    """
    one_shot = OneShotBufferization(module, options or OneShotOptions())
    one_shot.analyze()
    one_shot.rewrite()


class OneShotBufferization:
    """
    The stages of One-Shot Bufferize on a module, for those who want them one by one.
    """

    def __init__(self, module: ModuleOp, options: OneShotOptions):
        if not options.lets_take_part("func.func"):
            options = replace(options, bufferize_function_boundaries=False)
        self.module = module
        self.options = options
        self.call_graph: CallGraph = CallGraph(module)
        self.summaries: dict[func.FuncOp, FunctionSummary] = {}
        self.analyses: list[BufferizationAnalysis] = []
        self.forwarded_copies: list[ForwardedCopy] = []
        self._has_unusual_memory = False
        self._allocations = 0

    @property
    def statistics(self) -> BufferizationStatistics:
        """What has been decided and allocated so far, in numbers."""
        return BufferizationStatistics.of(self.analyses, self._allocations)

    def analyze(self) -> None:
        """
        Decide what is in place, without changing anything.

        Raises `BufferizationError` if the program can not be bufferized.
        """
        self._verify()
        for scope in self._scopes():
            # Functions that call themselves are analysed until what they do is what was
            # assumed of the calls.
            analysis = self._analyze(scope)
            while not self._is_settled(scope, analysis):
                analysis = self._analyze(scope)
            copies = [*self._forwarded_copies(analysis)]
            check_in_place_requests(
                analysis, copies, everywhere=self.options.must_be_in_place
            )
            self.analyses.append(analysis)
            self.forwarded_copies.extend(copies)

    def _analyze(
        self, scope: Sequence[Operation]
    ) -> OneShotAnalysis | AlwaysCopyAnalysis:
        program = TensorProgram(scope, self._model_in_analysis, self.summary_of)
        copies = any(map(self._is_copying, scope))
        if copies and AlwaysCopyAnalysis.fits(program):
            return AlwaysCopyAnalysis(program)
        return OneShotAnalysis(program, self.options, copy_before_write=copies)

    def _is_copying(self, op: Operation) -> bool:
        """Whether all writes within the outermost op work on a copy."""
        return self.options.copy_before_write or (
            isinstance(op, func.FuncOp)
            and self.options.bufferize_function_boundaries
            and op.sym_name.data in self.options.no_analysis_func_filter
        )

    def _options_at(self, op: Operation) -> OneShotOptions:
        """The options as they are for an op, in whichever function it is."""
        if not self.options.no_analysis_func_filter:
            return self.options
        around: Operation | None = op
        while around is not None and not isinstance(around, func.FuncOp):
            around = around.parent_op()
        copying = around is not None and self._is_copying(around)
        return replace(self.options, copy_before_write=copying)

    def _is_settled(
        self,
        scope: Sequence[Operation],
        analysis: OneShotAnalysis | AlwaysCopyAnalysis,
    ) -> bool:
        """Whether the functions' summaries hold; they are made to hold more often."""
        settled = True
        if self.options.bufferize_function_boundaries:
            for function in scope:
                if isinstance(function, func.FuncOp):
                    known = self.summaries.get(function)
                    summary = self._summary(function, analysis)
                    if known is not None:
                        summary = joined(known, summary)
                        settled &= summary == known
                    self.summaries[function] = summary
        return settled

    def _summary(
        self, function: func.FuncOp, analysis: OneShotAnalysis | AlwaysCopyAnalysis
    ) -> FunctionSummary:
        if not function.body.blocks:
            return assume(function)
        if isinstance(analysis, OneShotAnalysis):
            return summarize(function, analysis)
        return summarize_copying(function, analysis)

    def _forwarded_copies(
        self, analysis: BufferizationAnalysis
    ) -> Iterator[ForwardedCopy]:
        if analysis.ops_share_memory:
            for info in analysis.program.ops:
                if info.model is not None and info.op.regions:
                    yield from info.model.forwarded_copies(
                        info.op, analysis, self.options
                    )

    def annotate(self, *, conflicts: bool = False, alias_sets: bool = False) -> None:
        """
        Write the decisions into the program, and on request their reasons and what may
        share memory.
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

    def rewrite(self) -> None:
        """Rewrite the program on buffers, as decided."""
        self.insert_copies()
        self.rewrite_in_place()

    def rewrite_in_place(self) -> None:
        """Rewrite the program on buffers, once `insert_copies` has made it fit for that."""
        for op in walk([self.module]):
            remove_annotations(op)
            remove_request(op)
        self._erase_unreachable_blocks()
        bufferizer = OneShotBufferizer(
            self.options,
            self.model_of,
            self.call_graph.callee,
            self.call_graph.recursive,
        )
        for scope in self._scopes():
            bufferizer.bufferize(scope)
        bufferizer.finish()
        self._allocations = bufferizer.allocations

    def insert_copies(self) -> Mapping[Operation, TensorOperand | ForwardedCopy]:
        """
        Make the copies that the decisions ask for part of the tensor program; the ops that
        make them, each with what it is for.

        Raises `BufferizationError`, with the program as it was, if the memory space of a
        buffer can not be told.
        """
        memory_space_of = self._memory_space_of()
        inserted: dict[Operation, TensorOperand | ForwardedCopy] = {}
        for analysis in self.analyses:
            inserted |= insert_tensor_copies(analysis, memory_space_of)
        inserted |= insert_forwarded_copies(self.forwarded_copies)
        return inserted

    def _memory_space_of(self) -> Callable[[SSAValue], Attribute | None]:
        if (
            self._has_unusual_memory
            or self.options.must_infer_memory_space
            or self.options.use_encoding_for_memory_space
        ):
            return MemorySpaces(
                self.options,
                self.model_of,
                self.call_graph,
                self._scopes(),
                self.forwarded_copies,
            ).of
        return lambda _: None

    def model_of(self, op: Operation) -> BufferizableOpInterface | None:
        """The model through which the op takes part; `None` if it stays on tensors."""
        if not self.options.bufferize_function_boundaries and _is_boundary(op):
            return None
        model = BufferizableOpInterface.of(op)
        if model is None and op.next_op is None and is_return(op):
            model = BufferizableOpInterface.named("func.return")
        if model is not None and belongs_to_parent(op):
            # It makes the results of its parent, so both take part or neither.
            parent = op.parent_op()
            return model if parent is not None and self.model_of(parent) else None
        if self.options.dialect_filter and not self.options.lets_take_part(op_name(op)):
            return None
        return model

    def _model_in_analysis(self, op: Operation) -> BufferizableOpInterface | None:
        """
        Branches between blocks that stay on tensors do too, but what they hand to the
        blocks is known.
        """
        model = self.model_of(op)
        return (
            BufferizableOpInterface.of(op) if model is None and op.successors else model
        )

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """What the called function does, if it has been analysed."""
        callee = self.call_graph.callee(call)
        return None if callee is None else self.summaries.get(callee)

    def _scopes(self) -> Sequence[Sequence[Operation]]:
        """What is analysed and rewritten together, in the order in which that happens."""
        if not self.options.bufferize_function_boundaries:
            return [list(self.module.ops)]
        return [*self._components, self.call_graph.others]

    @cached_property
    def _components(self) -> Sequence[Sequence[func.FuncOp]]:
        components = self.call_graph.callees_first()
        for function in self.call_graph.recursive:
            self.summaries[function] = nothing_known(function)
        return components

    def _verify(self) -> None:
        """Refuse what can not be bufferized before anything else happens."""
        for op in walk([self.module]):
            if op.successors:
                self._verify_branch(op)
            if not has_tensor_semantics(op):
                continue
            model = self.model_of(op)
            if model is not None:
                model.verify_op(op, self._options_at(op))
                verify_element_types(op)
                self._has_unusual_memory |= has_unusual_memory(op)
            elif not (
                self.options.allow_unknown_ops
                or self._is_boundary(op)
                or not self.options.lets_take_part(op_name(op))
                or _is_left_to_parent(op)
            ):
                raise BufferizationError(
                    op,
                    "is not bufferizable: nothing is known of what it does to buffers",
                    hint="lower it to ops that are, register a model for it, or leave "
                    "it on tensors with the option allow-unknown-ops",
                )

    def _erase_unreachable_blocks(self) -> None:
        """What can not be reached is not analysed, so it can not be rewritten either."""
        for op in walk([self.module]):
            if self.model_of(op) is not None:
                erase_unreachable_blocks(op)

    def _is_boundary(self, op: Operation) -> bool:
        """Whether the op stays on tensors as those of its function do."""
        parent = op.parent_op()
        return _is_boundary(op) or (
            bool(op.successors)
            and parent is not None
            and _is_boundary(parent)
            and BufferizableOpInterface.of(op) is not None
        )

    def _verify_branch(self, op: Operation) -> None:
        """Blocks of an op that takes part have buffers in place of tensors."""
        parent = op.parent_op()
        if (
            parent is not None
            and self.model_of(parent) is not None
            and self.model_of(op) is None
            and any(is_tensor(a) for block in op.successors for a in block.args)
        ):
            raise BufferizationError(
                op,
                "hands tensors to blocks, and nothing is known of how it does that",
                hint="lower it to cf ops, or register a model for it",
            )


def belongs_to_parent(op: Operation) -> bool:
    """Whether the op hands tensors to its parent."""
    return op.has_trait(IsTerminator, value_if_unregistered=False) or op.has_trait(
        ParallelCombiningOpTrait, value_if_unregistered=False
    )


def _is_left_to_parent(op: Operation) -> bool:
    """Whether the op combines parallel runs of a known op, which then is on tensors."""
    parent = op.parent_op()
    return (
        op.has_trait(ParallelCombiningOpTrait, value_if_unregistered=False)
        and parent is not None
        and BufferizableOpInterface.of(parent) is not None
    )


def erase_unreachable_blocks(op: Operation) -> None:
    """Erase the blocks of the op's regions that can not be reached."""
    for region in op.regions:
        reachable = set(blocks_in_order(region))
        unreachable = [b for b in region.blocks if b not in reachable]
        # They may use each other's values, in any order.
        for nested in [op for block in unreachable for op in block.ops]:
            nested.drop_all_references()
        for block in unreachable:
            region.erase_block(block, safe_erase=False)


def _is_boundary(op: Operation) -> bool:
    return op_name(op).startswith("func.")
