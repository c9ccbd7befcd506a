"""Bufferization of a copy of a program, whose ops are traced back to the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.report.source import Source, SourceRange, printed_source
from xdsl_bufferization.support.clones import TracedClone
from xdsl_bufferization.support.limits import MAX_OPS_TRIED
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import ArgumentAccess
from xdsl_bufferization.support.regions import block_of, index_of, walk
from xdsl_bufferization.support.shaped_types import has_tensor_semantics
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.trace import Trace
from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves
from xdsl_bufferization.tensors.split.driver import split_at_peak
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.split_at_peak import SplitAtPeakPass

CopyCause = TensorOperand | ForwardedCopy
"""The reason for a copy: an operand out of place, or a value that a terminator forwards."""


class Trial:
    """
    The result of `bufferize` on a copy of a program, with the decisions.

    The program is not changed. Raises `BufferizationError` if it cannot be bufferized.
    """

    analyses: list[BufferizationAnalysis]
    """The analyses of the copy, before it is rewritten."""
    trace: Trace
    """The attempts of `eliminate-copies`."""
    left_moves: LeftMoves
    """Why `eliminate-moves` has left moves."""
    result: Source
    """The text of the bufferized program; once it is rewritten."""

    def __init__(
        self, ctx: Context, module: ModuleOp, options: BufferizePass, source: Source
    ):
        self.source = source
        self._ctx = ctx
        self._options = options
        self._clone = TracedClone(module)
        self.module = self._clone.module
        self._causes: dict[int, CopyCause] = {}
        """By the identity of the location of a copy: its cause."""
        self._copied: dict[int, SSAValue] = {}
        """By the identity of the location of a copy: the value of the program."""
        options.verify_names(ctx, module)
        self.trace, self.left_moves = Trace(), LeftMoves()
        program = options.run_before(self.module, self.trace, self.left_moves)
        self.is_small = not MAX_OPS_TRIED.exceeded_by(2 * len([*module.walk()]))
        """Whether the report tries options on the program; each takes the time of a trial."""
        self.may_be_split = options.eliminate_copies and (
            self.is_small or _may_be_split(program)
        )
        """Whether `split-at-peak` may find something to split."""
        one_shot = OneShotBufferization(self.module, options.options())
        one_shot.analyze()
        self.analyses = one_shot.analyses
        self._one_shot = one_shot
        self.least_peaks: dict[Operation, int] = {}
        """By function of the program: the bytes that it needs at once in any order of its ops."""
        self._note_least_peaks(program)

    @property
    def forwarded_copies(self) -> Sequence[ForwardedCopy]:
        """The copies of values that terminators forward."""
        return self._one_shot.forwarded_copies

    @property
    def eliminates_copies(self) -> bool:
        """Whether the options let the program be changed so that it copies less."""
        return self._options.eliminate_copies and not self._options.copy_before_write

    @property
    def keeps_arguments(self) -> bool:
        """Whether the options let functions write no arguments but those donated."""
        return self._options.arguments is ArgumentAccess.READ_ONLY

    def rewrite(self) -> Iterable[Operation]:
        """Bufferize the copy, once; returns its ops after that."""
        for op, cause in self._one_shot.insert_copies().items():
            self._clone.trace(op, self.origin(op))
            self._causes[id(op.location)] = cause
            copied = op.copy if isinstance(op, AllocTensorOp) else op.operands[0]
            if copied is not None and (value := self.value(copied)) is not None:
                self._copied[id(op.location)] = value
        self._one_shot.rewrite_in_place()
        for module_pass in self._options.passes_on_buffers():
            module_pass.apply(self._ctx, self.module)
        self.result = printed_source(self.module)
        return self.module.walk()

    def _note_least_peaks(self, program: AnalysedModule) -> None:
        """Note the bytes that functions need in every order, as far as they are known."""
        costs, bounds = program.remember(Costs), program.order_bounds
        for function in costs:
            origin = self.origin(function)
            if origin is None or not any(map(has_tensor_semantics, walk([function]))):
                continue
            least = bounds.get(function, costs[function].least_peak)
            if least is not None:
                self.least_peaks[origin] = least

    def edits_about(self, op: Operation, index: int | None) -> str:
        """
        The edits of `eliminate-copies` of the op, or else of those that define or use the tensor
        that is its operand of that index, in words.
        """
        tensors = () if index is None else (op.operands[index],)
        near = [*(t.owner for t in tensors)]
        near += [use.operation for t in tensors for use in t.uses]
        cloned = (self._clone.ops[o] for o in near if isinstance(o, Operation))
        about = self.trace.edits_about
        return about([self._clone.ops[op]]) or about(cloned)

    def clone_of(self, op: Operation) -> Operation | None:
        """The op of the copy, as it was before any rewrite, for an op of the program."""
        return self._clone.ops.get(op)

    def origin(self, op: Operation) -> Operation | None:
        """The op of the program whose work an op of the copy does."""
        return self._clone.origin(op)

    def value(self, value: SSAValue) -> SSAValue | None:
        """The value of the program that a value of the copy is."""
        if isinstance(value, OpResult):
            origin = self.origin(value.op)
            if origin is None or origin.name != value.op.name:
                return None
            return origin.results[value.index]
        block = block_of(value)
        region = block.parent
        if region is None or region.parent is None:
            return None
        origin, around = self.origin(region.parent), region.parent
        if origin is None or origin.name != around.name:
            return None
        blocks = origin.regions[around.regions.index(region)].blocks
        return blocks[region.blocks.index(block)].args[index_of(value)]

    def cause(self, op: Operation) -> CopyCause | None:
        """The cause of the copy that an op of the bufferized program makes, if it makes one."""
        return self._causes.get(id(op.location))

    def copied(self, op: Operation) -> SSAValue | None:
        """The value of the program that an op with a `cause` copies."""
        return self._copied.get(id(op.location))

    def op_name(self, op: Operation) -> str:
        """The name of the op of the program whose work an op of the copy does."""
        return op_name(self.origin(op) or op)

    def place(self, op: Operation) -> SourceRange | None:
        """The op of the copy in the program's text."""
        origin = self.origin(op)
        return None if origin is None else self.source.place(origin)

    def line(self, op: Operation) -> int | None:
        """The line of the op in the words of the report."""
        origin = self.origin(op)
        return None if origin is None else self.source.line(origin)

    def operand_place(self, op: Operation, index: int) -> SourceRange | None:
        """The operand of an op of the copy in the program's text, or else the op."""
        origin = self.origin(op)
        if origin is None:
            return None
        former = self.operand_index(op, index)
        if former is None:
            return self.source.place(origin)
        return self.source.operand_place(origin, former)

    def operand_index(self, op: Operation, index: int) -> int | None:
        """The index of the operand in the op of the program, if it is there."""
        origin = self.origin(op)
        if origin is None or origin.name != op.name:
            return None
        dropped = len(origin.operands) - len(op.operands)
        # `eliminate-moves` drops inputs; the inits come after them, and all stay.
        if dropped > 0 and index < len(op.operands) - len(op.results):
            return None
        former = index + dropped
        return former if 0 <= former < len(origin.operands) else None

    def definition_place(self, value: SSAValue) -> SourceRange | None:
        """The definition of a value of the copy in the program's text."""
        if isinstance(value, OpResult):
            return self.place(value.op)
        argument = self.value(value)
        return (
            self.source.argument_place(argument)
            if isinstance(argument, BlockArgument)
            else None
        )

    def value_name(self, value: SSAValue) -> str:
        """A value of the copy as written in the program's text, if it is there."""
        name = self.source.value_name(self.value(value) or value)
        return "a new tensor" if name == "%?" else name


def _may_be_split(program: AnalysedModule) -> bool:
    """Whether `split-at-peak` changes the program, which stays as it is."""
    position = program.changes.position
    split_at_peak(program, SplitAtPeakPass.max_parts)
    is_split = program.changes.position > position
    program.changes.undo(position)
    return is_split
