"""
One-Shot Bufferize: analyse the tensors of a module, then rewrite it on buffers.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from typing_extensions import TypeVar
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.former_options import ONE_SHOT_BUFFERIZE
from xdsl_bufferization.support.options import (
    AnalysisHeuristic,
    LayoutMapOption,
    OneShotOptions,
)
from xdsl_bufferization.support.pass_options import BufferizationPass

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


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
