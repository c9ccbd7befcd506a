"""
One-Shot Bufferize: analyse the tensors of a module, then rewrite it on buffers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import cast

from typing_extensions import TypeVar
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.copying_functions import summarize_copying
from xdsl_bufferization.analysis.functions import (
    CallGraph,
    assume,
    is_return,
    joined,
    nothing_known,
    summarize,
)
from xdsl_bufferization.analysis.one_shot import (
    AlwaysCopyAnalysis,
    BufferizationAnalysis,
    OneShotAnalysis,
)
from xdsl_bufferization.analysis.program import TensorOperand, TensorProgram
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    FunctionSummary,
    HandOverCopy,
    has_tensor_semantics,
    is_tensor,
)
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.interfaces.registry import op_name
from xdsl_bufferization.options import (
    AnalysisHeuristic,
    LayoutMapOption,
    OneShotOptions,
)
from xdsl_bufferization.transforms.annotations import (
    ConflictPrinter,
    annotate_alias_sets,
    annotate_decisions,
    annotate_functions,
    remove_annotations,
)
from xdsl_bufferization.transforms.bufferizer import Bufferizer
from xdsl_bufferization.transforms.element_types import verify_element_types
from xdsl_bufferization.transforms.former_options import ONE_SHOT_BUFFERIZE
from xdsl_bufferization.transforms.in_place_requests import (
    check_in_place_requests,
    remove_request,
)
from xdsl_bufferization.transforms.memory_spaces import (
    MemorySpaces,
    has_unusual_memory,
)
from xdsl_bufferization.transforms.pass_options import BufferizationPass
from xdsl_bufferization.transforms.statistics import BufferizationStatistics
from xdsl_bufferization.transforms.tensor_copies import (
    insert_hand_over_copies,
    insert_tensor_copies,
)
from xdsl_bufferization.walk import blocks_in_order, walk

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


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
        self.hand_over_copies: list[HandOverCopy] = []
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
            copies = [*self._hand_over_copies(analysis)]
            check_in_place_requests(
                analysis, copies, everywhere=self.options.must_be_in_place
            )
            self.analyses.append(analysis)
            self.hand_over_copies.extend(copies)

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

    def _hand_over_copies(
        self, analysis: BufferizationAnalysis
    ) -> Iterator[HandOverCopy]:
        if analysis.ops_share_memory:
            for info in analysis.program.ops:
                if info.model is not None and info.op.regions:
                    yield from info.model.hand_over_copies(
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
        bufferizer = Bufferizer(
            self.options,
            self.model_of,
            self.call_graph.callee,
            self.call_graph.recursive,
        )
        for scope in self._scopes():
            bufferizer.bufferize(scope)
        bufferizer.finish()
        self._allocations = bufferizer.allocations

    def insert_copies(self) -> Mapping[Operation, TensorOperand | HandOverCopy]:
        """
        Make the copies that the decisions ask for part of the tensor program; the ops that
        make them, each with what it is for.

        Raises `BufferizationError`, with the program as it was, if the memory space of a
        buffer can not be told.
        """
        memory_space_of = self._memory_space_of()
        inserted: dict[Operation, TensorOperand | HandOverCopy] = {}
        for analysis in self.analyses:
            inserted |= insert_tensor_copies(analysis, memory_space_of)
        inserted |= insert_hand_over_copies(self.hand_over_copies)
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
                self.hand_over_copies,
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


@dataclass(frozen=True)
class OneShotBufferizePass(BufferizationPass):
    """
    Rewrite ops on tensors to ops on memrefs, with as few copies as possible.

    An analysis decides which ops can work in place; where one can not, because it would
    destroy contents that are still read, or memory that must not be written, it works on
    a copy. Options, their values and defaults are those of mlir-opt's pass:

    - `allow-unknown-ops`: leave ops that can not be bufferized on tensors;
    - `bufferize-function-boundaries`: bufferize arguments, results, calls and returns;
    - `function-boundary-type-conversion`: the layout of arguments and results, one of
      `infer-layout-map`, `identity-layout-map`, `fully-dynamic-layout-map`;
    - `unknown-type-conversion`: the layout where an op on tensors defines the tensor, one
      of `identity-layout-map`, `fully-dynamic-layout-map`;
    - `copy-before-write`: no analysis, copy before each write;
    - `buffer-alignment`: the alignment of new buffers in bytes;
    - `allow-return-allocs-from-loops`: let loops return new buffers;
    - `check-parallel-regions`: a copy for each run of a parallel region that writes;
    - `analysis-heuristic`: the order of the decisions, one of `bottom-up`, `top-down`,
      `bottom-up-from-terminators`, `fuzzer`;
    - `analysis-fuzzer-seed`: the seed of the random order of `fuzzer`;
    - `dialect-filter`: the dialects whose ops are bufferized, all others are left on
      tensors;
    - `no-analysis-func-filter`: functions in which a copy is made before each write;
    - `must-infer-memory-space`: refuse to take the default memory space where nothing
      tells another one;
    - `use-encoding-for-memory-space`: a tensor's encoding is its memory space;
    - `must-be-in-place`: refuse a program that needs a copy (not in mlir-opt);
    - `test-analysis-only`: write the decisions into the program instead of rewriting it;
    - `print-conflicts`: with `test-analysis-only`, the reasons of the decisions too;
    - `dump-alias-sets`: with `test-analysis-only`, what may share memory too;
    - `statistics`: print to standard error how many tensor operands are in place and out of
      place, and how many buffers are allocated, as `mlir-opt -mlir-pass-statistics` does.

    Options of earlier releases of MLIR are taken as what they are today, or the error
    names what took their place.

    https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
    """

    name = "one-shot-bufferize"

    allow_unknown_ops: bool = False
    bufferize_function_boundaries: bool = False
    function_boundary_type_conversion: str = LayoutMapOption.INFER
    unknown_type_conversion: str = LayoutMapOption.FULLY_DYNAMIC
    copy_before_write: bool = False
    buffer_alignment: int = 64
    allow_return_allocs_from_loops: bool = False
    check_parallel_regions: bool = True
    analysis_heuristic: str = AnalysisHeuristic.BOTTOM_UP
    analysis_fuzzer_seed: int = 0
    dialect_filter: tuple[str, ...] = ()
    no_analysis_func_filter: tuple[str, ...] = ()
    must_infer_memory_space: bool = False
    use_encoding_for_memory_space: bool = False
    must_be_in_place: bool = False
    test_analysis_only: bool = False
    print_conflicts: bool = False
    dump_alias_sets: bool = False
    statistics: bool = False

    former_options = ONE_SHOT_BUFFERIZE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        one_shot = OneShotBufferization(op, self.options())
        one_shot.analyze()
        if self.test_analysis_only:
            one_shot.annotate(
                conflicts=self.print_conflicts, alias_sets=self.dump_alias_sets
            )
        else:
            one_shot.rewrite()
        if self.statistics:
            print(f"{self.name}\n{one_shot.statistics}", file=sys.stderr)

    def options(self) -> OneShotOptions:
        """The options as `bufferize` takes them; raises `BufferizationError`."""
        self._check_combinations()
        return OneShotOptions(
            allow_unknown_ops=self.allow_unknown_ops,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            function_boundary_type_conversion=self._choice(
                "function-boundary-type-conversion", [*LayoutMapOption]
            ),
            unknown_type_conversion=self._choice(
                "unknown-type-conversion",
                [LayoutMapOption.IDENTITY, LayoutMapOption.FULLY_DYNAMIC],
            ),
            copy_before_write=self.copy_before_write,
            buffer_alignment=self._number("buffer-alignment", "a number of bytes"),
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            check_parallel_regions=self.check_parallel_regions,
            analysis_heuristic=self._choice("analysis-heuristic", [*AnalysisHeuristic]),
            analysis_fuzzer_seed=self._number("analysis-fuzzer-seed", "not negative"),
            dialect_filter=self.dialect_filter,
            no_analysis_func_filter=self.no_analysis_func_filter,
            must_infer_memory_space=self.must_infer_memory_space,
            use_encoding_for_memory_space=self.use_encoding_for_memory_space,
            must_be_in_place=self.must_be_in_place,
        )

    def _check_combinations(self) -> None:
        for option, needed in (
            ("print-conflicts", "test-analysis-only"),
            ("dump-alias-sets", "test-analysis-only"),
            ("no-analysis-func-filter", "bufferize-function-boundaries"),
        ):
            if self._value(option) and not self._value(needed):
                raise self._invalid(f"{option} requires {needed}")
        if self.test_analysis_only and self.copy_before_write:
            raise self._invalid("copy-before-write skips the analysis")
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            raise self._invalid(
                "must-infer-memory-space and use-encoding-for-memory-space exclude "
                "each other"
            )

    def _value(self, option: str) -> object:
        return getattr(self, option.replace("-", "_"))

    def _choice(self, option: str, allowed: Sequence[ChoiceT]) -> ChoiceT:
        value = self._value(option)
        for choice in allowed:
            if choice == value:
                return choice
        raise self._invalid(
            f"'{value}' is not a value of {option}; its values are "
            + ", ".join(allowed)
        )

    def _number(self, option: str, what: str) -> int:
        value = cast(int, self._value(option))
        if value < 0:
            raise self._invalid(f"'{value}' is not a value of {option}; it is {what}")
        return value

    def _invalid(self, message: str) -> BufferizationError:
        return BufferizationError(None, f"{self.name}: {message}")
