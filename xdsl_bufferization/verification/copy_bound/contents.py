"""
Bytes of each tensor that matter: *valuable* if neither undefined nor cheap to compute again, and
*needed* if an op reads them. Both are lower bounds.

    %e = tensor.empty() : tensor<8xf32>                   // 0 valuable bytes
    %z = linalg.fill ins(%f) outs(%e)                     // 0, as it can be filled again
    %m = linalg.exp ins(%x) outs(%z) : tensor<8xf32>      // 32
    %s = tensor.extract_slice %m[0] [2] [1]               // makes 8 bytes of %m needed

Valuable is a greatest fixed point over loops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.contents import (
    InsertionsOpInterface,
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.support.call_graph import is_function, is_return
from xdsl_bufferization.support.limits import MAX_LOOP_ROUNDS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import op_result
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.copy_bound.links import (
    Forwarding,
    Link,
    LinkKind,
    Links,
    Operand,
    Sizes,
    common,
)

NeededByCallee: TypeAlias = Callable[[func.CallOp, int], int]
"""The bytes that a function that is called needs of an argument."""


class Contents:
    """The bytes that matter of the tensors of a program."""

    def __init__(
        self,
        links: Links,
        forwarding: Forwarding,
        needed_by_callee: NeededByCallee,
        sizes: Sizes,
    ):
        self._sizes = sizes
        self._links = links
        self._forwarding = forwarding
        self._needed_by_callee = needed_by_callee
        self._is_cheap: dict[Operation, bool] = {}
        self._valuable: dict[SSAValue, int] = {}
        self._needed: dict[SSAValue, int] = defaultdict(int)
        self._find_valuable()
        for op in reversed(links.ops):
            for operand in links.operands(op):
                value = operand.value
                self._needed[value] = max(self._needed[value], self.needed_by(operand))

    def valuable(self, value: SSAValue) -> int:
        """The bytes that are defined and that nothing but a copy or their op can make."""
        return self._valuable.get(value, 0)

    def needed(self, value: SSAValue) -> int:
        """The bytes that some op reads, or that are returned."""
        return self._needed.get(value, 0)

    def needed_by(self, operand: Operand) -> int:
        """The bytes of the operand that its op reads, or passes on to where they are needed."""
        op, value = operand.op, operand.value
        size = self._sizes.of(value)
        if (link := self._links.link(operand)) is not None:
            return min(size, self._needed_in_result(link, size))
        if is_return(op):
            return size
        if isinstance(op, func.CallOp):
            return min(size, self._needed_by_callee(op, operand.index))
        if operand in self._links.read_parts and self._is_used(op):
            part = self._links.read_parts[operand]
            return size if part is None else size - self._sizes.outside(part, value)
        targets = self._forwarding.targets.get(operand, ())
        return min(size, max(map(self.needed, targets), default=0))

    def used(self, operand: Operand) -> int:
        """The bytes of the operand that are valuable and needed by its op."""
        value = operand.value
        return common(
            self.valuable(value), self.needed_by(operand), self._sizes.of(value)
        )

    def why_worthless(self, value: SSAValue) -> str:
        """
        Why no bufferization has to keep the contents of a tensor that is no view: a clause;
        empty if it is not known to be so.
        """
        if not isinstance(value, OpResult):
            return ""
        if self._is_cheap.get(value.op):
            return f"what {op_name(value.op)} computes is cheap to compute again"
        model = BufferizableOpInterface.of(value.op)
        if (
            model is not None
            and model.defines_contents(value.op, value) is False
            and not any(map(is_tensor, value.op.operands))
        ):
            return f"{op_name(value.op)} leaves the contents undefined"
        return ""

    def moved(self, link: Link) -> int:
        """
        The bytes of the operand that are valuable, needed in the result and the same there.
        """
        value, result = link.operand.value, link.result
        size, valuable = self._sizes.of(value), self.valuable(value)
        if link.kind is not LinkKind.UPDATE or link.part is None:
            return self.used(link.operand)
        outside = self._sizes.outside(link.part, value)
        return common(
            common(valuable, outside, size),
            common(self.needed(result), outside, size),
            outside,
        )

    def is_lost(self, link: Link) -> bool:
        """Whether the op of the link overwrites something valuable of its operand."""
        value = link.operand.value
        kept = 0 if link.part is None else self._sizes.outside(link.part, value)
        return self.valuable(value) > kept

    def defines_rest(self, link: Link) -> bool:
        """Whether the op of the link, which puts one tensor into another, fills the rest."""
        return InsertionsOpInterface.of(link.operand.op) is not None

    # Needed ------------------------------------------------------------------------------

    def _needed_in_result(self, link: Link, size: int) -> int:
        if not link.operand.op.results:
            return size
        needed = self.needed(link.result)
        match link.kind:
            case LinkKind.VIEW:
                return needed
            case LinkKind.PART:
                return common(needed, size, self._sizes.of(link.result))
            case LinkKind.UPDATE:
                if link.part is None:
                    return size if self._is_used(link.operand.op) else 0
                return common(needed, self._sizes.outside(link.part, link.result), size)

    def _is_used(self, op: Operation) -> bool:
        return not op.results or any(
            self.needed(result) if is_tensor(result) else result.first_use is not None
            for result in op.results
        )

    # Valuable ----------------------------------------------------------------------------

    def _find_valuable(self) -> None:
        """A greatest fixed point: loops carry what is valuable in each iteration."""
        for op in self._links.ops:
            for value in _defined(op):
                self._valuable[value] = self._sizes.of(value)
        round, changed = 0, True
        while changed:
            changed = False
            round += 1
            for op in self._links.ops:
                for value in _defined(op):
                    found = self._value_of(value)
                    if found < self._valuable[value]:
                        carried = isinstance(value, BlockArgument)
                        if carried and MAX_LOOP_ROUNDS.exceeded_by(round):
                            found = 0
                        self._valuable[value] = found
                        changed = True

    def _value_of(self, value: SSAValue) -> int:
        if isinstance(value, BlockArgument):
            function = value.block.parent_op()
            if function is not None and is_function(function):
                first = function.regions[0].blocks.first
                return self._sizes.of(value) if value.block is first else 0
            return self._value_of_sources(value)
        result = op_result(value)
        if result.op.regions and result in self._forwarding.sources:
            return self._value_of_sources(result)
        return min(self._sizes.of(result), self._value_of_result(result))

    def _value_of_sources(self, value: SSAValue) -> int:
        sources = self._forwarding.sources.get(value, ())
        values = [self.valuable(source) for source in sources]
        return min((self._sizes.of(value), *values)) if values else 0

    def _value_of_result(self, result: OpResult) -> int:
        op = result.op
        if op not in self._is_cheap:
            again = RematerializationOpInterface.of(op)
            cheap = again is not None and again.bytes_read(op) is not None
            self._is_cheap[op] = cheap
        if self._is_cheap[op]:
            return 0
        links = self._links.to_result.get(result, ())
        if links and all(link.kind is LinkKind.VIEW for link in links):
            (link,) = links
            value = link.operand.value
            return common(
                self.valuable(value), self._sizes.of(result), self._sizes.of(value)
            )
        if any(link.kind is LinkKind.PART for link in links):
            return sum(map(self._kept, links))
        insertion = SubsetInsertionOpInterface.of(op)
        if insertion is not None:
            source = op.operands[insertion.source_operand(op)]
            return self.valuable(source) if is_tensor(source) else 0
        if any(link.part is not None for link in links):
            return sum(map(self._kept, links))
        return self._sizes.of(result) if _computes(op, result) else 0

    def _kept(self, link: Link) -> int:
        """The valuable contents of the operand that the result still has."""
        value = link.operand.value
        if link.kind is LinkKind.UPDATE and link.part is not None:
            outside = self._sizes.outside(link.part, value)
            return common(self.valuable(value), outside, self._sizes.of(value))
        return self.valuable(value)


def _computes(op: Operation, result: OpResult) -> bool:
    """Whether the op is known to compute what the result contains."""
    model = BufferizableOpInterface.of(op)
    if model is None or model.defines_contents(op, result) is False:
        return False
    style = DestinationStyleOpInterface.of(op)
    if style is not None:
        return True
    if op.regions and RegionBranchOpInterface.of(op) is not None:
        return False
    if op.has_trait(ConstantLike, value_if_unregistered=False):
        return True
    return model.allocates(op, result) or op.name == "bufferization.to_tensor"


def _defined(op: Operation) -> Iterator[SSAValue]:
    """The tensors that the op defines: its results and the arguments of its blocks."""
    for region in op.regions:
        for block in region.blocks:
            yield from filter(is_tensor, block.args)
    yield from filter(is_tensor, op.results)
