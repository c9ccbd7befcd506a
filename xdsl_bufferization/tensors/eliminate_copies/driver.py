"""
Tensor programs changed so that less has to be copied.

One-Shot Bufferize takes a program as it is, and copies what that asks for. Functions in which
copies are left after `eliminate-empty-tensors`, that this has made worse, or whose peak may be
lower if elementwise ops overwrite inputs, are changed, and `eliminate-empty-tensors` is run again
(`attempt.py`):

1. Loops that read and write tensors slice by slice work in place; what is cheap to compute is
   computed again where a copy of it would be made; other copies are made where their op's result
   is inserted.
2. Elementwise ops write into an input that is not needed any more. This saves memory, which
   the other steps may need.
3. Ops that read what is put together from slices read the slices.
4. Ops that write move after those that read what they overwrite.
5. Arguments of functions get the layout that their users ask for.
6. Padding and concatenation become insertions, so that operands are computed in place, those
   first that are computed first.

Then one more analysis tells what has helped: an op writes into its own tensor again if it
cannot have that of its input, and insertions that are copied are undone. `search.py` compares the
costs with those of the program as it came, and with candidates without the edits that interfere
(`elimination.py`, `interference.py`). A function for which no candidate is better is as
`eliminate-empty-tensors` leaves it, or as it came if that is better. In loops that copy all the
same, two buffers take turns if that helps (`double_buffering.py`). So a program without avoidable
copies stays as it is, and the number of analyses does not depend on the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.edits import SHARE_MEMORY, Edits
from xdsl_bufferization.tensors.eliminate_copies.inits import functions_that_may_reuse
from xdsl_bufferization.tensors.eliminate_copies.returned_inits import (
    own_returned_inits,
)
from xdsl_bufferization.tensors.empty_tensor_elimination import (
    eliminate_empty_tensors,
    eliminate_empty_tensors_of,
)
from xdsl_bufferization.tensors.search import Limits, traffic_and_peak

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_copies.trace import Trace


def eliminate_copies(
    module: ModuleOp,
    options: OneShotOptions,
    max_peak_increase: int = 0,
    peak_weight: int = 0,
    trace: Trace | None = None,
    without: AbstractSet[str] = frozenset(),
    *,
    frees: bool = False,
    changes: Changes | None = None,
) -> AnalysedModule:
    """
    Rewrite what causes copies, where `options` are those of the bufferization to come; with
    `eliminate-empty-tensors`, and without the rewrites named in `without`. No function gets more
    copies or more bytes copied, or a peak of memory that is higher by more than `max_peak_increase`
    percent. A byte less at the peak is worth copying `peak_weight` bytes. Returns the module with
    what is known of it afterwards. The attempts are added to the `trace`, and all changes to the
    log `changes`, if these are given. Empty tensors in what is `improved` do not share memory yet;
    see `share_memory`. If deallocation `frees` what the program allocates afterwards, it copies
    results in memory of arguments, which are then computed in their own.

    Raises `BufferizationError`, with the module as it was, if it cannot be bufferized.
    """
    if options.copy_before_write:
        # Whatever the program is, each write copies.
        eliminate_empty_tensors(module)
        return AnalysedModule(module, options)
    # Copies that are refused may be those that are eliminated.
    options = replace(options, must_be_in_place=False)
    functions = _functions_with_body(module, options)
    program = AnalysedModule(module, options, changes)
    program.without = without
    before, edits = program.changes.position, Edits(without=without)
    try:
        came = _costs_as_it_came(program)
        if came is not None and frees:
            came = own_returned_inits(program, functions, came, edits)
        start = program.changes.position
        changed = eliminate_empty_tensors_of(program, edits)
        after = program.remember(Costs) if changed or came is None else came
    except BufferizationError:
        program.changes.undo(before)
        # The error is to be about an op of the module.
        OneShotBufferization(module, options).analyze()
        raise
    came = came or after
    limits = Limits(functions, came, max_peak_increase, after)
    scope = _functions_to_change(program, after, limits)
    if scope:
        # Most short programs have nothing to eliminate.
        from xdsl_bufferization.tensors.eliminate_copies.elimination import Elimination

        costs = came, after
        score = partial(traffic_and_peak, peak_weight=peak_weight)
        Elimination(program, limits, score, scope, start, edits, costs, trace).run()
    return program


def share_memory(program: AnalysedModule) -> None:
    """
    Let empty tensors in functions that have been improved share memory, after their ops are in
    their order: where they share memory, ops that write it stay in their order.
    """
    if not program.improved or SHARE_MEMORY in program.without:
        return
    # Most short programs have nothing to eliminate.
    from xdsl_bufferization.tensors.eliminate_copies.shared_empty_tensors import (
        share_empty_tensors,
    )

    share_empty_tensors(program, program.improved, program.remember(Costs))


def _functions_to_change(
    program: AnalysedModule, costs: Costs, limits: Limits
) -> Sequence[func.FuncOp]:
    """
    Those with copies, those made worse, and those whose peak may be lower if elementwise ops
    overwrite inputs.
    """
    functions = limits.functions
    found = {
        f
        for f in functions
        if costs.copies(f).number or limits.are_exceeded_by(f, costs)
    }
    at_peaks = {op for f in functions if f not in found for op in costs.ops_at_peaks(f)}
    for analysis in program.analyses if at_peaks else ():
        reusing = functions_that_may_reuse(analysis, at_peaks)
        found.update(f for f in functions if f in reusing)
    return [f for f in functions if f in found]


def _costs_as_it_came(program: AnalysedModule) -> Costs | None:
    """The costs of a program; `None` if it cannot be bufferized, which may change."""
    try:
        return program.remember(Costs)
    except BufferizationError:
        return None


def _functions_with_body(
    module: ModuleOp, options: OneShotOptions
) -> Sequence[func.FuncOp]:
    """The functions that are bufferized, also those in symbol tables within the module."""
    functions = CallGraph(module, without=left_modules(module, options)).functions
    return [function for function in functions if function.body.blocks]
