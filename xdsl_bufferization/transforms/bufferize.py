"""All that it takes to get from tensors to memrefs that are freed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.host.commands import reduced_gc, with_progress
from xdsl_bufferization.one_shot.participation import (
    bufferized_functions,
    copy_shared_memory,
    left_modules,
)
from xdsl_bufferization.support.call_graph import CallGraph, functions_in
from xdsl_bufferization.support.donation import adopt_donations, keep_arguments
from xdsl_bufferization.support.failures import (
    checked,
    invalid_program,
    reason_invalid,
    verified_module,
)
from xdsl_bufferization.support.options import (
    Arena,
    ArenaOption,
    ArgumentAccess,
    BufferizeOptions,
    NotNegative,
    OwnershipOptions,
    ResultsOption,
)
from xdsl_bufferization.support.snapshots import all_or_nothing
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import (
    copy_returned_values,
    eliminate_copies,
    share_memory,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors
from xdsl_bufferization.transforms.buffer_deallocation_pipeline import (
    BufferDeallocationPipeline,
)
from xdsl_bufferization.transforms.buffer_loop_hoisting import BufferLoopHoistingPass
from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
    ConvertBufferizationToMemRefPass,
)
from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
    DropEquivalentBufferResultsPass,
)
from xdsl_bufferization.transforms.eliminate_copies import (
    rewrites_help,
    rewrites_left_out,
)
from xdsl_bufferization.transforms.eliminate_moves import eliminate_moves
from xdsl_bufferization.transforms.fuse_for_memory import fuse_for_memory
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

if TYPE_CHECKING:
    from xdsl_bufferization.support.snapshots import Snapshot
    from xdsl_bufferization.tensors.changes import Changes
    from xdsl_bufferization.tensors.eliminate_copies.interference import Trace
    from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves


@dataclass(frozen=True)
class BufferizePass(OwnershipOptions, OneShotBufferizePass):
    """
    Bufferize a program, free what it allocates, and leave nothing of the bufferization
    dialect. A function that is called copies constants that it returns, which deallocation would
    do in any case, so that callers may write them. A program that one of its stages refuses stays
    as it is.

    The options are those of `one-shot-bufferize`, with `bufferize-function-boundaries` `true` by
    default, those of `buffer-deallocation-pipeline`, and one for each stage that can be left out.
    """

    name = "bufferize"

    bufferize_function_boundaries: bool = True
    eliminate_copies: bool = True
    """
    Change the program so that less has to be copied and moved; `false` leaves
    `eliminate-moves` out, too.
    """
    eliminate_moves: bool = True
    """Let ops read elements where ops that only move them take them from."""
    reorder: bool = True
    """Run ops in another order where that lowers the peak, unless `eliminate-copies` is `false`."""
    destinations: bool = True
    """
    Let private functions compute results in memory of their callers, where that makes nothing
    worse: in arguments that are dead after each call, or else in new arguments, if they are called
    in loops or their results are parts of others; with an arena all of them.
    `eliminate-copies=false` leaves it out, too.
    """
    fuse: bool = True
    """
    Compute elements where they are read where that lowers the peak, and reorder the ops then,
    unless `eliminate-copies` is `false`.
    """
    max_added_work: NotNegative = 20
    """
    How much work the elementwise ops of a block may do more if elements are computed again, in
    percent, as in `fuse-for-memory`.
    """
    drop_results: bool = True
    """Let private functions return no memrefs that their callers have."""
    hoist: bool = True
    """Allocate out of loops, where that does not raise the peak if the loops run."""
    arena: Arena = ArenaOption.OFF
    """
    Whether buffers of known size are parts of one allocation, the arena of a call: `off`;
    `allocated`, or no value, where public functions allocate the arena, with parts for the
    private functions that they call; `argument`, where public functions take it as an argument;
    or `static`, as `allocated`, which refuses programs that allocate anything else but what
    public functions return. Private functions then write their results to the arena, too. The
    attribute `bufferize.arena_size` of an argument of run-time size names a function that
    computes it, in bytes, from the arguments that are no arenas.
    """
    results: ResultsOption = ResultsOption.RETURNED
    """
    How functions return memrefs: `returned`; or `arguments`, where they write them to memory of
    their callers, in arguments after the others, also of callers outside of the module. With
    `arena=argument`, they then allocate nothing. A remark names each result that public functions
    still return.
    """
    free: bool = True
    """
    Free the memory. Without it, passes that place buffers can follow, such as
    `plan-static-memory`, and then `buffer-deallocation-pipeline`.
    """
    max_peak_increase: NotNegative = 0
    """
    How much higher the peak of a memory space may get if that saves copies, in percent, as in
    `eliminate-copies`.
    """
    peak_weight: NotNegative = 0
    """
    How many bytes may be copied for each byte that this saves at the peak, as in
    `eliminate-copies`.
    """
    without: tuple[str, ...] = ()
    """The rewrites of `eliminate-copies` that are left out, by name."""
    arguments: ArgumentAccess = ArgumentAccess.WRITABLE
    """
    Whether functions may overwrite tensors that callers outside of the module give them:
    `writable`, or `read-only`, which leaves all as they were but those that are donated or
    have `bufferization.writable = true`.
    """
    adopt_donations: bool = False
    """
    Take `tf.aliasing_output` and `iree.abi.output` for `bufferize.aliasing_result`: the result is
    in the memory of the argument, where types allow it.
    """

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        all_or_nothing(op, partial(self._apply_verified, ctx, op))

    def _apply_verified(self, ctx: Context, module: ModuleOp, before: Snapshot) -> None:
        if self.test_analysis_only:
            self._keep_arguments(module)
            super().apply(ctx, module)
            return
        self._apply_all(ctx, module, lambda stage: None)
        if reason_invalid(module, nested=True) is not None:
            self._find_invalid_stage(ctx, before)

    def _find_invalid_stage(self, ctx: Context, before: Snapshot) -> None:
        """Do everything again, and raise `BufferizationError` after the stage at fault."""
        module = checked(self.name, before.build(), ModuleOp)

        def verify(stage: str) -> None:
            if (error := invalid_program(module, f"{stage} has made it")) is not None:
                raise error

        verify("the pass before")
        self._apply_all(ctx, module, verify)

    def _apply_all(
        self, ctx: Context, module: ModuleOp, done: Callable[[str], None]
    ) -> None:
        """Run all stages, and tell `done` the name of each after it."""
        passes = self.passes_on_buffers()
        self._rewrite_on_buffers(ctx, module, done)
        for module_pass in with_progress(passes, len(passes), self.name):
            module_pass.apply(ctx, module)
            done(module_pass.name)
        self._check_arena(module)

    def _rewrite_on_buffers(
        self, ctx: Context, module: ModuleOp, done: Callable[[str], None]
    ) -> None:
        self.verify_names(ctx, module)
        program = self.run_before(module, done=done)
        if program.options == self.options() and not self.statistics:
            program.bufferize()
        else:
            super().apply(ctx, module)
        done(OneShotBufferizePass.name)

    def _check_arena(self, module: ModuleOp) -> None:
        if self.arena is ArenaOption.STATIC:
            # Most programs do not wait for it.
            from xdsl_bufferization.memrefs.placement.arena_planner import (
                refuse_repeated,
            )

            refuse_repeated(module)

    def run_before(
        self,
        module: ModuleOp,
        trace: Trace | None = None,
        left_moves: LeftMoves | None = None,
        done: Callable[[str], None] = lambda stage: None,
    ) -> AnalysedModule:
        """
        Do what is done before `one-shot-bufferize`; returns the module with what is known of
        it afterwards. What `eliminate-copies` tries is added to the `trace`, and why
        `eliminate-moves` leaves moves to `left_moves`, if they are given. `done` is told the name
        of each stage after it.
        """
        self._keep_arguments(module)
        self._add_entry_functions(module)
        copy_shared_memory(module, self.options())
        calls = bufferized_functions(module, self.options())
        copy_returned_values(calls, self.options())
        done(self.name)
        if not self.eliminate_copies:
            eliminate_empty_tensors(module)
            done("eliminate-empty-tensors")
            return AnalysedModule(module, self.options())
        if self.eliminate_moves:
            eliminate_moves(module, left_moves)
            done("eliminate-moves")
        program = self._eliminate_copies(module, trace=trace, calls=calls)
        done("eliminate-copies")
        program = self._give_destinations(program)
        done("destinations")
        self._reorder(program)
        done("reorder-for-memory")
        self._fuse(program)
        done("fuse-for-memory")
        share_memory(program)
        done("eliminate-copies")
        return program

    def _add_entry_functions(self, module: ModuleOp) -> None:
        if not self._changes_signatures() or not self.bufferize_function_boundaries:
            return
        # Most programs do not wait for it.
        from xdsl_bufferization.memrefs.calling_conventions.signatures import (
            add_entry_functions,
        )

        add_entry_functions(module, without=left_modules(module, self.options()))

    def _changes_signatures(self) -> bool:
        """Whether results of functions become arguments, where that is possible."""
        return (
            self.arena is not ArenaOption.OFF or self.results is ResultsOption.ARGUMENTS
        )

    def _eliminate_copies(
        self,
        module: ModuleOp,
        changes: Changes | None = None,
        trace: Trace | None = None,
        calls: CallGraph | None = None,
    ) -> AnalysedModule:
        without = rewrites_left_out(type(self), self.without)
        return eliminate_copies(
            module,
            self.options(),
            self.max_peak_increase,
            self.peak_weight,
            trace,
            without,
            frees=self.free,
            changes=changes,
            calls=calls,
        )

    def _give_destinations(self, program: AnalysedModule) -> AnalysedModule:
        options = self.options()
        if (
            not self.destinations
            or options.copy_before_write
            or not options.bufferize_function_boundaries
            or not program.decisions.call_graph.has_calls
        ):
            return program
        # Most short programs call no functions.
        from xdsl_bufferization.tensors.destinations import give_destinations

        return give_destinations(
            program,
            self._eliminate_copies,
            everywhere=self.arena is not ArenaOption.OFF,
        )

    def _reorder(self, program: AnalysedModule) -> None:
        if (
            not self.reorder
            or self.copy_before_write
            or not program.remember(Costs).depending_on_order
        ):
            return
        # Most short programs have one good order.
        from xdsl_bufferization.tensors.reorder.reordering import reorder_for_memory

        reorder_for_memory(program)

    def _fuse(self, program: AnalysedModule) -> None:
        if self.fuse:
            fuse_for_memory(program, self.max_added_work)

    @contextmanager
    def arguments_kept(self, module: ModuleOp) -> Generator[None]:
        """For a `with` block in which the module says which arguments are not written."""
        former = {f: f.properties.get("arg_attrs") for f in functions_in(module)}
        try:
            self._keep_arguments(module)
            yield
        finally:
            for function, attributes in former.items():
                function.properties.pop("arg_attrs", None)
                if attributes is not None:
                    function.properties["arg_attrs"] = attributes

    def options(self) -> BufferizeOptions:
        super().options()
        return self.options_as(BufferizeOptions)

    def _keep_arguments(self, module: ModuleOp) -> None:
        if self.adopt_donations:
            for function in functions_in(module):
                adopt_donations(function)
        if self._keeps_arguments():
            keep_arguments(module, without=left_modules(module, self.options()))

    def _keeps_arguments(self) -> bool:
        # The arguments of functions that stay on tensors are not written in any case.
        return (
            self.arguments is ArgumentAccess.READ_ONLY
            and self.bufferize_function_boundaries
            and self.options().lets_take_part("func.func")
        )

    def _stays_on_tensors(self) -> bool:
        """Whether the options let ops stay on tensors."""
        return (
            self.allow_unknown_ops
            or bool(self.dialect_filter)
            or not self.bufferize_function_boundaries
        )

    def passes_on_buffers(self) -> Sequence[ModulePass]:
        """The passes after `one-shot-bufferize`, without those that options leave out."""
        signatures = self._changes_signatures()
        passes = (
            (self.drop_results and not signatures, DropEquivalentBufferResultsPass()),
            *((True, planning) for planning in self._arena_passes()),
            (self.hoist, BufferLoopHoistingPass(share_memory=True)),
            (self.free, self.options_as(BufferDeallocationPipeline)),
            (
                True,
                ConvertBufferizationToMemRefPass(
                    allow_tensors=self._stays_on_tensors()
                ),
            ),
        )
        return [module_pass for runs, module_pass in passes if runs]

    def _arena_passes(self) -> Sequence[ModulePass]:
        if not self._changes_signatures():
            return ()
        # Most programs do not wait for it.
        from xdsl_bufferization.transforms.plan_static_memory import arena_passes

        return arena_passes(self.arena, self.results)

    @classmethod
    def further_help(cls) -> str:
        # Only help needs it.
        from xdsl_bufferization.transforms.bufferize_stages import stages_help

        return f"{stages_help()}\n\n{rewrites_help()}"


def bufferize(
    ctx: Context, module: ModuleOp, options: BufferizePass | None = None
) -> None:
    """
    Do what the pass `bufferize` does, with its options: rewrite the tensors of the module to
    memrefs that are freed, in place.

    Raises `BufferizationError`, with the module as it was, if the program is not valid, or a
    stage refuses it; and `TypeError` for an argument of another kind.
    """
    if options is None:
        options = BufferizePass()
    checked("bufferize", options, BufferizePass).apply(
        ctx, verified_module("bufferize", module)
    )
