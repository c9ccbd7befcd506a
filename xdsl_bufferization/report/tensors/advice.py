"""Advice to the author of a program: how to avoid a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import ConstantLike, IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.dense.elements import splat_element
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.report.tensors.experiments import Edit
from xdsl_bufferization.report.tensors.reasons import Explainer, repeating_loop
from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.call_graph import is_return
from xdsl_bufferization.support.donation import ALIASING_RESULT, donated_arguments
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import (
    ancestor_in,
    block_of,
    passes_tensors_to_regions,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.effects import is_pure
from xdsl_bufferization.tensors.op_order import OpOrder


@dataclass(frozen=True, slots=True)
class Advice:
    """Changes of a program that avoid a copy, or the reason why none is known."""

    ways: Sequence[str] = ()
    """Ways to avoid it, in sentences."""
    needed: str = ""
    """Without ways: why the program, as it is, needs it; a clause."""
    is_agreed: bool = False
    """Whether function and callers have agreed on which memory a result is in."""
    move: Edit | None = None
    """To move ops that read the old contents before the write, which has yet to be tried."""


_DONATED = Advice(needed="that memory is donated for the other result", is_agreed=True)


class Adviser(Explainer):
    """Advice about the copies in a trial."""

    def __init__(self, trial: Trial):
        super().__init__(trial)
        self._order = OpOrder(Changes())

    def ways_for_operand(self, operand: TensorOperand, reason: Reason | None) -> Advice:
        """How to get an operand in place."""
        match reason:
            case Conflict():
                return self._ways_at_conflict(reason)
            case NotWritable(value):
                return self._ways_to_write(value)
            case Race():
                return _way(
                    "Hand the tensor to the region, as scf.forall does with shared_outs, "
                    "and write a part of its own in each run, as "
                    "tensor.parallel_insert_slice does."
                )
            case None:
                return _way(
                    "Leave it to the analysis: without copy-before-write, and with the "
                    "function out of no-analysis-func-filter."
                )

    def ways_to_forward(self, copy: ForwardedCopy) -> Advice:
        """How to forward a value without a copy."""
        if copy.destination is None:
            return _DONATED
        name = self._trial.value_name(copy.destination)
        way = f"Make what {op_name(copy.terminator)} hands over from {name}, in place"
        if is_return(copy.terminator):
            way = f"{way}, once nothing reads {name} any more."
            return Advice((way,), is_agreed=True)
        return _way(f"{way}.")

    def ways_to_return(self, op: Operation, memory: SSAValue) -> Advice:
        """How to return a result, which is in `memory`, without a copy."""
        function = op.parent_op()
        is_donated = (
            function is not None
            and isinstance(memory, BlockArgument)
            and memory.index in donated_arguments(function).values()
        )
        return _DONATED if is_donated else Advice()

    def ways_without_copy(self, op: Operation) -> Advice:
        """How to avoid a copy that an op itself makes."""
        insertion = SubsetInsertionOpInterface.of(op)
        if insertion is None:
            return Advice()
        source = op.operands[insertion.source_operand(op)].owner
        if (
            not isinstance(source, Operation)
            or DestinationStyleOpInterface.of(source) is None
        ):
            return Advice()
        return _way(
            f"Compute the source where it is inserted: give {self.named(source)} a "
            "tensor.extract_slice of the destination, of the same place and sizes, as its "
            "destination."
        )

    def _ways_at_conflict(self, conflict: Conflict) -> Advice:
        reader, writer = conflict.read.owner, conflict.write.owner
        loop = repeating_loop(conflict.read, conflict.definition)
        if loop is not None and loop.encloses(writer.enter):
            return self._carry(loop, conflict)
        if conflict.read is conflict.write:
            value = self._trial.value_name(conflict.read.value.value)
            return _way(
                f"If runs of the block may build on each other, hand {value} to it as an "
                "argument, and what is written to its next run."
            )
        if reader is writer:
            name = op_name(writer.op)
            if passes_tensors_to_regions(writer.op):
                return Advice(
                    needed=f"{name} needs memory for each tensor that it carries"
                )
            if not conflict.read.reads:
                return Advice(
                    needed=f"{name} needs memory for each tensor that it writes"
                )
            starts = "starts from these contents, and " if conflict.write.reads else ""
            return Advice(
                needed=f"{name} {starts}reads them as operand #{conflict.read.index} while it "
                "writes its destination, so that these are two buffers"
            )
        return self._read_first(conflict)

    def _carry(self, loop: OpInfo, conflict: Conflict) -> Advice:
        value = self._trial.value_name(conflict.read.value.value)
        reader = conflict.read.owner.op
        if reader is not conflict.write.owner.op and _is_invariant(reader, loop.op):
            return Advice(move=self._to_move([reader], loop.op))
        return _way(
            f"If runs of {self.named(loop.op)} may build on each other, make {value} an "
            "init of the loop, use the region's argument in its place, and yield what is "
            "written. If each run needs the contents from before the loop and writes few of "
            "them, take these with tensor.extract_slice, and write the slice."
        )

    def _read_first(self, conflict: Conflict) -> Advice:
        reader, writer = conflict.read.owner.op, conflict.write.owner.op
        value = self._trial.value_name(conflict.read.value.value)
        if reader.has_trait(IsTerminator, value_if_unregistered=False):
            return _way(
                f"{self.named(reader)} hands on {value} as it was before the write: if "
                "callers do not need that, hand on the result of the write only."
            )
        if conflict.read.writes:
            both = f"{self.named(writer)} and {self.named(reader)} both"
            if conflict.read.value is not conflict.write.value:
                return Advice(
                    needed=f"{both} write what may be one buffer, so that one of them "
                    "needs a copy"
                )
            return Advice(
                needed=f"{both} start from {value}, so that one of them needs a copy "
                "unless it goes on from the result of the other"
            )
        move = self._move(reader, writer)
        if move == "":
            return Advice(
                needed=f"{self.named(reader)} comes before {self.named(writer)} in the "
                "program, and runs after it to save memory or another copy"
            )
        if isinstance(move, Edit):
            return Advice(move=move)
        if DestinationStyleOpInterface.of(reader) is not None or _takes_a_part(
            conflict.read
        ):
            # It computes with all of it, or has taken no more than it needs.
            return Advice(
                needed=f"{self.named(reader)} needs the contents that "
                f"{self.named(writer)} overwrites, and cannot run before it"
            )
        return _way(
            f"{self.named(reader)} cannot be moved before {self.named(writer)}. If it "
            f"needs little of {value}, take that before, as with tensor.extract or "
            "tensor.extract_slice."
        )

    def _to_move(self, ops: Sequence[Operation], before: Operation) -> Edit | None:
        """A move of ops before another one; the first op needs the others."""
        places = [self._trial.origin(op) for op in (*ops, before)]
        *moved, target = dict.fromkeys(op for op in places if op is not None)
        if len(moved) < len(ops) or any(op.is_ancestor(target) for op in moved):
            return None
        first, *others = map(self.named, ops)
        what = f", with what it needs: {', '.join(others)}" if others else ""

        def make(clones: Mapping[Operation, Operation]) -> None:
            for op in (*moved[1:], moved[0]):
                clones[op].detach()
                block_of(clones[target]).insert_op_before(clones[op], clones[target])

        return Edit(f"Move {first} before {self.named(before)}{what}", make)

    def _move(self, reader: Operation, writer: Operation) -> Edit | str | None:
        """
        To move the read before the write, if it does not depend on the write; empty if the
        passes before bufferization have moved it from there.
        """
        region = _common_region(reader, writer)
        if region is None:
            return None
        later, first = ancestor_in(region, reader), ancestor_in(region, writer)
        if (
            later is None
            or first is None
            or later.parent is not first.parent
            or self._order.position(later) < self._order.position(first)
        ):
            return None
        needed = self._order.ops_to_hoist(later, first)
        if needed is None:
            return None
        line, other = self._trial.line(later), self._trial.line(first)
        if line is not None and other is not None and line < other:
            return ""
        others = sorted(needed - {later}, key=self._order.position)
        return self._to_move([later, *others], first)

    def _ways_to_write(self, info: ValueInfo) -> Advice:
        owner = info.value.owner
        name = self._trial.value_name(info.value)
        if isinstance(owner, Block):
            parent = owner.parent_op()
            if isinstance(parent, func.FuncOp):
                if self._trial.keeps_arguments:
                    return _way(
                        f"If callers do not need {name} as it was, give the argument "
                        f"bufferization.writable = true, or {ALIASING_RESULT} if a result "
                        "is to be in its memory."
                    )
                return _way(
                    f"If callers do not need {name} as it was, let the function write it: "
                    "without bufferization.writable = false, and with "
                    "bufferize-function-boundaries=true."
                )
            return _way(
                f"Let what hands over {name} hand over memory that may be written."
            )
        if op_name(owner) == "bufferization.to_tensor":
            return _way(
                "If the memref is not needed as it was, say so: bufferization.to_tensor "
                "with restrict and writable."
            )
        if owner.has_trait(ConstantLike, value_if_unregistered=False):
            if _is_splat(owner):
                return _way(
                    f"All elements of {name} are the same: start from linalg.fill of "
                    "tensor.empty, which writes what the copy would."
                )
            return Advice(
                needed="constants must not be written; only if all of it is written before "
                "it is read, tensor.empty can take its place"
            )
        return _way(
            f"Let {self.named(owner)} hand over memory that may be written, if it can."
        )


def _way(sentence: str) -> Advice:
    return Advice((sentence,))


def _takes_a_part(reader: TensorOperand) -> bool:
    op, model = reader.owner.op, reader.owner.model
    return SubsetExtractionOpInterface.of(op) is not None or (
        model is not None and model.read_part(op, reader.index) is not None
    )


def _is_invariant(op: Operation, loop: Operation) -> bool:
    """Whether the op is pure, and its operands are defined outside of the loop."""
    return (
        not op.regions
        and is_pure(op)
        and not any(loop.is_ancestor(operand.owner) for operand in op.operands)
    )


def _is_splat(constant: Operation) -> bool:
    value = constant.properties.get("value")
    return isa(value, DenseIntOrFPElementsAttr) and splat_element(value) is not None


def _common_region(a: Operation, b: Operation) -> Region | None:
    """The innermost region that both ops are in."""
    around = {*_regions(a)}
    return next((region for region in _regions(b) if region in around), None)


def _regions(op: Operation) -> Iterator[Region]:
    """The regions around the op, from the innermost on."""
    around: Operation | None = op
    while around is not None and (region := around.parent_region()) is not None:
        yield region
        around = region.parent
