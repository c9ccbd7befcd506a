"""
The memory of functions as decided: what a bufferization allocates, copies and keeps alive.

All of that follows from the tensor program: which operands are copied, which memory each
model says its op needs, and in which order ops run. Takes time linear in the program, and for
each buffer in proportion to the values that it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.limits import MAX_TYPE_ROUNDS
from xdsl_bufferization.support.memref_types import DEFAULT_SPACE
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_memref_type,
    is_tensor_type,
)
from xdsl_bufferization.tensors.costs.buffer_types import SpaceOf, space_of_buffer
from xdsl_bufferization.tensors.costs.buffer_uses import BufferUses
from xdsl_bufferization.tensors.costs.decided_buffers import DecidedBuffers
from xdsl_bufferization.tensors.costs.figures import Copies, Cost, moves_of
from xdsl_bufferization.tensors.costs.live_ranges import LiveRanges
from xdsl_bufferization.tensors.costs.profile import Allocation, Profile, profiles


class DecidedFunction:
    """A function with a body that has been analysed, and the memory that it will need."""

    def __init__(
        self,
        function: func.FuncOp,
        analysis: BufferizationAnalysis,
        uses: BufferUses,
        space_of: SpaceOf,
        spaces_of_results: Sequence[Attribute],
    ):
        self.function = function
        self.analysis = analysis
        self.uses = uses
        """The uses of its buffers."""
        self.allocations: Sequence[Allocation] = [
            *LiveRanges(function, uses, space_of).allocations()
        ]
        """The memory of known size that it allocates."""
        self.profiles: Mapping[Attribute, Profile] = profiles(self.allocations)
        """The same by memory space."""
        self.spaces_of_results = spaces_of_results
        """The memory space of each result that is a buffer."""
        self._moves = moves_of(function, uses.bytes, _ops_of(function, analysis))

    @property
    def profile(self) -> Profile:
        """The memory of the default memory space."""
        return self.profiles.get(DEFAULT_SPACE) or Profile()

    @property
    def copies(self) -> Copies:
        """The copies that are made."""
        return self.uses.copies

    @cached_property
    def cost(self) -> Cost:
        """Copies, peaks and moves."""
        peaks = {space: of.peak_of_sizes for space, of in self.profiles.items()}
        return Cost(self.copies, peaks, self._moves)


def _ops_of(
    function: func.FuncOp, analysis: BufferizationAnalysis
) -> Iterable[Operation]:
    """The ops of the function with tensors or regions."""
    info = analysis.program.info(function)
    return () if info is None else (o.op for o in analysis.program.ops_within(info))


def _spaces_of_results(function: func.FuncOp, space_of: SpaceOf) -> Sequence[Attribute]:
    end = next(iter(returns_of(function)), None)
    return [
        DEFAULT_SPACE if end is None else space_of_buffer(end.operands[index], space_of)
        for index, type in enumerate(function.function_type.outputs)
        if is_memref_type(type) or is_tensor_type(type)
    ]


def decided_functions(one_shot: OneShotBufferization) -> Sequence[DecidedFunction]:
    """The functions that have been analysed, callees first, with the memory that they will need."""
    forwarded: dict[Operation, list[ForwardedCopy]] = {}
    for copy in one_shot.forwarded_copies:
        forwarded.setdefault(copy.terminator, []).append(copy)
    space_of = one_shot.memory_space_of()
    infers = one_shot.options.function_boundary_type_conversion is LayoutMapOption.INFER
    results: dict[func.FuncOp, Callable[[int], MemRef]] = {}
    found: list[DecidedFunction] = []
    for analysis in one_shot.analyses:
        for info in analysis.program.ops:
            if not isinstance(function := info.op, func.FuncOp):
                continue
            if not function.body.blocks:
                continue
            buffers = _decided_buffers(
                function, analysis, forwarded, one_shot, space_of, results
            )
            if infers and function not in one_shot.call_graph.recursive:
                results[function] = buffers.result_type
            spaces = _spaces_of_results(
                function, space_of if infers else lambda _: None
            )
            found.append(
                DecidedFunction(function, analysis, buffers.uses, space_of, spaces)
            )
    return found


def _decided_buffers(
    function: func.FuncOp,
    analysis: BufferizationAnalysis,
    forwarded: Mapping[Operation, Sequence[ForwardedCopy]],
    one_shot: OneShotBufferization,
    space_of: SpaceOf,
    results: Mapping[func.FuncOp, Callable[[int], MemRef]],
) -> DecidedBuffers:
    """
    The buffers of a function, followed again while a loop is found to carry buffers of different
    types.
    """
    differing: set[SSAValue] = set()
    follow = partial(
        DecidedBuffers,
        function,
        analysis,
        forwarded,
        one_shot,
        space_of,
        results,
        differing,
    )
    buffers, known = follow(), 0
    for _ in MAX_TYPE_ROUNDS.steps():
        if len(differing) == known:
            break
        known = len(differing)
        buffers = follow()
    return buffers
