"""
One-Shot Bufferize: analyse the tensors of a module, then rewrite it on buffers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.functions import CallGraph, assume, summarize
from xdsl_bufferization.analysis.one_shot import (
    AlwaysCopyAnalysis,
    BufferizationAnalysis,
    OneShotAnalysis,
)
from xdsl_bufferization.analysis.program import TensorProgram
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    FunctionSummary,
    has_tensor_semantics,
)
from xdsl_bufferization.interfaces.registry import op_name
from xdsl_bufferization.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.transforms.annotations import (
    ConflictPrinter,
    annotate_decisions,
    annotate_functions,
)
from xdsl_bufferization.transforms.bufferizer import Bufferizer
from xdsl_bufferization.transforms.pass_options import BufferizationPass
from xdsl_bufferization.transforms.tensor_copies import insert_tensor_copies
from xdsl_bufferization.walk import walk


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
        self.module = module
        self.options = options
        self.call_graph = CallGraph(module)
        self.summaries: dict[func.FuncOp, FunctionSummary] = {}
        self.analyses: list[BufferizationAnalysis] = []

    def analyze(self) -> None:
        """
        Decide what is in place, without changing anything.

        Raises `BufferizationError` if the program can not be bufferized.
        """
        self._verify()
        for scope in self._scopes():
            program = TensorProgram(scope, self.model_of, self.summary_of)
            if self.options.copy_before_write:
                self.analyses.append(AlwaysCopyAnalysis(program))
                continue
            analysis = OneShotAnalysis(program)
            self.analyses.append(analysis)
            for info in program.ops:
                if info.model is not None:
                    info.model.verify_analysis(info.op, analysis, self.options)
            if self.options.bufferize_function_boundaries:
                for op in scope:
                    if isinstance(op, func.FuncOp):
                        self.summaries[op] = (
                            summarize(op, analysis) if op.body.blocks else assume(op)
                        )

    def annotate(self, *, conflicts: bool = False) -> None:
        """Write the decisions, and on request the reasons, into the program."""
        printer = ConflictPrinter()
        for analysis in self.analyses:
            annotate_decisions(analysis)
            if conflicts:
                printer.annotate(analysis)
        annotate_functions(self.summaries)

    def rewrite(self) -> None:
        """Rewrite the program on buffers, as decided."""
        for analysis in self.analyses:
            insert_tensor_copies(analysis)
        bufferizer = Bufferizer(self.options, self.model_of, self.call_graph.callee)
        for scope in self._scopes():
            bufferizer.bufferize(scope)
        bufferizer.finish()

    def model_of(self, op: Operation) -> BufferizableOpInterface | None:
        """The model through which the op takes part; `None` if it stays on tensors."""
        if not self.options.bufferize_function_boundaries and _is_boundary(op):
            return None
        model = BufferizableOpInterface.of(op)
        if model is not None and op.has_trait(
            IsTerminator, value_if_unregistered=False
        ):
            # A terminator hands tensors to its parent, so both take part or neither.
            parent = op.parent_op()
            return model if parent is not None and self.model_of(parent) else None
        return model

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """What the called function does, if it has been analysed."""
        callee = self.call_graph.callee(call)
        return None if callee is None else self.summaries.get(callee)

    def _scopes(self) -> Sequence[Sequence[Operation]]:
        """What is analysed and rewritten together, in the order in which that happens."""
        if not self.options.bufferize_function_boundaries:
            return [list(self.module.ops)]
        functions = self.call_graph.callees_first()
        return [*([function] for function in functions), self.call_graph.others]

    def _verify(self) -> None:
        """Refuse what can not be bufferized before anything else happens."""
        for op in walk([self.module]):
            if any(len(region.blocks) > 1 for region in op.regions):
                _verify_blocks(op)
            if not has_tensor_semantics(op):
                continue
            model = self.model_of(op)
            if model is not None:
                model.verify_op(op, self.options)
            elif not self.options.allow_unknown_ops and not _is_boundary(op):
                raise BufferizationError(
                    op,
                    "is not bufferizable: nothing is known of what it does to buffers",
                    hint="lower it to ops that are, register a model for it, or leave "
                    "it on tensors with the option allow-unknown-ops",
                )


def _is_boundary(op: Operation) -> bool:
    return op_name(op).startswith("func.")


def _verify_blocks(op: Operation) -> None:
    for region in op.regions:
        for block in region.blocks:
            for nested in block.ops:
                if len(region.blocks) > 1 and has_tensor_semantics(nested):
                    raise BufferizationError(
                        nested,
                        "is in unstructured control flow, of several blocks, which is "
                        "not supported yet",
                        hint="express the control flow with scf ops",
                    )


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
    - `test-analysis-only`: write the decisions into the program instead of rewriting it;
    - `print-conflicts`: with `test-analysis-only`, the reasons of the decisions too.

    https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
    """

    name = "one-shot-bufferize"

    allow_unknown_ops: bool = False
    bufferize_function_boundaries: bool = False
    function_boundary_type_conversion: str = LayoutMapOption.INFER
    unknown_type_conversion: str = LayoutMapOption.FULLY_DYNAMIC
    copy_before_write: bool = False
    buffer_alignment: int = 64
    test_analysis_only: bool = False
    print_conflicts: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        one_shot = OneShotBufferization(op, self._options())
        one_shot.analyze()
        if self.test_analysis_only:
            one_shot.annotate(conflicts=self.print_conflicts)
        else:
            one_shot.rewrite()

    def _options(self) -> OneShotOptions:
        if self.print_conflicts and not self.test_analysis_only:
            raise self._invalid("print-conflicts requires test-analysis-only")
        if self.test_analysis_only and self.copy_before_write:
            raise self._invalid("copy-before-write skips the analysis")
        if self.buffer_alignment < 0:
            raise self._invalid(
                f"'{self.buffer_alignment}' is not a value of buffer-alignment; it is a "
                "number of bytes"
            )
        return OneShotOptions(
            allow_unknown_ops=self.allow_unknown_ops,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            function_boundary_type_conversion=self._layout(
                "function-boundary-type-conversion", [*LayoutMapOption]
            ),
            unknown_type_conversion=self._layout(
                "unknown-type-conversion",
                [LayoutMapOption.IDENTITY, LayoutMapOption.FULLY_DYNAMIC],
            ),
            copy_before_write=self.copy_before_write,
            buffer_alignment=self.buffer_alignment,
        )

    def _layout(
        self, option: str, allowed: Sequence[LayoutMapOption]
    ) -> LayoutMapOption:
        value = getattr(self, option.replace("-", "_"))
        if value not in allowed:
            raise self._invalid(
                f"'{value}' is not a value of {option}; its values are "
                + ", ".join(allowed)
            )
        return LayoutMapOption(value)

    def _invalid(self, message: str) -> BufferizationError:
        return BufferizationError(None, f"{self.name}: {message}")
