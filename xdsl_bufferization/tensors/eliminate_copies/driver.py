"""
Tensor programs changed so that less has to be copied.

One-Shot Bufferize takes a program as it is, and copies what that asks for. Here the
functions in which copies are left behind `eliminate-empty-tensors` are changed, and
`eliminate-empty-tensors` is run again:

1. What is cheap to compute is computed again where a copy of it would be made.
2. Elementwise ops write into an input that is not needed any more. This saves memory, which
   the other steps may need.
3. Ops that read what is put together from slices read the slices.
4. Ops that write move behind those that read what they overwrite.
5. Arguments of functions get the layout that their users ask for.
6. Padding and concatenation become insertions, so that operands are computed in place.

Then one more analysis tells what has helped: an op writes into its own tensor again if it
can not have that of its input, and insertions that are copied are undone. Finally the
costs are compared (`tensors/costs`). A function of which the copies, the bytes copied, or the peak
of a memory space have become more is changed once more, without the insertions that are alive
at the peak, and in the end is as `eliminate-empty-tensors` leaves it; so is one that returns a
result in another memory space. So a program without
avoidable copies stays as it is, and the number of analyses does not depend on the program.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Log
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.destinations import copied_to
from xdsl_bufferization.tensors.eliminate_copies.distribution import distribute
from xdsl_bufferization.tensors.eliminate_copies.inits import (
    ReusedInput,
    in_memory_of_arguments,
    reuse_inputs,
)
from xdsl_bufferization.tensors.eliminate_copies.insertions import (
    Insertions,
    insert_instead,
    ops_to_replace,
)
from xdsl_bufferization.tensors.eliminate_copies.layouts import ArgumentLayouts
from xdsl_bufferization.tensors.eliminate_copies.order import sink_writers
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import (
    rematerialize,
    remove_unused,
    sink,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors

_FEW = 4
"""As often functions are changed anew, without insertions that raise the peak."""


def eliminate_copies(module: ModuleOp, options: OneShotOptions) -> AnalysedModule:
    """
    Rewrite what causes copies, where `options` are those of the bufferization to come; with
    `eliminate-empty-tensors`. Returns the module with what is known of it afterwards.

    Raises `BufferizationError`, with the module as it was, if it cannot be bufferized.
    """
    if options.copy_before_write:
        # Whatever the program is, each write copies.
        eliminate_empty_tensors(module)
        return AnalysedModule(module, options)
    # Copies that are refused may be those that are eliminated.
    options = replace(options, must_be_in_place=False)
    functions = _functions_with_body(module, options)
    program = AnalysedModule(module, options)
    start = program.changes.position
    try:
        _eliminate_empty_tensors(program)
        first = Costs(program)
    except BufferizationError:
        program.changes.undo(start)
        # The error is to be about an op of the module.
        OneShotBufferization(module, options).analyze()
        raise
    if any(first.copies(f).number for f in functions):
        _Elimination(program, functions, start, first).run()
    return program


def _functions_with_body(
    module: ModuleOp, options: OneShotOptions
) -> Sequence[func.FuncOp]:
    """The functions that are bufferized, also those in symbol tables within the module."""
    functions = CallGraph(module, without=left_modules(module, options)).functions
    return [function for function in functions if function.body.blocks]


def _eliminate_empty_tensors(program: AnalysedModule) -> bool:
    """`eliminate-empty-tensors`; returns whether the program has changed."""
    try:
        return eliminate_empty_tensors(program.module, program)
    except BufferizationError:
        # What is refused may be so because of an empty tensor, and be accepted without it.
        return eliminate_empty_tensors(program.module, changes=program.changes)


class _Elimination:
    """
    Changes those functions of a module in which copies are made, given the position of the
    first change that `eliminate-empty-tensors` has made, and the costs after it.
    """

    def __init__(
        self,
        program: AnalysedModule,
        functions: Sequence[func.FuncOp],
        start: int,
        first: Costs,
    ):
        self._program = program
        self._all = functions
        self._functions = [f for f in functions if first.copies(f).number]
        self._scope = frozenset(self._functions)
        self._first = first
        self._layouts = ArgumentLayouts(functions, program.decisions.call_graph)
        self._former: Log = program.changes.undo(start, self._scope)
        """What `eliminate-empty-tensors` has done, done again where nothing else is better."""
        self._start = program.changes.position
        program.has_changed()

    def run(self) -> None:
        """Change the functions, as long as that is for the better."""
        excluded: set[int] = set()
        for _ in range(_FEW):
            try:
                insertions, other_changes = self._rewrite(excluded)
                last = Costs(self._program)
                self._program.check_rewrite()
            except BufferizationError:
                break
            worse = {f for f in self._all if self._is_worse(f, last)}
            above = last.allocated_above({f: self._first.of(f).peaks for f in worse})
            culprits = {i.index for i in insertions if i.is_one_of(above)}
            if not culprits:
                self._keep(worse, last)
                return
            if len(culprits) == len(insertions) and not other_changes:
                break
            excluded |= culprits
            self._program.changes.undo(self._start, self._scope)
            self._program.has_changed()
        self._give_up(self._functions)

    def _keep(self, worse: AbstractSet[func.FuncOp], last: Costs) -> None:
        """Put back the former bodies of functions that have gained nothing."""
        useless = worse | {
            f for f in self._functions if last.copies(f) == self._first.copies(f)
        }
        others = self._scope - useless
        if not others:
            self._give_up(self._functions)
        elif useless:
            self._put_back(useless & self._scope)
            self._layouts.choose([f for f in self._all if f not in useless])
            # What a function does with memory depends on those that it calls.
            if not self._is_acceptable():
                self._give_up(others)

    def _give_up(self, functions: Collection[func.FuncOp]) -> None:
        """Put back the former bodies of all that is changed still."""
        self._layouts.reset()
        self._put_back(functions)
        self._program.has_changed()

    def _put_back(self, functions: Collection[func.FuncOp]) -> None:
        self._program.changes.undo(self._start, functions)
        self._program.changes.redo(self._former, functions)

    def _is_acceptable(self) -> bool:
        self._program.has_changed()
        try:
            costs = Costs(self._program)
            self._program.check_rewrite()
        except BufferizationError:
            return False
        return not any(self._is_worse(f, costs) for f in self._all)

    def _is_worse(self, function: func.FuncOp, costs: Costs) -> bool:
        first = self._first
        return not costs.of(function).is_no_more_than(
            first.of(function)
        ) or costs.spaces_of_results(function) != first.spaces_of_results(function)

    def _rewrite(self, excluded: Collection[int]) -> tuple[Sequence[Insertions], bool]:
        """
        All steps, without the insertions of these indices; those that are left, and whether
        there are changes other than insertions.
        """
        changes = self._program.changes
        replaceable = ops_to_replace(self._functions)
        reused: list[ReusedInput] = []
        other_changes = False
        copies = self._program.decisions.forwarded_copies
        for analysis in self._program.analyses:
            rematerialized = rematerialize(analysis, self._scope, changes)
            reused += reuse_inputs(
                analysis, self._scope, copied_to(analysis, copies), changes
            )
            other_changes |= bool(rematerialized)
            other_changes |= distribute(analysis, self._scope, reused, changes)
            other_changes |= sink_writers(
                analysis, self._scope, rematerialized, changes
            )
            other_changes |= sink(analysis, self._scope, changes)
        other_changes |= self._layouts.choose(self._all)
        insertions = insert_instead(
            [(i, op) for i, op in enumerate(replaceable) if i not in excluded], changes
        )
        self._program.has_changed()
        _eliminate_empty_tensors(self._program)
        before = len(reused) + len(insertions)
        computed_again = False
        for analysis in self._program.analyses:
            arguments = in_memory_of_arguments(analysis)
            reused = [
                i for i in reused if not i.undo_if_copied(analysis, arguments, changes)
            ]
            # The last first, since its operands may be those before.
            insertions = [
                i for i in reversed(insertions) if not i.undo_if_copied(analysis)
            ][::-1]
            computed_again |= bool(rematerialize(analysis, self._scope, changes))
        if computed_again or len(reused) + len(insertions) < before:
            self._program.has_changed()
        for input in reused:
            remove_unused(input.empty, changes)
        return insertions, other_changes or bool(reused) or computed_again
