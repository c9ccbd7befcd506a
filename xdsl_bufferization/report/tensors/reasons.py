"""The reasons for copies of tensors, in words, with the parts of the program involved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.tensors.codes import Code
from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.limits import MAX_ORIGINS
from xdsl_bufferization.support.names import op_name


@dataclass(frozen=True, slots=True)
class Explanation:
    """The code, the reason and the notes of a `Copy`; of a `Move`, the advice, too."""

    code: Code
    reason: str
    notes: Sequence[Note] = ()
    advice: Sequence[str] = ()


class Explainer:
    """Words for the decisions about a program."""

    def __init__(self, trial: Trial):
        self._trial = trial

    def named(self, op: Operation) -> str:
        """The op's name, that of its layer, and its line."""
        line, place = self._trial.line(op), self._trial.place(op)
        if line is None or place is None:
            return op_name(op)
        return f"{op_name(op)}{place.layer} (line {line})"

    def operand(self, operand: TensorOperand, reason: Reason | None) -> Explanation:
        """Why an operand is out of place."""
        match reason:
            case Conflict():
                return self._conflict(operand, reason)
            case NotWritable(value):
                return self._not_writable(operand, value)
            case Race(write, definition):
                return self._race(write, definition)
            case None:
                return Explanation(
                    Code.NOT_ANALYZED,
                    f"{op_name(operand.owner.op)} writes it, and the options ask for a "
                    "copy before each write",
                )

    def forwarded(self, copy: ForwardedCopy) -> Explanation:
        """Why a terminator forwards a copy."""
        terminator = copy.terminator
        parent = terminator.parent_op()
        if parent is not None and is_function(parent):
            return self._donated(copy, parent)
        if parent is None or copy.destination is None:
            return Explanation(
                Code.OTHER_BUFFER,
                f"{op_name(terminator)} has to hand over memory of its own",
            )
        expected = self._trial.value_name(copy.destination)
        return Explanation(
            Code.OTHER_BUFFER,
            f"{self.named(parent)} goes on with the buffer of {expected}, and "
            f"{op_name(terminator)} hands over another one",
            [Note("the loop whose buffer stays the same", self._trial.place(parent))],
        )

    def _donated(self, copy: ForwardedCopy, function: Operation) -> Explanation:
        """Why a function copies to a donated argument, or out of it."""
        if copy.destination is None:
            return Explanation(
                Code.NOT_IN_DONATED, "another result is returned in its memory"
            )
        argument = self._trial.value_name(copy.destination)
        place = self._trial.definition_place(copy.destination)
        return Explanation(
            Code.NOT_IN_DONATED,
            f"{op_name(function)} returns result #{copy.operand} in the memory of "
            f"{argument}, and it is in other memory",
            [Note("the argument donated for it", place)],
        )

    def returned(self, op: Operation, memory: SSAValue) -> Explanation:
        """Why a function returns a copy of `memory`."""
        whose = "may be theirs already, or the program's"
        parent = memory.owner.parent_op() if isinstance(memory, BlockArgument) else None
        if parent is not None and is_function(parent):
            name = f" %{memory.name_hint}" if memory.name_hint else ""
            whose = f"belongs to the argument{name}"
        return Explanation(
            Code.RETURNED,
            f"callers free what {op_name(op)} gives them, and this memory {whose}",
        )

    def own_copy(
        self, op: Operation, source: SSAValue, target: SSAValue
    ) -> Explanation:
        """Why an op itself copies from the memref `source` to `target`."""
        if source.type != target.type and not _copies(op):
            return Explanation(
                Code.OTHER_TYPE,
                f"{op_name(op)} needs a buffer of type {target.type}, and it is in one "
                f"of type {source.type}",
            )
        return Explanation(
            Code.PUT_ELSEWHERE, f"{op_name(op)} puts it into another buffer"
        )

    def _conflict(self, operand: TensorOperand, conflict: Conflict) -> Explanation:
        read, write = conflict.read, conflict.write
        reader, writer = read.owner, write.owner
        loop = repeating_loop(read, conflict.definition)
        does_write = f"{self.named(writer.op)} writes its memory in place"
        if operand.owner is writer:
            does_write = f"{op_name(writer.op)} would write it in place"
        code = Code.STILL_READ
        if read is write and loop is None:
            code = Code.READ_IN_NEXT_RUN
            why = (
                f"{does_write}, but reads it again when control comes back to its block"
            )
        elif reader is writer and loop is None:
            code = Code.READ_BY_WRITER
            does = "still reads" if read.reads else "also writes"
            why = f"{does_write} while it {does} it as operand #{read.index}"
        elif loop is not None and reader.enter <= writer.enter:
            code = Code.READ_IN_NEXT_RUN
            reads = "" if reader is writer else f"{self.named(reader.op)} "
            why = (
                f"{does_write}, but {reads}reads it again in the next run of "
                f"{self.named(loop.op)}"
            )
        else:
            why = f"{does_write}, but {self.named(reader.op)} still reads it"
        notes = [self._defined(conflict.definition, "the contents come from here")]
        if write is not operand:
            place = self._trial.operand_place(writer.op, write.index)
            notes.append(Note("written here", place))
        if read is not operand:
            place = self._trial.operand_place(reader.op, read.index)
            notes.append(Note("still read here", place))
        if conflict.stopped is not None:
            name = self._trial.value_name(conflict.stopped.value)
            notes.append(
                self._defined(
                    conflict.stopped,
                    f"the analysis stopped at {MAX_ORIGINS:d} tensors that {name} may be, and "
                    "so takes it for any",
                )
            )
        return Explanation(
            code, why, [note for note in notes if note.place is not None]
        )

    def _not_writable(self, operand: TensorOperand, value: ValueInfo) -> Explanation:
        owner = value.value.owner
        name = self._trial.value_name(value.value)
        if isinstance(owner, Operation):
            what = f"{name} from {self.named(owner)}"
        else:
            parent = owner.parent_op()
            what = f"the argument {name}"
            if parent is not None:
                what += f" of {self.named(parent)}"
        op = op_name(operand.owner.op)
        verb = "writes it" if operand.writes else "hands it on to be written"
        return Explanation(
            Code.NOT_WRITABLE,
            f"{op} {verb}, and the memory of {what} must not be written",
            [self._defined(value, "the memory comes from here")],
        )

    def _race(self, write: TensorOperand, definition: ValueInfo) -> Explanation:
        place = self._trial.operand_place(write.owner.op, write.index)
        return Explanation(
            Code.RACE,
            f"several runs of a parallel region would write the memory of "
            f"{self._trial.value_name(definition.value)}",
            [
                self._defined(definition, "the memory is from outside of the region"),
                Note("written here", place),
            ],
        )

    def _defined(self, info: ValueInfo, text: str) -> Note:
        return Note(text, self._trial.definition_place(info.value))


_COPIES = frozenset(
    f"bufferization.{name}"
    for name in ("alloc_tensor", "clone", "materialize_in_destination")
)


def _copies(op: Operation) -> bool:
    """Whether the op copies an operand by definition."""
    return op_name(op) in _COPIES or any(
        interface.of(op) is not None
        for interface in (
            CopyOpInterface,
            InsertionsOpInterface,
            SubsetInsertionOpInterface,
        )
    )


def repeating_loop(read: TensorOperand, definition: ValueInfo) -> OpInfo | None:
    """The outermost loop around the read that does not enclose the definition."""
    loop: OpInfo | None = None
    region: RegionInfo | None = read.owner.region
    while region is not None and region is not definition.region:
        if region.is_repetitive:
            loop = region.parent
        region = None if region.parent is None else region.parent.region
    return loop
