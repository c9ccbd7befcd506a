"""
Functions write what they return to memory of their callers.

Source: the pass `buffer-results-to-out-params` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.buffers.returned_buffers import (
    Returned,
    ReturnedKind,
    returned_buffers,
)
from xdsl_bufferization.calling_conventions.donated_arguments import (
    check_donated_arguments,
)
from xdsl_bufferization.calling_conventions.hoistable_allocations import (
    HoistableAllocations,
)
from xdsl_bufferization.calling_conventions.result_sizes import (
    ResultSizes,
    Size,
    sizes_needed,
)
from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    cast_to,
    drop_results,
    rebuild_call,
    replace_call,
    result_attributes,
)
from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.support.call_graph import CallGraph, all_returns, is_private
from xdsl_bufferization.support.diagnostics import BufferizationError, print_remark
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    identity_type,
    is_cast_guaranteed,
    without_casts,
)
from xdsl_bufferization.support.shaped_types import is_memref_type

_IS_RESULT = "bufferize.result"


@dataclass(frozen=True, kw_only=True)
class OutParamOptions:
    """How results become arguments."""

    add_result_attr: bool = False
    """Give the new arguments the attribute `bufferize.result`."""
    hoist_dynamic_allocs: bool = False
    """
    Where the function allocates a result of unknown sizes, let it use the caller's memory
    instead of copying there.
    """
    hoist_static_allocs: bool = False
    """The same for allocations whose sizes are known."""
    modify_public_functions: bool = False
    """
    Change public functions, too: all their ranked memref results become arguments, also for
    callers outside of the module.
    """
    only_where_possible: bool = False
    """
    Keep results that callers cannot allocate, instead of refusing the program; of public
    functions with a remark.
    """


def turn_results_into_out_params(module: ModuleOp, options: OutParamOptions) -> None:
    """
    Turn ranked memref results of functions into arguments for memory of the callers.

    Raises `BufferizationError`, with the module as it was, if a caller cannot allocate the
    memory, if a result of a public function may alias a memref of a caller, or if one is not
    in the argument that is donated for it.
    """
    calls = CallGraph(module)
    check_donated_arguments(calls)
    returned = returned_buffers(calls)
    plans = {
        function: plan
        for function in calls.calls
        if calls.may_change(function)
        and (is_private(function) or options.modify_public_functions)
        and (plan := _plan(function, returned[function], calls, options)) is not None
    }
    if options.only_where_possible:
        plans = _with_known_sizes(plans, calls, returned)
        if options.modify_public_functions:
            _remark_on_kept(plans, calls, returned)
    else:
        _check_sizes(plans, calls, returned)
    effects = call_effects(module)
    for functions in calls.callees_first():
        for function in functions:
            if function in plans:
                _change_function(function, plans[function], options, effects)
        for function in functions:
            if function in plans:
                for call in calls.calls[function]:
                    _change_call(call, plans[function])


def _change_function(
    function: func.FuncOp, plan: _Plan, options: OutParamOptions, effects: CallEffects
) -> None:
    plan.measure(function)
    parameters = add_arguments(
        function,
        [*plan.types.values()],
        [_attributes(function, i, options) for i in plan.types],
    )
    by_result = dict(zip(plan.types, parameters, strict=True))
    if options.hoist_static_allocs or options.hoist_dynamic_allocs:
        _hoist(function, plan, by_result, options, effects)
    for op in all_returns(function):
        builder = builder_for(op, InsertPoint.before(op))
        for result, parameter in by_result.items():
            value = op.operands[result]
            if without_casts(value) is not parameter:
                builder.insert(CopyOp(value, parameter))
    drop_results(function, plan.kept)


def _attributes(
    function: func.FuncOp, result: int, options: OutParamOptions
) -> DictionaryAttr:
    """The attributes of the argument that the result becomes."""
    attributes = result_attributes(function, result)
    if not options.add_result_attr:
        return attributes
    return DictionaryAttr({**attributes.data, _IS_RESULT: UnitAttr()})


def _hoist(
    function: func.FuncOp,
    plan: _Plan,
    parameters: Mapping[int, SSAValue],
    options: OutParamOptions,
    effects: CallEffects,
) -> None:
    """Use the arguments instead of allocations of the function."""
    results = [i for i in parameters if _may_hoist(plan, i, options)]
    if not results:
        return
    hoistable = HoistableAllocations(function, plan.own_results, effects)
    for result in results:
        for alloc in hoistable.allocations(result, plan.types[result]):
            plan.align(result, alloc.alignment)
            alloc.memref.replace_all_uses_with(parameters[result])
            Rewriter.erase_op(alloc)


def _may_hoist(plan: _Plan, result: int, options: OutParamOptions) -> bool:
    if plan.returned[result].kind is not ReturnedKind.NEW:
        return False
    if plan.types[result].has_static_shape():
        return options.hoist_static_allocs
    return options.hoist_dynamic_allocs and plan.sizes[result] is not None


@dataclass
class _Plan:
    """The future of the results of a function, by their indices."""

    returned: Sequence[Returned]
    types: Mapping[int, MemRefType[Attribute]]
    """The types of the arguments that results become."""
    kept: Sequence[int]
    """The indices of those that stay results."""
    sizes: dict[int, Sequence[Size] | None] = field(
        default_factory=dict[int, "Sequence[Size] | None"]
    )
    """The unknown sizes of the arguments."""
    alignments: dict[int, IntegerAttr] = field(default_factory=dict[int, IntegerAttr])
    """Alignment of hoisted allocations, in bytes."""
    measured: ResultSizes | None = None

    @property
    def own_results(self) -> Container[int]:
        """The indices of those that are neither arguments nor other results."""
        kinds = ReturnedKind.AGAIN, ReturnedKind.ARGUMENT
        return {i for i, r in enumerate(self.returned) if r.kind not in kinds}

    def measure(self, function: func.FuncOp) -> None:
        """Find the sizes, after callees have been changed."""
        if not all(type.has_static_shape() for type in self.types.values()):
            self.measured = ResultSizes(function, {}, {}, {})
            for i in self.types:
                known = self.measured.needed(i) is not None
                self.sizes[i] = self.measured.result(i) if known else None

    def align(self, result: int, alignment: IntegerAttr | None) -> None:
        """Align what is allocated for the result at least like this."""
        known = self.alignments.get(result)
        if alignment is not None and (
            known is None or alignment.value.data > known.value.data
        ):
            self.alignments[result] = alignment

    def allocate(self, call: func.CallOp, result: int, builder: Builder) -> SSAValue:
        """Allocate the memory that the call writes the result to."""
        sizes: list[SSAValue] = []
        if self.measured is not None:
            for size in self.sizes[result] or ():
                sizes.append(self.measured.build(size, call.operands, builder))
        alignment = self.alignments.get(result)
        alloc = AllocOp(sizes, (), self.types[result], alignment)
        alloc.memref.name_hint = call.results[result].name_hint
        return builder.insert(alloc).memref


def _plan(
    function: func.FuncOp,
    returned: Sequence[Returned],
    calls: CallGraph,
    options: OutParamOptions,
) -> _Plan | None:
    """The future of the results; `None` if all of them stay."""
    types: dict[int, MemRefType[Attribute]] = {}
    kept: list[int] = []
    donated = donated_arguments(function)
    for i, (output, is_) in enumerate(
        zip(function.function_type.outputs, returned, strict=True)
    ):
        if not isinstance(output, MemRefType) or is_.kind is ReturnedKind.NEVER:
            kept.append(i)
            continue
        if i in donated:
            continue
        is_shared = is_.kind is ReturnedKind.OTHER and calls.calls[function]
        if options.only_where_possible and (
            (not is_private(function) and is_shared)
            or (
                (not is_private(function) or is_.kind is ReturnedKind.NEW)
                and _allocated_type(output) is None
            )
        ):
            kept.append(i)
            continue
        if not is_private(function):
            if is_shared:
                raise BufferizationError(
                    function,
                    f"returns result #{i}, which may share memory with something that a "
                    "caller in the module sees: an argument of the function would not",
                    related=[("called by", calls.calls[function][0])],
                    hint="call a private function that does the same instead, or leave "
                    "public functions as they are",
                )
            types[i] = _parameter_type(function, i, output)
        elif is_.kind is ReturnedKind.NEW:
            types[i] = _parameter_type(function, i, output)
        elif is_.kind is ReturnedKind.OTHER:
            kept.append(i)
    if len(kept) == len(returned):
        return None
    return _Plan(returned, types, kept)


def _parameter_type(
    function: func.FuncOp, result: int, type: MemRefType
) -> MemRefType[Attribute]:
    """The type of the argument that the result becomes: one that can be allocated."""
    if (allocated := _allocated_type(type)) is not None:
        return allocated
    raise BufferizationError(
        function,
        f"returns {type} as result #{result}: no caller can allocate that layout",
        hint=_WITHOUT_LAYOUT,
    )


_WITHOUT_LAYOUT = (
    "return a memref without a layout, or one whose strides and offset are unknown; "
    "one-shot-bufferize makes such functions with the option "
    "function-boundary-type-conversion=identity-layout-map"
)


def _allocated_type(type: MemRefType) -> MemRefType[Attribute] | None:
    """The type of an allocation that can be cast to the type; `None` if there is none."""
    if has_identity_layout(type):
        return type
    allocated = identity_type(type, type.memory_space)
    if isinstance(allocated, MemRefType) and is_cast_guaranteed(allocated, type):
        return allocated
    return None


def _with_known_sizes(
    plans: Mapping[func.FuncOp, _Plan],
    calls: CallGraph,
    returned: Mapping[func.FuncOp, Sequence[Returned]],
) -> dict[func.FuncOp, _Plan]:
    """The plans, in which results stay if callers cannot compute their sizes."""
    if _are_static(plans):
        return dict(plans)
    needed = sizes_needed(calls, returned, plans)
    found: dict[func.FuncOp, _Plan] = {}
    for function, plan in plans.items():
        unknown = {
            i
            for i, type in plan.types.items()
            if not type.has_static_shape() and needed[function][i] is None
        }
        if len(plan.kept) + len(unknown) < len(plan.returned):
            types = {i: t for i, t in plan.types.items() if i not in unknown}
            found[function] = _Plan(
                plan.returned, types, sorted({*plan.kept, *unknown})
            )
    return found


def _remark_on_kept(
    plans: Mapping[func.FuncOp, _Plan],
    calls: CallGraph,
    returned: Mapping[func.FuncOp, Sequence[Returned]],
) -> None:
    """Print a remark about each memref that a public function still returns."""
    for function in calls.calls:
        plan = plans.get(function)
        if is_private(function) or not function.body.blocks:
            continue
        for i, output in enumerate(function.function_type.outputs):
            kind = returned[function][i].kind
            if (
                (plan is not None and i not in plan.kept)
                or not is_memref_type(output)
                or kind is ReturnedKind.NEVER
            ):
                continue
            hint = ""
            if not calls.may_change(function):
                reason = "ops other than func.call use the function"
            elif not isinstance(output, MemRefType):
                reason = "its rank is not known"
            elif _allocated_type(output) is None:
                reason, hint = "no caller can allocate that layout", _WITHOUT_LAYOUT
            elif kind is ReturnedKind.OTHER and calls.calls[function]:
                reason = "it may share memory with something that a caller sees"
            else:
                reason = "its sizes do not follow from the arguments"
                hint = "give the function the sizes as arguments"
            print_remark(
                function, f"still returns {output} as result #{i}: {reason}", hint=hint
            )


def _are_static(plans: Mapping[func.FuncOp, _Plan]) -> bool:
    return all(
        type.has_static_shape()
        for plan in plans.values()
        for type in plan.types.values()
    )


def _check_sizes(
    plans: Mapping[func.FuncOp, _Plan],
    calls: CallGraph,
    returned: Mapping[func.FuncOp, Sequence[Returned]],
) -> None:
    """
    Raises `BufferizationError` if a caller cannot compute the sizes of what it allocates.
    """
    if _are_static(plans):
        return
    needed = sizes_needed(calls, returned, plans)
    for function, plan in plans.items():
        for result, type in plan.types.items():
            if not type.has_static_shape() and needed[function][result] is None:
                for call in calls.calls[function]:
                    raise BufferizationError(
                        call,
                        f"returns {type} as result #{result}, whose sizes its arguments do "
                        "not tell, so that it cannot be allocated before",
                        related=[("called function", function)],
                        hint="compute the sizes in the caller, and give them to the "
                        "function as arguments",
                    )


def _change_call(call: func.CallOp, plan: _Plan) -> None:
    builder = builder_for(call, InsertPoint.before(call))
    new_values = {i: plan.allocate(call, i, builder) for i in plan.types}
    new = rebuild_call(call, [*new_values.values()], plan.kept)
    new_values.update(zip(plan.kept, new.results, strict=True))
    results: list[SSAValue] = []
    for i, (old, is_) in enumerate(zip(call.results, plan.returned, strict=True)):
        match is_.kind:
            case ReturnedKind.ARGUMENT:
                value = call.operands[is_.index]
            case ReturnedKind.AGAIN:
                value = results[is_.index]
            case _:
                value = new_values[i]
        results.append(cast_to(builder, value, old.type))
    replace_call(call, results)
