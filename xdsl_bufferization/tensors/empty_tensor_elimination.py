"""
Results computed in their destination, not in a tensor of their own.

If a `tensor.empty` is updated in place until it is inserted into a larger tensor, the part
of that tensor which the insertion overwrites takes its place. One-Shot Bufferize then finds
that the insertion has nothing to copy, and allocates nothing for the source.

The contents of a `tensor.empty` are undefined, so any tensor may take its place. Whether
that saves a buffer, the analysis says: before the replacement, which empty tensors are in
the buffer that is inserted; and after it, whether the part of the destination is.

Source: https://mlir.llvm.org/docs/Bufferization/#in-place-bufferization and
https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors

Empty tensors that are updated in place until they are the source of some op.

Source: https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.interfaces.bufferizable import BufferRelation
from xdsl_bufferization.interfaces.parallel_combining import combines_in_parallel
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    Slice,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.origins import sources_may_depend
from xdsl_bufferization.one_shot.facts.records import TensorOperand
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_FAILED_SEARCHES, MAX_RESHAPES_OF_EMPTY
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.regions import ancestor_in, defining_op
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    ranked_shape,
)
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.op_order import OpOrder
from xdsl_bufferization.tensors.reshaped_destinations import (
    Reshapes,
    are_views,
    as_reshape,
    undo,
)

_OPTIONS = OneShotOptions(
    allow_unknown_ops=True,
    allow_return_allocs_from_loops=True,
    bufferize_function_boundaries=True,
)


def eliminate_empty_tensors(module: ModuleOp) -> bool:
    """
    Replace each `tensor.empty` that is updated in place and then inserted into another
    tensor, or memref, by the part of it that is overwritten; returns whether the module has
    changed.

    Ops without side effects are moved if that makes the destination available where the
    empty tensor is used. Raises `BufferizationError`, with the module as it was, if it cannot be
    analysed.
    """
    return _eliminate(AnalysedModule(module, _OPTIONS), Edits())


@reduced_gc()
def _eliminate(analysed: AnalysedModule, edits: Edits) -> bool:
    """
    Eliminate empty tensors of an analysed module, where `edits` says which insertions are left as
    they are, and is told for which anything has changed. The decisions are up to date afterwards,
    except that they may be about ops that have been removed.
    """
    start = analysed.changes.position
    elimination = _Elimination(analysed, edits)
    for analysis in _analyses_to_search(analysed):
        elimination.run(analysis)
    if analysed.changes.position == start:
        return False
    analysed.has_changed()
    if elimination.replacements:
        if elimination.undo_useless(_analyze_again(analysed, start)):
            analysed.has_changed()
        elimination.clean_up()
    return analysed.changes.position > start


def eliminate_empty_tensors_of(program: AnalysedModule, edits: Edits) -> bool:
    """
    `eliminate-empty-tensors`, as far as `edits` admits; returns whether the program has
    changed. Raises `BufferizationError` if it cannot be bufferized.
    """
    start = program.changes.position
    try:
        return _eliminate(program, edits)
    except BufferizationError:
        program.changes.undo(start)
        # What is refused may be so because of an empty tensor, and be accepted without it.
        return _eliminate(
            AnalysedModule(program.module, _OPTIONS, program.changes), edits
        )


def _analyses_to_search(analysed: AnalysedModule) -> Sequence[OneShotAnalysis]:
    """The analyses, decided only if sources depend on which tensors are equivalent."""
    undecided = analysed.undecided_analyses
    depends = any(sources_may_depend(analysis.program) for analysis in undecided)
    return analysed.analyses if depends else undecided


def _analyze_again(analysed: AnalysedModule, start: int) -> Sequence[OneShotAnalysis]:
    """Analyse the rewritten program; functions that are refused are as they were at the start."""
    while True:
        try:
            return analysed.analyses
        except BufferizationError as error:
            # An op must write the part of the destination in place, and cannot.
            function = None if error.op is None else outermost_function(error.op)
            if not analysed.changes.undo(start, [function]).entries:
                raise


class _Replacement(NamedTuple):
    """An operand that was an empty tensor, and is part of a destination now."""

    user: Operation
    operand: int
    empty: SSAValue
    insertion: Operation
    destination: SSAValue


class _Elimination:
    """The replacements so far, the ops created for them, and the order of all ops."""

    def __init__(self, analysed: AnalysedModule, edits: Edits) -> None:
        self._changes = changes = analysed.changes
        self._edits = edits
        self._are_arguments_known = (
            analysed.options.function_boundary_type_conversion
            is LayoutMapOption.IDENTITY
        )
        self.replacements: dict[TensorOperand, _Replacement] = {}
        self._order = OpOrder(changes, analysed.functions_with_tensors_in_memory)
        self._created: list[Operation] = []
        self._taken: dict[Operation, SSAValue] = {}
        """By insertion into a memref: the tensor with the contents of that memref."""

    def run(self, analysis: OneShotAnalysis) -> None:
        """Replace empty tensors in the ops of the analysis."""
        search = EmptyTensorSearch(analysis)
        # From the last to the first: a destination that is itself inserted is a part of
        # another one before parts of it are taken.
        for info in reversed(analysis.program.ops):
            insertion = SubsetInsertionOpInterface.of(info.op)
            if insertion is None:
                continue
            index = insertion.source_operand(info.op)
            source = analysis.program.operand(info.op, index)
            edit = Edit(EditKind.COMPUTE_IN_DESTINATION, info.op, index)
            if (
                source is None
                or not (source.only_reads or analysis.is_in_place(source))
                or not self._edits.admits(edit)
            ):
                continue
            position = self._changes.position
            if is_memref_type(insertion.container(info.op).type):
                self._use_memref(search, source, insertion)
            else:
                self._use_tensor(search, source, insertion)
            if self._changes.position != position:
                self._edits.add(edit)

    def _use_tensor(
        self,
        search: EmptyTensorSearch,
        source: TensorOperand,
        insertion: SubsetInsertionOpInterface,
    ) -> None:
        """Replace each empty tensor by the destination's part, extracted where it is used."""
        op = source.owner.op
        needed = insertion.extraction_operands(op)
        is_valid = _is_within_bounds(op, insertion)
        for found in search.empty_operands(source):
            operand = found.operand
            user = operand.owner.op
            if (
                (is_valid or self._is_followed_by(user, op))
                and self._are_views(search, found, insertion.container(op))
                and all(self._order.make_available(value, user) for value in needed)
            ):
                part = self._extract(insertion, op, user)
                if part is not None and self._replace(found, part, op, insertion):
                    if not isinstance(part.owner, tensor.EmptyOp):
                        search.exclude(operand)
                        continue
                    # The destination is empty itself: another insertion may be better.
            search.count_failure(operand)

    def _are_views(
        self, search: EmptyTensorSearch, found: Found, container: SSAValue
    ) -> bool:
        """Whether the reshapes of what is found are views, undone on a part of the container."""
        return are_views(
            found.reshapes,
            found.operand.value.value,
            container,
            search.analysis,
            are_arguments_known=self._are_arguments_known,
        )

    def _is_followed_by(self, user: Operation, insertion: Operation) -> bool:
        """Whether the insertion, which uses what the user computes, happens each time."""
        parent = insertion.parent_op()
        if parent is not None and combines_in_parallel(insertion):
            insertion = parent
        return self._anchor(user, insertion) is not None

    def _use_memref(
        self,
        search: EmptyTensorSearch,
        source: TensorOperand,
        insertion: SubsetInsertionOpInterface,
    ) -> None:
        """
        Replace all empty tensors by one tensor with the contents of the memref.

        The analysis does not know which other ops access the memref, so that no op may
        from the first use of the tensor to the insertion.
        """
        op = source.owner.op
        usable: list[tuple[Found, Operation]] = []
        for found in search.sole_empty_operands(source):
            anchor = self._anchor(found.operand.owner.op, op)
            if (
                anchor is None
                or not self._are_views(search, found, insertion.container(op))
                or not all(
                    self._order.make_available(value, anchor)
                    for value in insertion.extraction_operands(op)
                )
            ):
                continue
            if not self._order.is_memory_accessed(anchor, op):
                usable.append((found, anchor))
        if not usable:
            return
        first = min((anchor for _, anchor in usable), key=self._order.position)
        part = self._extract(insertion, op, first)
        if part is None:
            return
        self._taken[op] = part
        for found, _ in usable:
            self._replace(found, part, op, insertion)

    def _anchor(self, user: Operation, insertion: Operation) -> Operation | None:
        """The op in the block of the insertion that is, or encloses, the user."""
        block = insertion.parent
        if block is None or block.parent is None:
            return None
        anchor = ancestor_in(block.parent, user)
        return anchor if anchor is not None and anchor.parent is block else None

    def _extract(
        self, insertion: SubsetInsertionOpInterface, op: Operation, before: Operation
    ) -> SSAValue | None:
        """Insert ops that extract the part that `op` overwrites, before the other op."""
        builder = self._changes.builder(before, new=self._created)
        part = insertion.build_extraction(op, builder)
        self._order.add_before(before)
        return part

    def _replace(
        self,
        found: Found,
        part: SSAValue,
        op: Operation,
        insertion: SubsetInsertionOpInterface,
    ) -> bool:
        """Use the part in place of the empty tensor, unless their types do not fit."""
        operand = found.operand
        user, empty = operand.owner.op, operand.value.value
        builder = self._changes.builder(user, new=self._created)
        value = undo(found.reshapes, part, empty, builder)
        self._order.add_before(user)
        if value is None:
            return False
        self._changes.set_operand(user, operand.index, value)
        # The user may get the empty tensor back.
        self._order.keep_in_order(defining_op(empty), user)
        self.replacements[operand] = _Replacement(
            user, operand.index, empty, op, insertion.container(op)
        )
        return True

    def undo_useless(self, analyses: Iterable[OneShotAnalysis]) -> bool:
        """
        Put empty tensors back where the analysis still wants another buffer, as the
        destination is read in between: that would copy its contents. Returns whether there
        were any.
        """
        replacements = self.replacements.values()
        insertions = {replacement.insertion for replacement in replacements}
        analysis_of = {
            info.op: analysis
            for analysis in analyses
            for info in analysis.program.ops
            if info.op in insertions
        }
        # All empty tensors of one insertion are replaced, or none: a mixture is copied.
        useful = {
            replacement.insertion
            for replacement in replacements
            if _is_useful(replacement, analysis_of[replacement.insertion])
        }
        before = self._changes.position
        for user, operand, empty, insertion, _ in replacements:
            if insertion not in useful and user.operands[operand] is not empty:
                self._changes.set_operand(user, operand, empty)
        return self._changes.position > before

    def clean_up(self) -> None:
        """Erase unused ops, and `restrict` where a second value for the memref is used."""
        for op in reversed(self._created):
            self._remove_if_unused(op)
        for insertion, part in self._taken.items():
            if part.first_use is not None:
                self._changes.remove_property(insertion, "restrict")
        for empty in {r.empty for r in self.replacements.values()}:
            self._remove_if_unused(defining_op(empty))

    def _remove_if_unused(self, op: Operation) -> None:
        if op.parent is not None and all(
            result.first_use is None for result in op.results
        ):
            self._changes.remove(op)


def _is_within_bounds(op: Operation, insertion: SubsetInsertionOpInterface) -> bool:
    """
    Whether the part that is overwritten can be extracted also where the insertion does not
    happen: all of the destination, or a slice that is known to be within it, and that does
    not have one element several times.
    """
    subset = insertion.subset(op)
    if not isinstance(subset, Slice):
        return subset == WHOLE
    shape = ranked_shape(insertion.container(op))
    return all(
        isinstance(offset, int)
        and isinstance(size, int)
        and isinstance(stride, int)
        and stride != 0
        and offset >= 0
        and extent != DYNAMIC_INDEX
        and 0 <= offset + (size - 1) * stride < extent
        for offset, size, stride, extent in zip(*subset, shape, strict=True)
    )


def _is_useful(replacement: _Replacement, analysis: OneShotAnalysis) -> bool:
    """Whether the user of the replaced operand works in the buffer of the destination."""
    operand = analysis.program.operand(replacement.user, replacement.operand)
    if operand is None or not analysis.is_in_place(operand):
        return False
    destination = analysis.program.values.get(replacement.destination)
    return destination is None or analysis.are_aliases(operand.value, destination)


class Found(NamedTuple):
    """An operand that is an empty tensor, and the reshapes on the way to it."""

    operand: TensorOperand
    reshapes: Reshapes = ()


class EmptyTensorSearch:
    """
    Walks back from operands, through operands in the same buffer, to empty tensors.

    Later walks are short where earlier ones have been: a chain of ops with a single source
    is skipped at once, and an operand is not entered if it leads to no empty tensor any more.
    """

    def __init__(self, analysis: OneShotAnalysis):
        self.analysis = analysis
        self._ends: dict[TensorOperand, Found] = {}
        """
        By operand: the end of the chain of single sources that starts with it, and the reshapes
        on the way, at most `MAX_RESHAPES_OF_EMPTY`.
        """
        self._exhausted: set[TensorOperand] = set()
        """Operands that lead to no empty tensor, or not any more."""
        self._failures: Counter[TensorOperand] = Counter()

    def empty_operands(self, source: TensorOperand) -> Iterator[Found]:
        """
        The operands that are empty tensors in the buffer of `source`, or would be if all
        operands were in place; without those that are excluded, before or between yields.
        """
        entered: list[TensorOperand] = []
        seen: set[TensorOperand] = set()
        pending = [Found(source)]
        while pending:
            start, before = pending.pop()
            operand, after = self._end(start)
            reshapes = before + after
            if (
                operand in seen
                or operand in self._exhausted
                or MAX_RESHAPES_OF_EMPTY.exceeded_by(len(reshapes))
            ):
                continue
            seen.add(operand)
            if _is_empty(operand):
                yield Found(operand, reshapes)
            else:
                entered.append(operand)
                pending.extend(
                    Found(source, reshapes + reshape)
                    for source, reshape in self._sources(operand)
                )
        for operand in reversed(entered):
            ends = (self._end(source).operand for source, _ in self._sources(operand))
            if all(end in self._exhausted for end in ends):
                self._exhausted.add(operand)

    def sole_empty_operands(self, source: TensorOperand) -> Sequence[Found]:
        """
        As `empty_operands`, but only empty tensors whose buffer no other op than those on
        the path to `source` has access to, and only one at a time: several if they are
        those of exclusive branches.
        """
        found: list[Found] = []
        pending = [Found(source)]
        while pending:
            operand, reshapes = pending.pop()
            if _is_empty(operand):
                found.append(Found(operand, reshapes))
            elif _has_one_user(
                operand.value.value
            ) and not MAX_RESHAPES_OF_EMPTY.exceeded_by(len(reshapes)):
                sources = [
                    Found(source, reshapes + reshape)
                    for source, reshape in self._sources(operand)
                    if _is_empty(source) or _has_one_user(source.value.value)
                ]
                owner = operand.value.owner
                are_exclusive = (
                    owner is not None
                    and owner.model is not None
                    and owner.model.has_exclusive_regions(owner.op)
                )
                # Of tensors that are live at the same time, only one can have the buffer.
                pending.extend(sources if are_exclusive else sources[:1])
        return found

    def exclude(self, operand: TensorOperand) -> None:
        """Do not find the operand again."""
        self._exhausted.add(operand)

    def count_failure(self, operand: TensorOperand) -> None:
        """Do not find the operand again if this has been called too often for it."""
        self._failures[operand] += 1
        if MAX_FAILED_SEARCHES.exceeded_by(self._failures[operand] + 1):
            self.exclude(operand)

    def _end(self, operand: TensorOperand) -> Found:
        """See `_ends`."""
        path: dict[TensorOperand, Reshapes] = {}
        while operand not in self._ends:
            sources = () if _is_empty(operand) else self._sources(operand)
            # A loop of blocks may forward a tensor to itself.
            if len(sources) != 1 or operand in path:
                break
            ((source, path[operand]),) = sources
            operand = source
        end = self._ends.get(operand, Found(operand))
        for step, reshape in reversed(path.items()):
            reshapes = reshape + end.reshapes
            end = Found(end.operand, reshapes[: MAX_RESHAPES_OF_EMPTY + 1])
            self._ends[step] = end
        return end

    def _sources(
        self, operand: TensorOperand
    ) -> Sequence[tuple[TensorOperand, Reshapes]]:
        """
        The operands whose buffer is that of the operand's tensor, or would be if they were
        in place, each with the reshape in between if its op is one.
        """
        value = operand.value
        return [
            (source, reshape)
            for source, alias in self.analysis.sources_given.of(value)
            if alias.relation is BufferRelation.EQUIVALENT
            and (
                (reshape := as_reshape(source.owner.op))
                or source.value.value.type == value.value.type
                or isinstance(source.owner.op, tensor.CastOp)
            )
        ]


def _has_one_user(value: SSAValue) -> bool:
    """Whether one op uses the tensor: it may overwrite a tensor that it reads."""
    users = (use.operation for use in value.uses)
    first = next(users, None)
    return first is not None and all(user is first for user in users)


def _is_empty(operand: TensorOperand) -> bool:
    return isinstance(operand.value.value.owner, tensor.EmptyOp)
