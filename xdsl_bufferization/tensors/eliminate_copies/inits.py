"""
Ops that write into a tensor that is not read any more.

    %y = linalg.exp ins(%x) outs(%empty)    // outs(%x), if this is the last use of %x

An init whose contents do not matter, a `tensor.empty`, needs memory of its own. If an input
of an elementwise op is not needed any more, its memory will do, and the peak is lower. If that
is an iteration argument of a loop, or an argument of a function that is donated for a result,
the new contents are where they have to be, and need not be copied there. So such an argument
is taken for any op whose result would be copied to it; see `destinations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.models.shared.sizes import are_of_one_size
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand, ValueInfo
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.limits import (
    MAX_NESTED_CONDITIONALS,
    MAX_PASSED_OPS,
    MAX_USES_IN_CONDITIONAL,
)
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.effects import is_pure
from xdsl_bufferization.tensors.eliminate_copies.destinations import is_defined_at
from xdsl_bufferization.tensors.eliminate_copies.memory_accesses import TensorsInMemory


class ReusedInput(NamedTuple):
    """An init that was an empty tensor, and is a dead input now."""

    op: Operation
    init: int
    empty: SSAValue

    def undo_if_copied(
        self,
        analysis: BufferizationAnalysis,
        arguments: AbstractSet[SSAValue],
        changes: Changes,
        edits: Edits,
    ) -> bool:
        """
        Let the op have its empty tensor back unless it overwrites the input, whose memory is dead;
        whether that has been done. `arguments` are the tensors in the memory of arguments of
        functions.
        """
        operand = analysis.program.operand(self.op, self.init)
        if operand is None or (
            analysis.is_in_place(operand) and operand.value.value not in arguments
        ):
            return False
        self.undo(changes, edits)
        return True

    def undo(self, changes: Changes, edits: Edits) -> None:
        """
        Let the op have its empty tensor back, or one like it if that has been removed, or is used
        by other ops.
        """
        empty, place = self.empty, InsertPoint.before(self.op)
        if (
            isinstance(empty, OpResult)
            and (empty.op.parent is None or empty.first_use is not None)
            and (model := RematerializationOpInterface.of(empty.op)) is not None
        ):
            empty = model.rematerialize(empty.op, changes.builder(self.op, place))
        changes.set_operand(self.op, self.init, empty)
        edits.drop(_edit(self.op, self.init))


def _remove_unused(empty: SSAValue, changes: Changes) -> None:
    """
    Remove an empty tensor that nothing uses, if `rematerialize` makes one like it from the op
    alone, so that analyses need not look at it.
    """
    if (
        isinstance(empty, OpResult)
        and empty.first_use is None
        and not empty.op.operands
        and RematerializationOpInterface.of(empty.op) is not None
    ):
        changes.remove(empty.op)


def _edit(op: Operation, init: int) -> Edit:
    return Edit(EditKind.COALESCE_INIT, op, init)


def in_memory_of_arguments(
    analysis: BufferizationAnalysis, donated: AbstractSet[SSAValue] = frozenset()
) -> AbstractSet[SSAValue]:
    """
    The tensors that may be in the memory of an argument of a function, other than those that are
    donated, without those in regions that are passed to these: a loop writes its iteration
    arguments anyway.
    """
    found = _kept_arguments(analysis) - donated
    pending = [*found]
    while pending:
        for use in pending.pop().uses:
            operand = analysis.program.operand(use.operation, use.index)
            if operand is not None and analysis.is_in_place(operand):
                new = {
                    alias.value
                    for alias in operand.aliases
                    if isinstance(alias.value, OpResult)
                } - found
                found |= new
                pending.extend(new)
    return found


def computed_in_destinations(
    analysis: BufferizationAnalysis, edits: Edits
) -> AbstractSet[SSAValue]:
    """
    The tensors in the memory of what is computed where it is inserted: the part of an argument
    that an insertion writes may be written before.
    """
    pending = [
        edit.op.operands[edit.operand]
        for edit in edits.made
        if edit.kind is EditKind.COMPUTE_IN_DESTINATION and edit.op.parent is not None
    ]
    found = {*pending}
    while pending:
        value = analysis.program.values.get(pending.pop())
        sources = () if value is None else analysis.sources_given.of(value)
        new = {
            operand.value.value
            for operand, alias in sources
            if analysis.is_in_place(operand)
            and (
                alias.relation is BufferRelation.EQUIVALENT
                or _is_yielded_by_conditional(operand)
            )
        } - found
        found |= new
        pending.extend(new)
    return found


def _kept_arguments(analysis: BufferizationAnalysis) -> set[SSAValue]:
    """The arguments of blocks of functions, without those that are donated for a result."""

    @cache
    def donated(function: func.FuncOp) -> Collection[int]:
        return donated_arguments(function).values()

    return {
        value
        for value, info in analysis.program.values.items()
        if info.owner is None
        and isinstance(value, BlockArgument)
        and isinstance(function := value.block.parent_op(), func.FuncOp)
        and not (value.block.prev_block is None and value.index in donated(function))
    }


def reuse_inputs(
    analysis: BufferizationAnalysis,
    functions: AbstractSet[Operation],
    memory: MemoryOfInputs,
    copied_to: Mapping[SSAValue, BlockArgument],
    changes: Changes,
    edits: Edits,
) -> Sequence[ReusedInput]:
    """
    Give each op in the functions whose init is an empty tensor a dead tensor as its init, as far
    as that is known and `edits` admits: the argument that its result is `copied_to`, or an input
    that it reads element by element before it writes it. Whether it is in place then, another
    analysis has to say: this one is out of date, and may be so about inits without contents
    before.
    """
    reused: list[ReusedInput] = []
    preferred: dict[SSAValue, SSAValue] = {}
    """
    By result in memory of a block argument, of what a loop carries or is donated: the argument.
    """
    if not isinstance(analysis, OneShotAnalysis):
        return reused
    is_movable = cache(partial(_can_move_to_end, TensorsInMemory(analysis)))
    inserted = _inserted(analysis)
    for info in analysis.program.ops:
        if outermost_function(info.op) not in functions:
            continue
        for init in _empty_inits(info):
            if not edits.admits(_edit(info.op, init.index)):
                continue
            dying = sorted(
                _dying_inputs(analysis, info, init, memory),
                key=lambda value: value in inserted,
            )
            arguments = {
                value: preferred.get(value, value)
                for value in dying
                if isinstance(value, BlockArgument) or value in preferred
            }
            target = _dead_argument(analysis, info, init, copied_to)
            if target is not None and target not in arguments.values():
                # First of all, so that nothing is copied.
                arguments = {target: target, **arguments}
            if not (sources := [*arguments, *dying]):
                at_end = _argument_dead_at_end(
                    analysis, info, init, copied_to, is_movable
                )
                if at_end is None:
                    continue
                block = at_end.argument.block
                changes.move(at_end.moved, block, block.last_op)
                sources = [at_end.argument]
            source = sources[0]
            if source in arguments:
                for alias in init.aliases:
                    preferred[alias.value] = arguments[source]
            empty = info.op.operands[init.index]
            changes.set_operand(info.op, init.index, source)
            _remove_unused(empty, changes)
            reused.append(ReusedInput(info.op, init.index, empty))
            edits.add(_edit(info.op, init.index))
            break
    return reused


def _inserted(analysis: BufferizationAnalysis) -> AbstractSet[SSAValue]:
    """
    The tensors that ops insert into larger ones, where they may be computed. So may be what is
    computed in their memory, but not both:

        %p = tensor.pad %x ...
        %s = linalg.add ins(%x, %y) outs(%e)      // outs(%y), not outs(%x)
        %q = tensor.pad %s ...
    """
    return {
        operand.value.value
        for operand in analysis.program.operands()
        if operand.reads
        and (
            InsertionsOpInterface.of(operand.owner.op) is not None
            or (
                (insertion := SubsetInsertionOpInterface.of(operand.owner.op))
                is not None
                and operand.index == insertion.source_operand(operand.owner.op)
            )
        )
    }


def functions_that_may_reuse(
    analysis: BufferizationAnalysis, memory: AbstractSet[Operation]
) -> AbstractSet[Operation]:
    """
    The functions in which an elementwise op has a dead input, so that one of these ops needs no
    memory: the op itself, or the one that computes the input, where the op writes to a
    destination already, as here to memory of the caller:

        %m = linalg.matmul ins(%a, %b) outs(%empty)
        %r = linalg.add ins(%m, %c) outs(%out)

    Takes time in proportion to the program.
    """
    if not isinstance(analysis, OneShotAnalysis):
        return frozenset()
    at_peak = {
        analysis.alias_sets.find(value)
        for op in memory
        for result in op.results
        if (value := analysis.program.values.get(result)) is not None
    }
    candidates = [
        (info, init)
        for info in analysis.program.ops
        for init in filter(is_overwritten, info.operands)
        if init.value.definitions
        or not memory.isdisjoint((info.op, init.value.value.owner))
    ]
    if not candidates:
        return frozenset()
    of_inputs = MemoryOfInputs(analysis)
    found = {
        outermost_function(info.op)
        for info, init in candidates
        for value in _dying_inputs(analysis, info, init, of_inputs)
        if not init.value.definitions
        or analysis.alias_sets.find(analysis.program.values[value]) in at_peak
    }
    return {function for function in found if function is not None}


def _empty_inits(info: OpInfo) -> Iterator[TensorOperand]:
    """The inits of an op that have no contents, and need none."""
    return (o for o in info.operands if is_overwritten(o) and not o.value.definitions)


def is_overwritten(operand: TensorOperand) -> bool:
    """
    Whether the operand is an init whose contents the op does not read, and an empty tensor can be
    made in its place.
    """
    op = operand.owner.op
    if not isinstance(operand.value.value.type, TensorType):
        return False
    if operand.reads or (style := DestinationStyleOpInterface.of(op)) is None:
        return False
    return style.is_init(op, operand.index)


class MemoryOfInputs:
    """The owners of the memory that tensors are in, in an analysed program before it changes."""

    def __init__(self, analysis: BufferizationAnalysis):
        self.parts = _parts(analysis)
        """The results that are in a part of the memory of some larger tensor."""
        self.kept = in_memory_of_arguments(analysis)
        """The tensors that may be in memory of the caller's."""


def _parts(analysis: BufferizationAnalysis) -> AbstractSet[ValueInfo]:
    """The results that are in a part of the memory of some larger tensor."""
    parts: set[ValueInfo] = set()
    for info in analysis.program.post_order:
        for result in info.op.results:
            value = analysis.program.values.get(result)
            if value is not None and any(
                analysis.is_in_place(operand)
                and (
                    operand.value in parts
                    or (
                        alias.relation is not BufferRelation.EQUIVALENT
                        # One of several tensors is all of it.
                        and not _is_yielded_by_conditional(operand)
                    )
                )
                for operand, alias in analysis.sources_given.of(value)
            ):
                parts.add(value)
    return parts


def _is_yielded_by_conditional(operand: TensorOperand) -> bool:
    terminator = operand.owner.op
    parent = terminator.parent_op() if terminator.next_op is None else None
    model = None if parent is None else RegionBranchOpInterface.of(parent)
    return parent is not None and model is not None and is_conditional(parent, model)


def _dying_inputs(
    analysis: OneShotAnalysis,
    info: OpInfo,
    init: TensorOperand,
    memory: MemoryOfInputs,
) -> Iterator[SSAValue]:
    """The inputs whose memory the op may write, and that no other op reads any more."""
    for operand in info.operands:
        value = operand.value.value
        if (
            operand is not init
            and value.type == init.value.value.type
            and operand.value not in memory.parts
            and value not in memory.kept
            # Writing a view of a constant copies the constant.
            and analysis.writability.read_only(operand.value) is None
            and _can_overwrite(analysis, info, init, operand)
        ):
            yield value


def _can_overwrite(
    analysis: OneShotAnalysis, info: OpInfo, init: TensorOperand, operand: TensorOperand
) -> bool:
    """
    Whether the operand may be dead: in its block; or in the branch of the op, if a conditional has
    its only uses and yields it where the op does not run. Then another analysis has to say.

        %r = scf.if %c {
          %y = linalg.exp ins(%x) outs(%e)       // outs(%x)
          scf.yield %y
        } else { scf.yield %x }
    """
    value = operand.value.value
    conditional = _conditional_around(value, info.op)
    if conditional is info.op:
        return _is_dead(analysis, info, init, operand.value)
    return (
        conditional is not None
        and _is_elementwise(info, init, operand)
        and _uses_are_within(value, conditional)
    )


def _conditional_around(value: SSAValue, op: Operation) -> Operation | None:
    """
    The op in the block of the value that is the op, or the outermost of the conditionals around
    it; `None` if there are others, such as loops.
    """
    block, around = block_of(value), op
    for _ in MAX_NESTED_CONDITIONALS.steps():
        if around.parent is block:
            return around
        parent = around.parent_op()
        model = None if parent is None else RegionBranchOpInterface.of(parent)
        if parent is None or model is None or not is_conditional(parent, model):
            return None
        around = parent
    return None


def _uses_are_within(value: SSAValue, op: Operation) -> bool:
    """Whether the only users are few, and are the op or in its regions."""
    uses = MAX_USES_IN_CONDITIONAL.within(value.uses)
    return uses is not None and all(op.is_ancestor(u.operation) for u in uses)


def _dead_argument(
    analysis: OneShotAnalysis,
    info: OpInfo,
    init: TensorOperand,
    copied_to: Mapping[SSAValue, BlockArgument],
) -> BlockArgument | None:
    """The argument that the result of the init is copied to, if it is dead before."""
    for alias in init.aliases:
        argument = copied_to.get(alias.value)
        if (
            argument is not None
            and are_of_one_size(argument, init.value.value, analysis.program)
            and is_defined_at(argument, info.op)
            and _is_dead(analysis, info, init, analysis.program.values[argument])
        ):
            return argument
    return None


class _AtEnd(NamedTuple):
    """An argument of a block that is dead if an op moves to the block's end."""

    argument: BlockArgument
    moved: Operation
    """The op of the block that is, or encloses, the one that overwrites the argument."""


def _argument_dead_at_end(
    analysis: OneShotAnalysis,
    info: OpInfo,
    init: TensorOperand,
    copied_to: Mapping[SSAValue, BlockArgument],
    is_movable: Callable[[Operation], bool],
) -> _AtEnd | None:
    """
    The argument that the result of the init is copied to, if the op, or one around it that
    `is_movable`, can move to the end of the block, before the terminator, where the argument is
    dead.

        %j = linalg.add ins(%i, %i) outs(%e)    // the next iteration's counter
        ... reads %i ...
        scf.yield %j
    """
    argument = next(
        (copied_to[a.value] for a in init.aliases if a.value in copied_to), None
    )
    if argument is None or not are_of_one_size(
        argument, init.value.value, analysis.program
    ):
        return None
    moved = argument.block.find_ancestor_op_in_block(info.op)
    record = None if moved is None else analysis.program.info(moved)
    end = argument.block.last_op
    terminator = None if end is None else analysis.program.info(end)
    if moved is None or record is None or terminator is None or record is terminator:
        return None
    memory = analysis.program.values[argument]
    if (
        any(use.operation is not end for r in moved.results for use in r.uses)
        or not _is_dead(analysis, info, init, memory, moved=record)
        or not is_movable(moved)
    ):
        return None
    ranges = analysis.alias_sets.find(memory).ranges
    is_read = any(True for _ in ranges.overlapping(terminator.enter, terminator.exit))
    return None if is_read else _AtEnd(argument, moved)


def _can_move_to_end(memory: TensorsInMemory, op: Operation) -> bool:
    """
    Whether the op has no side effects, and the ops after it in its block may run before it; not if
    these are many.
    """
    passed = MAX_PASSED_OPS.within(walk(_between(op)))
    return (
        passed is not None
        and all(map(is_pure, walk([op])))
        and memory.are_independent(op, [op], _between(op))
    )


def _between(op: Operation) -> Iterator[Operation]:
    """The ops after the op in its block, without the terminator."""
    following = op.next_op
    while following is not None and following.next_op is not None:
        yield following
        following = following.next_op


def _is_dead(
    analysis: OneShotAnalysis,
    info: OpInfo,
    init: TensorOperand,
    value: ValueInfo,
    moved: OpInfo | None = None,
) -> bool:
    """
    Whether the memory of the value is dead once the op has read it; if an op that is, or encloses,
    this one is `moved` after those that read it now.
    """
    ranges = analysis.alias_sets.find(value).ranges
    return all(
        live_range.definition.owner is info
        or (
            _is_elementwise(info, init, live_range.read)
            and live_range.read.value is value
        )
        or (moved is not None and live_range.read.owner.enter > moved.exit)
        for live_range in ranges.overlapping(info.enter, info.exit)
    )


def _is_elementwise(info: OpInfo, init: TensorOperand, read: TensorOperand) -> bool:
    """Whether the op itself reads each element before it writes that of the init."""
    return (
        read.owner is info
        and info.model is not None
        and info.model.is_elementwise(info.op, init.index, read.index)
    )
