"""
One-Shot Bufferize: analyse the tensors of a module, then rewrite it on buffers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.interfaces.registry import dialects_with_models
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.participation import copy_shared_memory
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.options import ONE_SHOT_BUFFERIZE, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk


@dataclass(frozen=True)
class OneShotBufferizePass(BufferizationPass, OneShotOptions):
    """
    Rewrite ops on tensors to ops on memrefs, with as few copies as possible.

    An analysis decides which ops can work in place. An op that would overwrite contents that
    are still read, or read-only memory, works on a copy. Options, their values and defaults
    are those of mlir-opt's pass. Options of earlier releases of MLIR are translated to
    today's, or the error names what took their place.

    https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
    """

    name = "one-shot-bufferize"

    test_analysis_only: bool = False
    """Write the decisions into the program instead of rewriting it."""
    print_conflicts: bool = False
    """With `test-analysis-only`: write the reasons of the decisions, too."""
    dump_alias_sets: bool = False
    """With `test-analysis-only`: write the alias sets, too."""
    statistics: bool = False
    """
    Print to standard error how many tensor operands are in place and out of place, and how
    many buffers are allocated, as `mlir-opt -mlir-pass-statistics` does.
    """

    former_options = ONE_SHOT_BUFFERIZE

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options()
        self.verify_names(ctx, op)
        copy_shared_memory(op, options)
        one_shot = OneShotBufferization(op, options)
        one_shot.analyze(analysis_only=self.test_analysis_only)
        if self.test_analysis_only:
            one_shot.annotate(
                conflicts=self.print_conflicts, alias_sets=self.dump_alias_sets
            )
        else:
            one_shot.rewrite()
        if self.statistics:
            print(f"{self.name}\n{one_shot.statistics}", file=sys.stderr)

    def verify_names(self, ctx: Context, module: ModuleOp) -> None:
        """Raise `BufferizationError` if an option names a dialect or function there is not."""
        for dialect in self.dialect_filter:
            dialects = {
                *ctx.registered_dialect_names,
                *dialects_with_models(),
                *(op_name(op).partition(".")[0] for op in walk([module])),
            }
            if dialect not in dialects:
                raise self.unknown(
                    "dialect-filter", f"dialect '{dialect}'", dialect, dialects
                )
        for function in self.no_analysis_func_filter:
            functions = {
                name.data
                for op in functions_in(module)
                if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)
            }
            if function not in functions:
                raise self.unknown(
                    "no-analysis-func-filter",
                    f"function {printed_symbol(function)}",
                    function,
                    functions,
                )

    def options(self) -> OneShotOptions:
        """
        The options as `bufferize` takes them.

        Raises `BufferizationError` if they contradict one another.
        """
        if self.print_conflicts and not self.test_analysis_only:
            raise self.invalid("print-conflicts requires test-analysis-only")
        if self.dump_alias_sets and not self.test_analysis_only:
            raise self.invalid("dump-alias-sets requires test-analysis-only")
        if self.no_analysis_func_filter and not self.bufferize_function_boundaries:
            raise self.invalid(
                "no-analysis-func-filter requires bufferize-function-boundaries"
            )
        if self.test_analysis_only and self.copy_before_write:
            raise self.invalid("copy-before-write skips the analysis")
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            raise self.invalid(
                "must-infer-memory-space and use-encoding-for-memory-space exclude "
                "each other"
            )
        return self.options_as(OneShotOptions)
