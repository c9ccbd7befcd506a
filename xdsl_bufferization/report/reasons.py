"""
The reasons for copies of tensors, in words, with the parts of the program involved, and advice to
the author of the program: how to avoid the copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike, IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.host.literals import splat_element
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface
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
    RegionInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.report.codes import Code, words_about
from xdsl_bufferization.report.experiments import Edit
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.trial import Trial
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.donation import ALIASING_RESULT, donated_arguments
from xdsl_bufferization.support.limits import MAX_ORIGINS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import (
    ancestors,
    block_of,
    passes_tensors_to_regions,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.eliminate_moves.obstacles import LivesLonger, Obstacle
from xdsl_bufferization.tensors.op_order import OpOrder, is_pure


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


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why there is a copy, a buffer or a move: the code, the reason, its notes and the advice."""

    code: Code
    reason: str
    notes: Sequence[Note] = ()
    advice: Advice = Advice()


class Explainer:
    """Words for the decisions about a program, and advice about its copies."""

    def __init__(self, trial: Trial):
        self._trial = trial
        self._order = OpOrder(Changes())

    def named(self, op: Operation) -> str:
        """The op's name, that of its layer, and its line."""
        line, place = self._trial.line(op), self._trial.place(op)
        name = self._trial.op_name(op)
        if line is None or place is None:
            return name
        return f"{name}{place.layer} (line {line})"

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
                    f"{self._trial.op_name(operand.owner.op)} writes it, and the options ask "
                    "for a copy before each write",
                    advice=_way(
                        "Leave it to the analysis: without copy-before-write, and with the "
                        "function out of no-analysis-func-filter."
                    ),
                )

    def forwarded(self, copy: ForwardedCopy) -> Explanation:
        """Why a terminator forwards a copy."""
        terminator = copy.terminator
        name = op_name(terminator)
        parent = terminator.parent_op()
        is_returned = parent is not None and is_function(parent)
        if parent is None or copy.destination is None:
            reason = (
                "another result is returned in its memory"
                if is_returned
                else f"{name} has to hand over memory of its own"
            )
            code = Code.NOT_IN_DONATED if is_returned else Code.OTHER_BUFFER
            return Explanation(code, reason, advice=_DONATED)
        expected = self._trial.value_name(copy.destination)
        way = f"Make what {name} hands over from {expected}, in place"
        if is_returned:
            place = self._trial.definition_place(copy.destination)
            return Explanation(
                Code.NOT_IN_DONATED,
                f"{op_name(parent)} returns result #{copy.operand} in the memory of "
                f"{expected}, and it is in other memory",
                [Note("the argument donated for it", place)],
                Advice(
                    (f"{way}, once nothing reads {expected} any more.",), is_agreed=True
                ),
            )
        return Explanation(
            Code.OTHER_BUFFER,
            f"{self.named(parent)} goes on with the buffer of {expected}, and {name} hands "
            "over another one",
            [Note("the loop whose buffer stays the same", self._trial.place(parent))],
            _way(f"{way}."),
        )

    def returned(self, op: Operation, memory: SSAValue) -> Explanation:
        """Why a function returns a copy of `memory`."""
        whose, advice = "may be theirs already, or the program's", Advice()
        parent = memory.owner.parent_op() if isinstance(memory, BlockArgument) else None
        if (
            isinstance(memory, BlockArgument)
            and parent is not None
            and is_function(parent)
        ):
            name = f" %{memory.name_hint}" if memory.name_hint else ""
            whose = f"belongs to the argument{name}"
            if memory.index in donated_arguments(parent).values():
                advice = _DONATED
        return Explanation(
            Code.RETURNED,
            f"callers free what {op_name(op)} gives them, and this memory {whose}",
            advice=advice,
        )

    def own_copy(
        self, op: Operation, source: SSAValue, target: SSAValue
    ) -> Explanation:
        """Why an op itself copies from the memref `source` to `target`."""
        code, reason = Code.PUT_ELSEWHERE, f"{op_name(op)} puts it into another buffer"
        if source.type != target.type and not _copies(op):
            code = Code.OTHER_TYPE
            reason = (
                f"{op_name(op)} needs a buffer of type {target.type}, and it is in one of "
                f"type {source.type}"
            )
        return Explanation(code, reason, advice=self._computed_in_place(op))

    def move(self, op: Operation, source: SSAValue) -> Explanation:
        """Why a move of the source is left: the obstacle that `eliminate-moves` met."""
        origin = self._trial.origin(op)
        # Later passes may have put other ops in the place of moves.
        obstacle = self._obstacles.get(op) or self._obstacles.get(origin or op)
        if obstacle is not None:
            return self._about(obstacle, op, source)
        if self._trial.left_moves.has_run:
            return Explanation(
                Code.NOT_ELIMINATED, "a pass after eliminate-moves makes it"
            )
        return Explanation(
            Code.NOT_ELIMINATED,
            "the options leave eliminate-moves out",
            advice=_way(
                "Let bufferize run eliminate-moves, with eliminate-copies=true."
            ),
        )

    @cached_property
    def _obstacles(self) -> Mapping[Operation, Obstacle]:
        """By op of the clone, and by op of the program: why it is left."""
        found = dict(self._trial.left_moves)
        for op, obstacle in [*found.items()]:
            if (origin := self._trial.origin(op)) is not None:
                found[origin] = obstacle
        return found

    def _about(
        self, obstacle: Obstacle, move: Operation, source: SSAValue
    ) -> Explanation:
        names = {
            "source": self._trial.value_name(source),
            "move": self.named(move),
        }
        notes: Sequence[Note] = ()
        code, words = Code.of(obstacle), words_about(obstacle)
        match obstacle:
            case (Operation() as op,):
                if self._trial.origin(op) is self._trial.origin(move):
                    # The move is several ops now.
                    names["op"] = names["name"] = op_name(op)
                else:
                    names["op"] = self.named(op)
                    names["name"] = self._trial.op_name(op)
                    if (place := self._trial.place(op)) is not None:
                        notes = (Note(words.mark, place),)
            case (SSAValue() as value,):
                names["value"] = self._trial.value_name(value)
            case LivesLonger(more):
                names["more"] = "may be" if more is None else f"is {more:,} bytes"
            case _:
                pass
        advice = words.advice and words.advice.format(**names)
        return Explanation(
            code,
            words.reason.format(**names),
            notes,
            Advice((advice,) if advice else ()),
        )

    def _computed_in_place(self, op: Operation) -> Advice:
        """To compute what the op inserts where it is inserted."""
        insertion = SubsetInsertionOpInterface.of(op)
        source = insertion and op.operands[insertion.source_operand(op)].owner
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

    def _conflict(self, operand: TensorOperand, conflict: Conflict) -> Explanation:
        read, write = conflict.read, conflict.write
        reader, writer = read.owner, write.owner
        loop = repeating_loop(read, conflict.definition)
        does_write = f"{self.named(writer.op)} writes its memory in place"
        if operand.owner is writer:
            does_write = f"{self._trial.op_name(writer.op)} would write it in place"
        if read is write and loop is None:
            code = Code.READ_IN_NEXT_RUN
            why = (
                f"{does_write}, but reads it again when control comes back to its block"
            )
            advice = _way(
                "If runs of the block may build on each other, hand "
                f"{self._trial.value_name(read.value.value)} to it as an argument, and what is "
                "written to its next run."
            )
        elif reader is writer and loop is None:
            code = Code.READ_BY_WRITER
            does = "still reads" if read.reads else "also writes"
            why = f"{does_write} while it {does} it as operand #{read.index}"
            advice = self._needed_by_writer(conflict)
        else:
            code = Code.STILL_READ
            why = f"{does_write}, but {self.named(reader.op)} still reads it"
            if loop is not None and reader.enter <= writer.enter:
                code = Code.READ_IN_NEXT_RUN
                reads = "" if reader is writer else f"{self.named(reader.op)} "
                why = (
                    f"{does_write}, but {reads}reads it again in the next run of "
                    f"{self.named(loop.op)}"
                )
            advice = (
                self._carry(loop, conflict)
                if loop is not None and loop.encloses(writer.enter)
                else self._read_first(conflict)
            )
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
            code,
            why,
            [note for note in notes if note.place is not None],
            advice,
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
        op = self._trial.op_name(operand.owner.op)
        verb = "writes it" if operand.writes else "hands it on to be written"
        return Explanation(
            Code.NOT_WRITABLE,
            f"{op} {verb}, and the memory of {what} must not be written",
            [self._defined(value, "the memory comes from here")],
            self._ways_to_write(value),
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
            _way(
                "Hand the tensor to the region, as scf.forall does with shared_outs, and write "
                "a part of its own in each run, as tensor.parallel_insert_slice does."
            ),
        )

    def _defined(self, info: ValueInfo, text: str) -> Note:
        return Note(text, self._trial.definition_place(info.value))

    # Advice

    def _needed_by_writer(self, conflict: Conflict) -> Advice:
        """Why the op that writes the tensor needs the contents in another buffer."""
        writer = conflict.write.owner.op
        name = self._trial.op_name(writer)
        if passes_tensors_to_regions(writer):
            return Advice(needed=f"{name} needs memory for each tensor that it carries")
        if not conflict.read.reads:
            return Advice(needed=f"{name} needs memory for each tensor that it writes")
        starts = "starts from these contents, and " if conflict.write.reads else ""
        return Advice(
            needed=f"{name} {starts}reads them as operand #{conflict.read.index} while it "
            "writes its destination, so that these are two buffers"
        )

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
        later, first = _in_one_block(reader, writer)
        if later is first or self._order.position(later) < self._order.position(first):
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


def _in_one_block(a: Operation, b: Operation) -> tuple[Operation, Operation]:
    """The ops, or those around them, that are in the innermost block around both."""
    for around in ancestors(b):
        block = around.parent
        if block is not None and (other := block.find_ancestor_op_in_block(a)):
            return other, around
    return a, a
