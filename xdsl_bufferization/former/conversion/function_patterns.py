"""
Patterns that change the signatures of functions, their returns and their calls.

Source: `BufferizeFuncOpConverter`, `BufferizeReturnOpConverter` and
`BufferizeCallOpConverter` of https://mlir.llvm.org/docs/Bufferization/ in LLVM 11

The partial passes as patterns: each rewrites one op, with the terminators of its regions,
through the model that One-Shot Bufferize rewrites it with. Patterns are applied to a module as a
partial conversion.

Source: the functions `populate*BufferizePatterns` of https://mlir.llvm.org/docs/Bufferization/
in LLVM 13 to 18, and https://mlir.llvm.org/docs/DialectConversion/#modes-of-conversion
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.dialects.memref import AllocOp, CopyOp
from xdsl_bufferization.former.conversion.partial_bufferization import (
    PARTIAL_OPTIONS,
    copying_analysis,
    partial_model,
)
from xdsl_bufferization.former.conversion.type_converter import (
    BufferizeTypeConverter,
    ResultConversionKind,
)
from xdsl_bufferization.host.releases import replace_op
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface, ModelOf
from xdsl_bufferization.interfaces.parallel_combining import belongs_to_parent
from xdsl_bufferization.interfaces.region_branch import BranchOpInterface
from xdsl_bufferization.models.bufferization import ToBufferModel, ToTensorModel
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.rewriting.bufferizer import OneShotBufferizer
from xdsl_bufferization.one_shot.rewriting.op_builder import ConstantGlobals
from xdsl_bufferization.one_shot.rewriting.tensor_copies import insert_tensor_copies
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import block_of, replace_argument, walk
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    has_tensor_semantics,
    is_memref_type,
    is_tensor,
)
from xdsl_bufferization.support.snapshots import Snapshot, all_or_nothing

_APPENDED = ResultConversionKind.APPEND_TO_ARGUMENTS_LIST


def _kept_and_appended(
    types: Sequence[Attribute], converter: BufferizeTypeConverter
) -> tuple[list[Attribute], list[Attribute]]:
    """The types of the results that are kept, and of those that become arguments."""
    kept: list[Attribute] = []
    appended: list[Attribute] = []
    for type in types:
        for after, is_appended in _parts(type, converter):
            (appended if is_appended else kept).append(after)
    return kept, appended


def _parts(
    type: Attribute, converter: BufferizeTypeConverter
) -> Sequence[tuple[Attribute, bool]]:
    """For each part of a result, its type, and whether it becomes an argument."""
    return [
        (after, converter.result_conversion_kind(before, after) is _APPENDED)
        for before in converter.decompose_type(type)
        for after in (converter.convert_type(before),)
    ]


@dataclass(frozen=True)
class BufferizeFuncOpConverter(RewritePattern):
    """
    Converts the signature of `func.func`: arguments and results are taken apart and
    converted, and results that are to be arguments follow the others.
    """

    converter: BufferizeTypeConverter

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.FuncOp, rewriter: PatternRewriter) -> None:
        inputs = [self.converter.convert_parts(t) for t in op.function_type.inputs]
        kept, appended = _kept_and_appended(
            op.function_type.outputs.data, self.converter
        )
        type = FunctionType.from_lists(
            [*(type for types in inputs for type in types), *appended], kept
        )
        if type == op.function_type:
            return
        if (entry := op.body.blocks.first) is not None:
            self._convert_arguments(entry, inputs)
            for type_ in appended:
                entry.insert_arg(type_, len(entry.args), op.location)
        self._convert_attributes(op, inputs, len(appended))
        op.function_type = type
        rewriter.notify_op_modified(op)

    def _convert_arguments(
        self, entry: Block, types: Sequence[Sequence[Attribute]]
    ) -> None:
        builder = Builder(InsertPoint.at_start(entry))
        for argument, converted in zip([*entry.args], types, strict=True):
            if [*converted] == [argument.type]:
                continue
            parts: list[SSAValue] = []
            for type in converted:
                part = entry.insert_arg(type, argument.index, argument.location)
                part.name_hint = argument.name_hint
                parts.append(part)
            value = self.converter.pack(builder, argument.type, parts)
            argument.replace_all_uses_with(value)
            entry.erase_arg(argument)

    def _convert_attributes(
        self, op: func.FuncOp, types: Sequence[Sequence[Attribute]], appended: int
    ) -> None:
        """Arguments and results that are taken apart, or moved, lose their attributes."""
        if op.arg_attrs is not None:
            kept = [
                attributes if len(converted) == 1 else DictionaryAttr({})
                for attributes, converted in zip(op.arg_attrs, types, strict=True)
                for _ in converted
            ]
            op.arg_attrs = ArrayAttr([*kept, *[DictionaryAttr({})] * appended])
        if op.res_attrs is not None:
            op.res_attrs = ArrayAttr(
                attributes if len(parts) == 1 else DictionaryAttr({})
                for attributes, type in zip(
                    op.res_attrs, op.function_type.outputs, strict=True
                )
                for parts in (_parts(type, self.converter),)
                for _, is_appended in parts
                if not is_appended
            )


@dataclass(frozen=True)
class BufferizeReturnOpConverter(RewritePattern):
    """
    Converts returns: a result that has become an argument is copied there.

    `source_op` is the class or the name of the ops to convert. `target_op` makes the new op
    of the values that are still returned, `copy_op` the copy of a buffer into another; both
    may be op classes.
    """

    converter: BufferizeTypeConverter
    source_op: type[Operation] | str = func.ReturnOp
    target_op: Callable[..., Operation] = func.ReturnOp
    copy_op: Callable[[SSAValue, SSAValue], Operation] = CopyOp

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        function = op.parent_op()
        if not isinstance(function, func.FuncOp) or not self._is_source(op):
            return
        outputs = [*function.function_type.outputs]
        if [*op.operand_types] == outputs and self.source_op is self.target_op:
            return
        kept: list[SSAValue] = []
        appended: list[SSAValue] = []
        for operand in op.operands:
            values = self.converter.decompose_value(rewriter, operand)
            parts = _parts(operand.type, self.converter)
            for value, (_, is_appended) in zip(values, parts, strict=True):
                (appended if is_appended else kept).append(value)
        arguments = [*function.args]
        destinations = arguments[len(arguments) - len(appended) :]
        if [value.type for value in (*kept, *appended)] != [
            *outputs,
            *(destination.type for destination in destinations),
        ]:
            raise BufferizationError(
                op,
                "does not return what the signature of its function says",
                hint="convert functions with the same type converter, before returns",
            )
        builder = builder_for(op)
        for value, destination in zip(appended, destinations, strict=True):
            builder.insert(self.copy_op(value, destination))
        builder.insert(self.target_op(*kept))
        replace_op(rewriter, op, (), ())

    def _is_source(self, op: Operation) -> bool:
        if isinstance(self.source_op, str):
            return op_name(op) == self.source_op
        return isinstance(op, self.source_op)


@dataclass(frozen=True)
class BufferizeCallOpConverter(RewritePattern):
    """
    Converts the operands and results of `func.call` as in functions, and allocates a
    buffer for each result that has become an argument.
    """

    converter: BufferizeTypeConverter

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.CallOp, rewriter: PatternRewriter) -> None:
        kept, appended = _kept_and_appended(op.result_types, self.converter)
        if (
            all(map(self.converter.is_legal, op.operand_types))
            and [*op.result_types] == kept
        ):
            return
        operands = [
            part
            for operand in op.operands
            for part in self.converter.decompose_value(rewriter, operand)
        ]
        builder = builder_for(op)
        buffers = [builder.insert(_alloc(op, type)).memref for type in appended]
        call = func.CallOp(op.callee, [*operands, *buffers], kept)
        call.attributes = op.attributes.copy()
        builder.insert(call)
        returned, allocated = iter(call.results), iter(buffers)
        replacements = [
            self.converter.pack(
                rewriter,
                result.type,
                [
                    next(allocated if is_appended else returned)
                    for _, is_appended in _parts(result.type, self.converter)
                ],
            )
            for result in op.results
        ]
        replace_op(rewriter, op, [], replacements)


def _alloc(op: Operation, type: Attribute) -> memref.AllocOp:
    """An allocation for a result that the function writes to an argument."""
    if not isinstance(type, MemRefType) or DYNAMIC_INDEX in (sizes := type.get_shape()):
        raise BufferizationError(
            op,
            f"would need memory for a result of type {type}, and nothing tells how much",
            hint="let functions return what is of this type: set_result_conversion_kind "
            "with KEEP_AS_FUNCTION_RESULT",
        )
    return AllocOp.get(
        type.element_type,
        shape=sizes,
        layout=type.layout,
        memory_space=type.memory_space,
    )


def populate_with_bufferize_op_conversion_patterns(
    converter: BufferizeTypeConverter,
    patterns: list[RewritePattern],
    source_op: type[Operation] | str = func.ReturnOp,
    target_op: Callable[..., Operation] = func.ReturnOp,
    copy_op: Callable[[SSAValue, SSAValue], Operation] = CopyOp,
) -> None:
    """
    Add the patterns for functions, returns and calls; see `BufferizeReturnOpConverter` for
    the ops.
    """
    patterns += (
        BufferizeFuncOpConverter(converter),
        BufferizeReturnOpConverter(converter, source_op, target_op, copy_op),
        BufferizeCallOpConverter(converter),
    )


@dataclass(frozen=True)
class BufferizeOpPattern(RewritePattern):
    """
    Bufferizes the ops for which `is_illegal` holds. `to_tensor` and `to_buffer`, of the
    memref types that the converter gives, connect them to ops that stay on tensors.
    """

    converter: BufferizeTypeConverter
    is_illegal: Callable[[Operation], bool]
    options: OneShotOptions = PARTIAL_OPTIONS

    @cached_property
    def constants(self) -> ConstantGlobals:
        """The globals that hold constants."""
        return ConstantGlobals(self.options.buffer_alignment)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        model = BufferizableOpInterface.of(op)
        if (
            model is None
            or belongs_to_parent(op)
            or not self.is_illegal(op)
            or not has_tensor_semantics(op)
        ):
            return
        model.verify_op(op, self.options)
        members = [op, *_forwarding_ops(op)]
        copies = self._insert_copies(op, members)
        rewritten = [*members, *reversed(copies)]
        bufferizer = _ConvertingBufferizer(self, {*rewritten})
        for rewritten_op in rewritten:
            for operand in rewritten_op.operands:
                if isinstance(owner := operand.owner, ToTensorOp):
                    bufferizer.keep(operand, owner.memref)
        bufferizer.bufferize([*(c for c in copies if c.parent is op.parent), op])
        builder = builder_for(op, InsertPoint.after(op))
        for result in op.results:
            if is_tensor(result) and result.first_use is not None:
                buffer = bufferizer.buffer(result)
                tensor = builder.insert(ToTensorOp(buffer, result_type=result.type))
                result.replace_all_uses_with(tensor.tensor)
        # Each op after its users: xDSL visits their operands next.
        for rewritten_op in rewritten:
            rewriter.handle_operation_removal(rewritten_op)
        bufferizer.finish()
        rewriter.has_done_action = True

    def _insert_copies(
        self, op: Operation, members: Sequence[Operation]
    ) -> Sequence[Operation]:
        """Copy the operands that the members write; return the new ops in program order."""
        block = block_of(op)
        before = op.prev_op
        present = {*walk([op])}
        program = TensorProgram([op], _models_of({*members}))
        insert_tensor_copies(copying_analysis(program, self.options))
        first = block.first_op if before is None else before.next_op
        copies: list[Operation] = []
        while first is not None and first is not op:
            copies.append(first)
            first = first.next_op
        return [*copies, *(nested for nested in walk([op]) if nested not in present)]


class _ConvertingBufferizer(OneShotBufferizer):
    """Rewrites these ops; all others stay on tensors for now."""

    def __init__(self, pattern: BufferizeOpPattern, ops: AbstractSet[Operation]):
        super().__init__(pattern.options, _models_of(ops), lambda _: None)
        self._converter = pattern.converter
        # It numbers the globals of the whole module.
        self._globals = pattern.constants

    def unknown_type(self, value: SSAValue) -> MemRef:
        converted = self._converter.convert_type(value.type)
        if not is_memref_type(converted):
            raise self.error(f"needs a memref for {value.type}, which is {converted}")
        return converted


def _models_of(ops: AbstractSet[Operation]) -> ModelOf:
    """Returns the models of these ops, and none of others."""
    return lambda op: (
        partial_model(BufferizableOpInterface.of(op)) if op in ops else None
    )


def _forwarding_ops(op: Operation) -> Iterator[Operation]:
    """The ops in the regions of the op that forward tensors to its results."""
    ends = [
        block.last_op
        for region in op.regions
        for block in region.blocks
        if block.last_op is not None and belongs_to_parent(block.last_op)
    ]
    for end in ends:
        yield end
        for region in end.regions:
            for block in region.blocks:
                yield from filter(belongs_to_parent, block.ops)


@dataclass(frozen=True)
class BufferizeBranchOpConverter(RewritePattern):
    """Converts the arguments of blocks, and the operands that branches forward to them."""

    converter: BufferizeTypeConverter

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for block in op.successors:
            for argument in [*block.args]:
                type = self.converter.convert_type(argument.type)
                if type != argument.type:
                    self._convert(block, argument, type)
                    rewriter.has_done_action = True

    def _convert(self, block: Block, argument: BlockArgument, type: Attribute) -> None:
        for use in block.uses:
            branch = use.operation
            model = BranchOpInterface.of(branch)
            if model is None:
                raise BufferizationError(
                    branch,
                    "hands tensors to blocks, and nothing is known of how it does that",
                    hint="lower it to cf ops, or register a model for it",
                )
            operand = model.forwarded(branch, use.index)[argument.index]
            branch.operands[operand] = self.converter.materialize_target(
                builder_for(branch),
                type,
                branch.operands[operand],
            )
        new = replace_argument(argument, type)
        builder = Builder(InsertPoint.at_start(block))
        argument.replace_all_uses_with(
            self.converter.materialize_source(builder, argument.type, new)
        )
        argument.erase()


@dataclass(frozen=True)
class _PatternsOfDialect:
    """Adds the patterns of the partial pass that bufferizes the dialect."""

    dialect: str

    def __call__(
        self,
        converter: BufferizeTypeConverter,
        patterns: list[RewritePattern],
        options: OneShotOptions = PARTIAL_OPTIONS,
    ) -> None:
        patterns.append(BufferizeOpPattern(converter, self._is_illegal, options))

    def _is_illegal(self, op: Operation) -> bool:
        model = BufferizableOpInterface.of(op)
        return op_name(op).partition(".")[0] == self.dialect and not isinstance(
            model, ToBufferModel | ToTensorModel
        )


populate_arith_bufferize_patterns = _PatternsOfDialect("arith")
"""Add the patterns of `arith-bufferize`."""

populate_bufferization_bufferize_patterns = _PatternsOfDialect("bufferization")
"""Add the patterns of `bufferization-bufferize`."""

populate_linalg_bufferize_patterns = _PatternsOfDialect("linalg")
"""Add the patterns of `linalg-bufferize`."""

populate_scf_bufferize_patterns = _PatternsOfDialect("scf")
"""Add the patterns of `scf-bufferize`."""

populate_tensor_bufferize_patterns = _PatternsOfDialect("tensor")
"""Add the patterns of `tensor-bufferize`."""


def populate_func_bufferize_patterns(
    converter: BufferizeTypeConverter, patterns: list[RewritePattern]
) -> None:
    """Add the patterns of `func-bufferize`: functions, returns, calls and branches."""
    populate_with_bufferize_op_conversion_patterns(converter, patterns)
    patterns.append(BufferizeBranchOpConverter(converter))


def populate_eliminate_bufferize_materializations_patterns(
    converter: BufferizeTypeConverter,
    patterns: list[RewritePattern],
    options: OneShotOptions = PARTIAL_OPTIONS,
) -> None:
    """
    Add the pattern that replaces `to_buffer` of a `to_tensor` by the memref, cast or copied
    if need be, as `finalizing-bufferize` does.
    """
    patterns.append(BufferizeOpPattern(converter, _is_pair, options))


def _is_pair(op: Operation) -> bool:
    return isinstance(BufferizableOpInterface.of(op), ToBufferModel) and isinstance(
        op.operands[0].owner, ToTensorOp
    )


_MATERIALIZATIONS = UnrealizedConversionCastOp, ToBufferOp, ToTensorOp


def apply_bufferization_patterns(
    module: ModuleOp, patterns: Sequence[RewritePattern]
) -> None:
    """
    Rewrite each op of the module by the first pattern that matches it, an op before those in
    its regions. New ops are not rewritten again; ops without a matching pattern stay as they
    are.

    Raises what a pattern raises, with the module as it was.
    """

    applied = GreedyRewritePatternApplier([*patterns], dce_enabled=False)

    def rewrite(before: Snapshot) -> None:
        for op in [*walk(module.ops)]:
            # It may have been replaced with the op around it.
            if op.parent is not None:
                applied.match_and_rewrite(op, PatternRewriter(op))
        ops = walk(module.ops)
        _erase_unused(op for op in ops if isinstance(op, _MATERIALIZATIONS))

    all_or_nothing(module, rewrite)


def _erase_unused(ops: Iterable[Operation]) -> None:
    """Erase unused ops among these, and the materializations that only they use."""
    left = [*ops]
    while left:
        op = left.pop()
        if op.parent is None or any(
            result.first_use is not None for result in op.results
        ):
            continue
        operands: list[SSAValue] = [*op.operands]
        Rewriter.erase_op(op)
        left += [v.owner for v in operands if isinstance(v.owner, _MATERIALIZATIONS)]
