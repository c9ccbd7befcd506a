"""
Costs from decisions: what a bufferization allocates, copies and keeps alive.

All of that follows from the tensor program: which operands are copied, which memory each
model says its op needs, and in which order ops run. Takes time linear in the program, and for
each buffer in proportion to the values that it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.limits import MAX_TYPE_ROUNDS
from xdsl_bufferization.support.memref_types import (
    DEFAULT_SPACE,
    is_identity_map,
    memory_space_of,
)
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    has_tensor_semantics,
    is_memref_type,
    is_tensor_type,
)
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.costs.buffer_types import (
    UnknownCostError,
    WrongTypeError,
)
from xdsl_bufferization.tensors.costs.buffer_uses import BufferUses
from xdsl_bufferization.tensors.costs.decided_buffers import DecidedBuffers
from xdsl_bufferization.tensors.costs.figures import Copies, FunctionCosts
from xdsl_bufferization.tensors.costs.live_ranges import (
    Allocation,
    LiveRanges,
    footprints_of,
)
from xdsl_bufferization.tensors.costs.moves import moves_of


class DecidedFunction(NamedTuple):
    """A function that has been analysed, and the memory that it will need."""

    function: func.FuncOp
    analysis: BufferizationAnalysis
    uses: BufferUses | None
    """The uses of its buffers; `None` if it has no tensors, no ops, or ops of unknown costs."""
    allocations: Sequence[Allocation] = ()
    """The memory of known size that it allocates."""


def costs_of_functions(
    functions: Iterable[DecidedFunction],
) -> Mapping[func.FuncOp, FunctionCosts]:
    """
    The costs of functions.

    Raises `UnknownCostError` if an op's costs are not known.
    """
    costs: dict[func.FuncOp, FunctionCosts] = {}
    for function, analysis, uses, allocations in functions:
        if not function.body.blocks:
            costs[function] = FunctionCosts(Copies(), (), _spaces(function))
        elif uses is None:
            costs[function] = _costs_without_tensors(function)
        else:
            costs[function] = FunctionCosts(
                uses.copies,
                [allocation.memory for allocation in allocations],
                _spaces(function),
                moves_of(function, uses.bytes, _ops_of(function, analysis)),
                footprints_of(allocations),
            )
    return costs


def _ops_of(
    function: func.FuncOp, analysis: BufferizationAnalysis
) -> Iterable[Operation]:
    """The ops of the function with tensors or regions."""
    info = analysis.program.info(function)
    return () if info is None else (o.op for o in analysis.program.ops_within(info))


def decided_functions(one_shot: OneShotBufferization) -> Sequence[DecidedFunction]:
    """
    The functions that have been analysed, callees first, with the memory that they will need.

    Raises `UnknownCostError` if no costs are known.
    """
    options = one_shot.options
    if (
        not options.bufferize_function_boundaries
        or options.must_infer_memory_space
        or options.use_encoding_for_memory_space
    ):
        raise UnknownCostError
    forwarded: dict[Operation, list[ForwardedCopy]] = {}
    for copy in one_shot.forwarded_copies:
        forwarded.setdefault(copy.terminator, []).append(copy)
    results: dict[func.FuncOp, Callable[[int], MemRef]] = {}
    found: list[DecidedFunction] = []
    for analysis in one_shot.analyses:
        for info in analysis.program.ops:
            if not isinstance(function := info.op, func.FuncOp):
                continue
            _verify_layouts(function)
            decided = DecidedFunction(function, analysis, None)
            if function.body.blocks:
                try:
                    buffers = _decided_buffers(
                        function, analysis, forwarded, one_shot, results
                    )
                except UnknownCostError:
                    pass
                else:
                    if (
                        options.function_boundary_type_conversion
                        is LayoutMapOption.INFER
                        and function not in one_shot.call_graph.recursive
                    ):
                        results[function] = buffers.result_type
                    allocations = [*LiveRanges(function, buffers.uses).allocations()]
                    decided = decided._replace(
                        uses=buffers.uses, allocations=allocations
                    )
            found.append(decided)
    return found


def _decided_buffers(
    function: func.FuncOp,
    analysis: BufferizationAnalysis,
    forwarded: Mapping[Operation, Sequence[ForwardedCopy]],
    one_shot: OneShotBufferization,
    results: Mapping[func.FuncOp, Callable[[int], MemRef]],
) -> DecidedBuffers:
    """The buffers of a function, by a few attempts at `DecidedBuffers`."""
    differing: set[SSAValue] = set()
    for _ in MAX_TYPE_ROUNDS.steps():
        try:
            return DecidedBuffers(
                function, analysis, forwarded, one_shot, results, differing
            )
        except WrongTypeError:
            # A loop carries buffers of different types.
            continue
    raise UnknownCostError


def _costs_without_tensors(function: func.FuncOp) -> FunctionCosts:
    """
    The costs of a function on memrefs, which the rewrite leaves as it is. Raises
    `UnknownCostError` if it has tensors.
    """
    if any(map(has_tensor_semantics, walk([function]))):
        raise UnknownCostError
    # Few functions have ops of unknown costs.
    from xdsl_bufferization.tensors.costs.rewritten import costs_on_buffers

    costs = costs_on_buffers(function, lambda op: op)
    # The order of ops on memrefs is not changed.
    costs.footprints = costs.cost.peaks
    return costs


def _verify_layouts(function: func.FuncOp) -> None:
    """Raises `UnknownCostError` for layouts that not each use of an argument allows."""
    for attributes in function.arg_attrs or ():
        layout = attributes.data.get(BUFFER_LAYOUT)
        if isinstance(layout, AffineMapAttr) and not is_identity_map(layout):
            raise UnknownCostError


def _spaces(function: func.FuncOp) -> Sequence[Attribute]:
    """The memory space of each result that is a memref."""
    return [
        memory_space_of(type) if is_memref_type(type) else DEFAULT_SPACE
        for type in function.function_type.outputs
        if is_memref_type(type) or is_tensor_type(type)
    ]
