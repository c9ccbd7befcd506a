"""
Ops that write into a tensor that is not read any more.

    %y = linalg.exp ins(%x) outs(%empty)    // outs(%x), if this is the last use of %x

An init whose contents do not matter, a `tensor.empty`, needs memory of its own. If an input
of an elementwise op is not needed any more, its memory will do, and the peak is lower. If that
is an iteration argument of a loop, or an argument of a function that is donated for a result,
the new contents are where they have to be, and need not be copied there. So such an argument
is taken for any op whose result would be `copied_to` it:

    %r = scf.for ... iter_args(%h = %h0) -> (tensor<8x8xf32>) {
      %e = tensor.empty() : tensor<8x8xf32>
      %p = linalg.matmul ins(%h, %w) outs(%f)
      %t = linalg.exp ins(%p) outs(%e)          // copied to the buffer of %h
      scf.yield %t : tensor<8x8xf32>

`%h` is dead after the product, so `%t` can be computed with `outs(%h)`; so can each tensor in the
buffer of `%t`. A tensor that is assembled in an empty one is assembled in the argument instead:

      %a = tensor.insert_slice %u into %e[0, 0] [4, 8] [1, 1]
      %t = tensor.insert_slice %v into %a[4, 0] [4, 8] [1, 1]   // copied to the buffer of %h

Finding them takes time in proportion to the number of tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.models.shared.slices import are_of_one_size
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand, ValueInfo
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.limits import (
    MAX_NESTED_CONDITIONALS,
    MAX_PASSED_OPS,
    MAX_USES_IN_CONDITIONAL,
)
from xdsl_bufferization.support.regions import block_of, reachable, walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.order import TensorsInMemory
from xdsl_bufferization.tensors.eliminate_copies.rewriting import (
    Rewriting,
    in_memory_of_arguments,
    inserted_operands,
    is_dead,
    is_overwritten,
    may_be_overwritten,
    operands_in_buffer,
    ops_after,
)
from xdsl_bufferization.tensors.op_order import is_pure


def copied_to(
    program: AnalysedModule, rewriting: Rewriting
) -> Mapping[SSAValue, BlockArgument]:
    """
    By tensor that a terminator copies, or that is in the same buffer as one of these: the argument
    whose buffer it is copied to. Of several arguments it is the first.
    """
    analysis = rewriting.analysis
    found: dict[SSAValue, BlockArgument] = {}
    seen: set[SSAValue] = set()
    for copy in program.decisions.forwarded_copies_in(analysis):
        destination, operands = copy.destination, copy.terminator.operands
        if not operands or not isinstance(destination, BlockArgument):
            # The loop around the terminator may have been removed.
            continue
        value = operands[copy.operand]
        if value in analysis.program.values:
            found.setdefault(value, destination)
            for operand in operands_in_buffer(analysis, value, seen):
                if analysis.is_in_place(operand):
                    found.setdefault(operand.value.value, destination)
    return found


def assemble_in_arguments(
    rewriting: Rewriting, copied_to: Mapping[SSAValue, BlockArgument]
) -> None:
    """
    Let the argument that a tensor is `copied_to` take the place of the empty tensor that it is
    assembled in, if the argument is dead from there on.
    """
    analysis = rewriting.analysis
    for value, argument in copied_to.items():
        empty, users = value.owner, [use.operation for use in value.uses]
        block = argument.block
        if (
            isinstance(empty, tensor.EmptyOp)
            and are_of_one_size(value, argument, analysis.program)
            and rewriting.admits(edit := Edit(EditKind.ASSEMBLE_IN_ARGUMENT, empty))
            and all(block.find_ancestor_op_in_block(user) for user in users)
            and _is_dead_from(analysis, argument, users)
        ):
            rewriting.changes.replace_uses(value, argument)
            rewriting.changes.remove(empty)
            rewriting.edits.add(edit)


def _is_dead_from(
    analysis: OneShotAnalysis, argument: BlockArgument, users: Iterable[Operation]
) -> bool:
    """Whether the argument is dead from the first of the ops on."""
    program = analysis.program
    infos = [program.info(op) for op in (*users, argument.block.last_op) if op]
    positions = [info.enter for info in infos if info is not None]
    return len(positions) == len(infos) and is_dead(
        analysis, program.values[argument], min(positions), positions[-1]
    )


class ReusedInput(NamedTuple):
    """An init that was an empty tensor, and is a dead input now."""

    op: Operation
    init: int
    empty: SSAValue

    def undo_if_copied(
        self,
        rewriting: Rewriting,
        arguments: AbstractSet[SSAValue],
    ) -> bool:
        """
        Let the op have its empty tensor back unless it overwrites the input, whose memory is dead;
        whether that has been done. `arguments` are the tensors in the memory of arguments of
        functions.
        """
        analysis = rewriting.analysis
        operand = analysis.program.operand(self.op, self.init)
        if operand is None or (
            analysis.is_in_place(operand) and operand.value.value not in arguments
        ):
            return False
        self.undo(rewriting)
        return True

    def undo(self, rewriting: Rewriting) -> None:
        """
        Let the op have its empty tensor back, or one like it if that has been removed, or is used
        by other ops.
        """
        changes, empty = rewriting.changes, self.empty
        if (
            isinstance(empty, OpResult)
            and (empty.op.parent is None or empty.first_use is not None)
            and (model := RematerializationOpInterface.of(empty.op)) is not None
        ):
            empty = model.rematerialize(empty.op, changes.builder(self.op))
        changes.set_operand(self.op, self.init, empty)
        rewriting.edits.drop(_edit(self.op, self.init))


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


def computed_in_destinations(
    rewriting: Rewriting,
) -> AbstractSet[SSAValue]:
    """
    The tensors in the memory of what is computed where it is inserted: the part of an argument
    that an insertion writes may be written before.
    """
    analysis = rewriting.analysis

    def sources(value: SSAValue) -> Iterator[SSAValue]:
        info = analysis.program.values.get(value)
        for source, is_whole in () if info is None else _sources(analysis, info):
            if is_whole:
                yield source.value

    inserted = (
        edit.op.operands[edit.operand]
        for edit in rewriting.edits.made
        if edit.kind is EditKind.COMPUTE_IN_DESTINATION and edit.op.parent is not None
    )
    return reachable(inserted, sources).keys()


def reuse_inputs(
    rewriting: Rewriting,
    memory: MemoryOfInputs,
    copied_to: Mapping[SSAValue, BlockArgument],
) -> Sequence[ReusedInput]:
    """
    Give each op whose init is an empty tensor a dead tensor as its init, as far as that is known:
    the argument that its result is `copied_to`, or an input that it reads element by element before
    it writes it. Whether it is in place then, another analysis has to say: this one may be out of
    date about inits without contents before.
    """
    analysis, changes = rewriting.analysis, rewriting.changes
    reused: list[ReusedInput] = []
    preferred: dict[SSAValue, SSAValue] = {}
    """
    By result in memory of a block argument, of what a loop carries or is donated: the argument.
    """
    is_movable = cache(partial(_can_move_to_end, TensorsInMemory(analysis)))
    inserted = _inserted(analysis)
    for init in analysis.program.operands():
        op = init.owner.op
        if (
            not _is_empty_init(init)
            or (reused and reused[-1].op is op)
            or not rewriting.admits(edit := _edit(op, init.index))
        ):
            continue
        dying = sorted(
            _dying_inputs(analysis, init, memory), key=lambda value: value in inserted
        )
        arguments: dict[SSAValue, SSAValue] = {
            value: preferred.get(value, value)
            for value in dying
            if isinstance(value, BlockArgument) or value in preferred
        }
        target = _target(analysis, init, copied_to)
        if (
            target is not None
            and target not in arguments.values()
            and _is_dead(analysis, init, analysis.program.values[target])
        ):
            # Nothing is copied then.
            arguments = {target: target}
        source = next(iter((*arguments, *dying)), None)
        if source is None and target is not None:
            moved = _dead_at_end(analysis, init, target, is_movable)
            if moved is not None:
                changes.move(moved, target.block, target.block.last_op)
                source = target
        if source is None:
            continue
        if source in arguments:
            for alias in init.aliases:
                preferred[alias.value] = arguments[source]
        empty = op.operands[init.index]
        changes.set_operand(op, init.index, source)
        _remove_unused(empty, changes)
        reused.append(ReusedInput(op, init.index, empty))
        rewriting.edits.add(edit)
    return reused


def _inserted(analysis: OneShotAnalysis) -> AbstractSet[SSAValue]:
    """
    The tensors that ops insert into larger ones, where they may be computed. So may be what is
    computed in their memory, but not both:

        %p = tensor.pad %x ...
        %s = linalg.add ins(%x, %y) outs(%e)      // outs(%y), not outs(%x)
        %q = tensor.pad %s ...
    """
    return {
        operand.value.value
        for info in analysis.program.ops
        for operand in inserted_operands(info)
        if operand.reads
    }


def functions_that_may_reuse(
    analysis: OneShotAnalysis, memory: AbstractSet[Operation]
) -> AbstractSet[Operation]:
    """
    The functions in which an elementwise op has a dead input, so that one of these ops needs no
    memory: the op itself, or the one that computes the input, where the op writes to a
    destination already, as here to memory of the caller:

        %m = linalg.matmul ins(%a, %b) outs(%empty)
        %r = linalg.add ins(%m, %c) outs(%out)

    Takes time in proportion to the program.
    """
    at_peak = {
        analysis.alias_sets.find(value)
        for op in memory
        for result in op.results
        if (value := analysis.program.values.get(result)) is not None
    }
    candidates = [
        init
        for init in filter(is_overwritten, analysis.program.operands())
        if init.value.definitions
        or not memory.isdisjoint((init.owner.op, init.value.value.owner))
    ]
    if not candidates:
        return frozenset()
    of_inputs = MemoryOfInputs(analysis)
    found = {
        outermost_function(init.owner.op)
        for init in candidates
        for value in _dying_inputs(analysis, init, of_inputs)
        if not init.value.definitions
        or analysis.alias_sets.find(analysis.program.values[value]) in at_peak
    }
    return {function for function in found if function is not None}


def _is_empty_init(operand: TensorOperand) -> bool:
    """Whether the operand is an init that has no contents, and needs none."""
    return is_overwritten(operand) and not operand.value.definitions


class MemoryOfInputs:
    """The owners of the memory that tensors are in, in an analysed program before it changes."""

    def __init__(self, analysis: OneShotAnalysis):
        self.parts = _parts(analysis)
        """The results that are in a part of the memory of some larger tensor."""
        self.kept = in_memory_of_arguments(analysis)
        """The tensors that may be in memory of the caller's."""


def _parts(analysis: OneShotAnalysis) -> AbstractSet[ValueInfo]:
    """The results that are in a part of the memory of some larger tensor."""
    parts: set[ValueInfo] = set()
    for info in analysis.program.post_order:
        for result in info.op.results:
            value = analysis.program.values.get(result)
            if value is not None and any(
                source in parts or not is_whole
                for source, is_whole in _sources(analysis, value)
            ):
                parts.add(value)
    return parts


def _sources(
    analysis: OneShotAnalysis, value: ValueInfo
) -> Iterator[tuple[ValueInfo, bool]]:
    """The tensors in whose memory the tensor is, each with whether it is all of that."""
    for operand, alias in analysis.sources_given.of(value):
        if analysis.is_in_place(operand):
            op = operand.owner.op
            yield (
                operand.value,
                alias.relation is BufferRelation.EQUIVALENT
                # One of several tensors is all of it.
                or (op.next_op is None and _conditional(op) is not None),
            )


def _conditional(op: Operation) -> Operation | None:
    """The op right around this one, if it is a conditional."""
    parent = op.parent_op()
    model = None if parent is None else RegionBranchOpInterface.of(parent)
    if parent is None or model is None or not is_conditional(parent, model):
        return None
    return parent


def _dying_inputs(
    analysis: OneShotAnalysis, init: TensorOperand, memory: MemoryOfInputs
) -> Iterator[SSAValue]:
    """The inputs whose memory the op may write, and that no other op reads any more."""
    for operand in init.owner.operands:
        value = operand.value.value
        if (
            operand is not init
            and value.type == init.value.value.type
            and operand.value not in memory.parts
            and may_be_overwritten(analysis, operand.value, memory.kept)
            and _can_overwrite(analysis, init, operand)
        ):
            yield value


def _can_overwrite(
    analysis: OneShotAnalysis, init: TensorOperand, operand: TensorOperand
) -> bool:
    """
    Whether the operand may be dead: in its block; or in the branch of the op, if a conditional has
    its only uses and yields it where the op does not run. Then another analysis has to say.

        %r = scf.if %c {
          %y = linalg.exp ins(%x) outs(%e)       // outs(%x)
          scf.yield %y
        } else { scf.yield %x }
    """
    value, op = operand.value.value, init.owner.op
    conditional = _conditional_around(value, op)
    if conditional is op:
        return _is_dead(analysis, init, operand.value)
    return (
        conditional is not None
        and _is_elementwise(init, operand)
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
        if (parent := _conditional(around)) is None:
            return None
        around = parent
    return None


def _uses_are_within(value: SSAValue, op: Operation) -> bool:
    """Whether the only users are few, and are the op or in its regions."""
    uses = MAX_USES_IN_CONDITIONAL.within(value.uses)
    return uses is not None and all(op.is_ancestor(u.operation) for u in uses)


def _target(
    analysis: OneShotAnalysis,
    init: TensorOperand,
    copied_to: Mapping[SSAValue, BlockArgument],
) -> BlockArgument | None:
    """The argument of a block around the op that the result of the init is copied to."""
    for alias in init.aliases:
        argument = copied_to.get(alias.value)
        if (
            argument is not None
            and are_of_one_size(argument, init.value.value, analysis.program)
            and argument.block.find_ancestor_op_in_block(init.owner.op) is not None
        ):
            return argument
    return None


def _dead_at_end(
    analysis: OneShotAnalysis,
    init: TensorOperand,
    argument: BlockArgument,
    is_movable: Callable[[Operation], bool],
) -> Operation | None:
    """
    The op of the init, or one around it, that `is_movable` to the end of the argument's block,
    before the terminator, where the argument is dead.

        %j = linalg.add ins(%i, %i) outs(%e)    // the next iteration's counter
        ... reads %i ...
        scf.yield %j
    """
    block = argument.block
    moved, end = block.find_ancestor_op_in_block(init.owner.op), block.last_op
    if moved is None or end is None or moved is end:
        return None
    record, terminator = map(analysis.program.info, (moved, end))
    memory = analysis.program.values[argument]
    if (
        record is None
        or terminator is None
        or any(use.operation is not end for r in moved.results for use in r.uses)
        or not _is_dead(analysis, init, memory, moved=record)
        or not is_movable(moved)
        or not is_dead(analysis, memory, terminator.enter, terminator.exit)
    ):
        return None
    return moved


def _can_move_to_end(memory: TensorsInMemory, op: Operation) -> bool:
    """
    Whether the op has no side effects, and the ops after it in its block may run before it; not if
    these are many.
    """
    passed = MAX_PASSED_OPS.within(walk(ops_after(op)))
    return (
        passed is not None
        and all(map(is_pure, walk([op])))
        and memory.are_independent(op, [op], ops_after(op))
    )


def _is_dead(
    analysis: OneShotAnalysis,
    init: TensorOperand,
    value: ValueInfo,
    moved: OpInfo | None = None,
) -> bool:
    """
    Whether the memory of the value is dead once the op has read it; if an op that is, or encloses,
    this one is `moved` after those that read it now.
    """
    info = init.owner
    ranges = analysis.alias_sets.find(value).ranges
    return all(
        live_range.definition.owner is info
        or (_is_elementwise(init, live_range.read) and live_range.read.value is value)
        or (moved is not None and live_range.read.owner.enter > moved.exit)
        for live_range in ranges.overlapping(info.enter, info.exit)
    )


def _is_elementwise(init: TensorOperand, read: TensorOperand) -> bool:
    """Whether the op of the init reads each element before it writes that of the init."""
    info = init.owner
    return (
        read.owner is info
        and info.model is not None
        and info.model.is_elementwise(info.op, init.index, read.index)
    )
