"""
Functions write what they return to memory of their callers.

Source: the pass `buffer-results-to-out-params` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes

The allocations of returned memory that callers can make instead of the function.

The caller's memory exists during the whole call, and contains the result when the function
returns. So it can replace an allocation that is executed at most once, is not freed, and is
returned as one result only, directly and as a whole: then copies to the memory of other
results still read the right contents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.memref import AllocOp, CopyOp
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.returned_buffers import (
    BufferOrigins,
    Returned,
    ReturnedKind,
    returned_buffers,
)
from xdsl_bufferization.memrefs.calling_conventions.signatures import (
    add_arguments,
    change_call,
    check_donated_arguments,
    drop_results,
    result_attributes,
)
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
from xdsl_bufferization.support.regions import block_loops
from xdsl_bufferization.support.shaped_types import is_memref_type

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
        CallerSizes,
        ResultSizes,
    )


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
    flows = MemrefFlows(module)
    calls = flows.calls
    check_donated_arguments(flows)
    plans = _Planner(flows, options).plans()
    if options.only_where_possible and options.modify_public_functions:
        _remark_on_kept(plans, calls)
    for functions in calls.callees_first():
        changing = {
            f: plan
            for f in functions
            if len((plan := plans[f]).kept) < len(plan.returned)
        }
        for function, plan in changing.items():
            plan.measure(function, calls)
        for function, plan in changing.items():
            flows.will_change([function])
            _change_function(function, plan, options, flows)
        for function, plan in changing.items():
            for call in calls.calls[function]:
                builder = builder_for(call)
                memory = {i: plan.allocate(call, i, builder) for i in plan.types}
                change_call(call, plan.returned, [*plan.kept], memory)


def _change_function(
    function: func.FuncOp, plan: _Plan, options: OutParamOptions, flows: MemrefFlows
) -> None:
    parameters = add_arguments(
        function,
        [*plan.types.values()],
        [_attributes(function, i, options) for i in plan.types],
    )
    by_result = dict(zip(plan.types, parameters, strict=True))
    if options.hoist_static_allocs or options.hoist_dynamic_allocs:
        _hoist(function, plan, by_result, options, flows)
    for op in all_returns(function):
        builder = builder_for(op)
        for result, parameter in by_result.items():
            value = op.operands[result]
            if without_casts(value) is not parameter:
                builder.insert(CopyOp(value, parameter))
    drop_results(function, [*plan.kept])


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
    flows: MemrefFlows,
) -> None:
    """Use the arguments instead of allocations of the function."""
    results = [i for i in parameters if _may_hoist(plan, i, options)]
    for result, alloc in _hoistable(function, plan, results, flows):
        plan.align(result, alloc.alignment)
        alloc.memref.replace_all_uses_with(parameters[result])
        Rewriter.erase_op(alloc)


def _hoistable(
    function: func.FuncOp, plan: _Plan, results: Sequence[int], flows: MemrefFlows
) -> Iterator[tuple[int, memref.AllocOp]]:
    """
    The allocations that callers can make, with the result that each is. Those of one result can all
    be replaced by the same memory. They may be replaced meanwhile.
    """
    if not results:
        return
    returns, repeated = all_returns(function), block_loops(function.body)
    origins = BufferOrigins(function, flows)
    frees = flows.effects.frees(origins.flow.position)
    freed = origins.of([value for _, value in frees])
    returned_as = Counter[SSAValue]()
    """By memref, the number of results that it may alias."""
    copied: set[tuple[SSAValue, int]] = set()
    """Memrefs, and the results that they may alias without being returned directly."""
    for result, type in enumerate(function.function_type.outputs):
        if is_memref_type(type) and not plan.is_known_to_caller(result):
            values = [without_casts(op.operands[result]) for op in returns]
            returned_as.update(origins.of(values).keys())
            others = [v for v in values if not isinstance(v.owner, memref.AllocOp)]
            copied.update((value, result) for value in origins.of(others))
    for result in results:
        found: dict[memref.AllocOp, bool] = {}
        """By allocation, whether all returns of it are in its block."""
        for op in returns:
            value = without_casts(op.operands[result])
            alloc = value.owner
            if (
                isinstance(alloc, memref.AllocOp)
                and value.type == plan.types[result]
                and not alloc.symbol_operands
                and alloc.parent not in repeated
                and value not in freed
                and returned_as[value] == 1
                and (value, result) not in copied
            ):
                found[alloc] = found.get(alloc, True) and op.parent is alloc.parent
        # It may be live when another one is executed.
        number = None if all(found.values()) else 1
        for alloc in [*found][:number]:
            yield result, alloc


def _may_hoist(plan: _Plan, result: int, options: OutParamOptions) -> bool:
    if plan.returned[result].kind is not ReturnedKind.NEW:
        return False
    if plan.types[result].has_static_shape():
        return options.hoist_static_allocs
    return options.hoist_dynamic_allocs and result in plan.sizes


class _Kept(NamedTuple):
    """Why a result stays a result."""

    reason: str
    hint: str = ""


_NO_MEMORY = _Kept("it is no memref, or never returned")
_USED = _Kept("ops other than func.call use the function")
_UNRANKED = _Kept("its rank is not known")
_SHARED = _Kept("it may share memory with something that a caller sees")
_LAYOUT = _Kept(
    "no caller can allocate that layout",
    "return a memref without a layout, or one whose strides and offset are unknown; "
    "one-shot-bufferize makes such functions with the option "
    "function-boundary-type-conversion=identity-layout-map",
)
_UNKNOWN_SIZES = _Kept(
    "its sizes do not follow from the arguments",
    "give the function the sizes as arguments",
)


@dataclass
class _Plan:
    """The future of the results of a function, by their indices."""

    returned: Sequence[Returned]
    types: Mapping[int, MemRefType[Attribute]]
    """The types of the arguments that results become."""
    kept: Mapping[int, _Kept]
    """Those that stay results, in their order."""
    sizes: Mapping[int, CallerSizes] = field(
        default_factory=dict[int, "CallerSizes"], init=False
    )
    """The dynamic sizes of the arguments, as far as they are known."""
    alignments: dict[int, IntegerAttr] = field(
        default_factory=dict[int, IntegerAttr], init=False
    )
    """Alignment of hoisted allocations, in bytes."""

    def is_known_to_caller(self, result: int) -> bool:
        """Whether the result is an argument or an earlier result."""
        kinds = ReturnedKind.AGAIN, ReturnedKind.ARGUMENT
        return self.returned[result].kind in kinds

    def measure(self, function: func.FuncOp, calls: CallGraph) -> None:
        """Find the sizes, after callees have been changed."""
        if dynamic := _dynamic(self.types):
            self.sizes = _result_sizes(calls).of(function, dynamic)

    def align(self, result: int, alignment: IntegerAttr | None) -> None:
        """Align what is allocated for the result at least like this."""
        known = self.alignments.get(result)
        if alignment is not None and (
            known is None or alignment.value.data > known.value.data
        ):
            self.alignments[result] = alignment

    def allocate(self, call: func.CallOp, result: int, builder: Builder) -> SSAValue:
        """Allocate the memory that the call writes the result to."""
        sizes: Sequence[SSAValue] = ()
        if result in self.sizes:
            sizes = self.sizes[result].computed(call.operands, builder)
        alignment = self.alignments.get(result)
        alloc = AllocOp(sizes, (), self.types[result], alignment)
        alloc.memref.name_hint = call.results[result].name_hint
        return builder.insert(alloc).memref


class _Planner:
    """Decides which results of the functions of a module become arguments."""

    def __init__(self, flows: MemrefFlows, options: OutParamOptions):
        self._calls = flows.calls
        self._options = options
        self._returned = returned_buffers(flows)

    @cached_property
    def _sizes(self) -> ResultSizes:
        return _result_sizes(self._calls)

    def plans(self) -> Mapping[func.FuncOp, _Plan]:
        """The plans of all functions."""
        return {
            function: self._plan(function)
            for functions in self._calls.callees_first()
            for function in functions
        }

    def _plan(self, function: func.FuncOp) -> _Plan:
        """
        The future of the results. Raises `BufferizationError` if one cannot become an argument,
        unless these are kept.
        """
        returned, donated = self._returned[function], donated_arguments(function)
        types: dict[int, MemRefType[Attribute]] = {}
        kept: dict[int, _Kept] = {}
        for i, output in enumerate(function.function_type.outputs):
            kind = returned[i].kind
            # Callers have it already.
            is_dropped = i in donated or (
                is_private(function)
                and kind in (ReturnedKind.ARGUMENT, ReturnedKind.AGAIN)
            )
            why = self._why_kept(function, output, kind, is_dropped=is_dropped)
            if why is not None:
                kept[i] = why
            elif not is_dropped and (allocated := _allocated_type(output)) is not None:
                types[i] = allocated
        if dynamic := _dynamic(types):
            unknown = dynamic - self._sizes.of(function, dynamic).keys()
            kept.update(dict.fromkeys(unknown, _UNKNOWN_SIZES))
        if not self._options.only_where_possible:
            for i, why in kept.items():
                self._refuse(function, i, why)
            kept = {i: why for i, why in kept.items() if why is not _UNKNOWN_SIZES}
        types = {i: type for i, type in types.items() if i not in kept}
        return _Plan(returned, types, dict(sorted(kept.items())))

    def _why_kept(
        self,
        function: func.FuncOp,
        output: Attribute,
        kind: ReturnedKind,
        *,
        is_dropped: bool,
    ) -> _Kept | None:
        """Why a result stays a result, whatever its sizes are; `None` if it does not."""
        private = is_private(function)
        if not is_memref_type(output) or kind is ReturnedKind.NEVER:
            return _NO_MEMORY
        if not self._calls.may_change(function) or not (
            private or self._options.modify_public_functions
        ):
            return _USED
        if not isinstance(output, MemRefType):
            return _UNRANKED
        if is_dropped:
            return None
        if kind is ReturnedKind.OTHER and (private or self._calls.calls[function]):
            return _SHARED
        return _LAYOUT if _allocated_type(output) is None else None

    def _refuse(self, function: func.FuncOp, result: int, why: _Kept) -> None:
        """Raises `BufferizationError` if the result should not be kept for that reason."""
        type = function.function_type.outputs.data[result]
        calls = self._calls.calls[function]
        if why is _LAYOUT:
            raise BufferizationError(
                function,
                f"returns {type} as result #{result}: {why.reason}",
                hint=why.hint,
            )
        if why is _SHARED and not is_private(function):
            raise BufferizationError(
                function,
                f"returns result #{result}, which may share memory with something that a "
                "caller in the module sees: an argument of the function would not",
                related=[("called by", calls[0])],
                hint="call a private function that does the same instead, or leave "
                "public functions as they are",
            )
        if why is _UNKNOWN_SIZES and calls:
            raise BufferizationError(
                calls[0],
                f"returns {type} as result #{result}, whose sizes its arguments do "
                "not tell, so that it cannot be allocated before",
                related=[("called function", function)],
                hint="compute the sizes in the caller, and give them to the "
                "function as arguments",
            )


def _dynamic(types: Mapping[int, MemRefType[Attribute]]) -> AbstractSet[int]:
    """Those of the results whose sizes are known at run time only."""
    return {i for i, type in types.items() if not type.has_static_shape()}


def _result_sizes(calls: CallGraph) -> ResultSizes:
    # Most programs have no dynamic sizes.
    from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
        ResultSizes,
    )

    return ResultSizes(calls)


def _allocated_type(type: Attribute) -> MemRefType[Attribute] | None:
    """The type of an allocation that can be cast to the type; `None` if there is none."""
    if not isinstance(type, MemRefType):
        return None
    if has_identity_layout(type):
        return type
    allocated = identity_type(type, type.memory_space)
    if isinstance(allocated, MemRefType) and is_cast_guaranteed(allocated, type):
        return allocated
    return None


def _remark_on_kept(plans: Mapping[func.FuncOp, _Plan], calls: CallGraph) -> None:
    """Print a remark about each memref that a public function still returns."""
    for function in calls.calls:
        if is_private(function) or not function.body.blocks:
            continue
        for i, why in plans[function].kept.items():
            if why is not _NO_MEMORY:
                type = function.function_type.outputs.data[i]
                print_remark(
                    function,
                    f"still returns {type} as result #{i}: {why.reason}",
                    hint=why.hint,
                )
