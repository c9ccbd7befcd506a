"""
The rewrite from tensors to buffers; models rewrite their ops.

    %r = tensor.insert %f into %t[%i]    // model: buffers of %f, %t, %i; a store; %r is %t's
    memref.store %f, %t_buffer[%i]       // inserted before it; %r -> %t_buffer is noted

Ops are rewritten in program order: new ops are inserted before the tensor op, which
stays until the end, when all replaced ops are erased, from the last to the first. So a
model may still look at the tensor program around its op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, cast

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    SSAValue,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.host.commands import with_progress
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    ModelOf,
)
from xdsl_bufferization.one_shot.rewriting.buffer_types import (
    BufferTypeInference,
    no_view_error,
)
from xdsl_bufferization.one_shot.rewriting.op_builder import (
    BufferOpBuilder,
    ConstantGlobals,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import is_of_other_package
from xdsl_bufferization.support.locations import copy_location
from xdsl_bufferization.support.memref_types import (
    NotStridedError,
    is_cast_guaranteed,
)
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import replace_argument, walk
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    has_tensor_semantics,
    is_tensor,
)

if TYPE_CHECKING:
    from xdsl_bufferization.one_shot.rewriting.checked_rewrites import CheckedRewrite


class OneShotBufferizer(BufferTypeInference, BufferOpBuilder):
    """
    Rewrites programs: call `bufferize` for each scope, callees first, and then `finish`.

    `model_of` gives the model of an op that is bufferized, `callee_of` the function that
    an op calls; `recursive` are the functions that may call themselves. Other ops keep
    their tensors: `bufferization.to_tensor` and `bufferization.to_buffer` connect them to
    the rest. What models may call is described in `Bufferizer`.
    """

    def __init__(
        self,
        options: OneShotOptions,
        model_of: ModelOf,
        callee_of: Callable[[Operation], func.FuncOp | None],
        recursive: AbstractSet[func.FuncOp] = frozenset(),
    ):
        BufferTypeInference.__init__(self, options, model_of, callee_of, recursive)
        BufferOpBuilder.__init__(self, options.buffer_alignment)
        self._buffers: dict[SSAValue, SSAValue] = {}
        """By tensor: its buffer."""
        self._typed_buffers: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        """By tensor that has no buffer but a `to_buffer`, and type: another `to_buffer`."""
        self._tensors: dict[SSAValue, SSAValue] = {}
        """By tensor with a buffer: the contents of the buffer as a tensor."""
        self._replaced: dict[Operation, None] = {}
        self._replaced_arguments: dict[BlockArgument, None] = {}
        """Those in whose place others are."""
        self._erased_arguments: dict[BlockArgument, None] = {}
        """Those in whose place there will be none."""
        self._arguments: dict[Block, Sequence[BlockArgument]] = {}
        """By block that is branched to: its arguments before any was replaced."""
        self._globals = ConstantGlobals(options.buffer_alignment)
        self._checked: CheckedRewrite | None = None
        """The rewrite that is going on, if it is that of another package's model."""
        self._new_ops: list[tuple[Operation, CheckedRewrite]] = []
        """The ops that rewrites of other packages have made."""

    # The rewrite as a whole ---------------------------------------------------------

    def bufferize(self, scope: Iterable[Operation]) -> None:
        """Rewrite the ops of the scope and those nested in them."""
        ops = list(walk(scope))
        for op in with_progress(ops, len(ops), "rewrite"):
            if not has_tensor_semantics(op):
                continue
            model = self.model_of(op)
            if model is None:
                self._connect(op)
                continue
            self.start(op)
            try:
                if is_of_other_package(type(model)):
                    self._bufferize_checked(op, model)
                else:
                    model.bufferize(op, self)
            except NotStridedError as error:
                raise no_view_error(op, error) from error

    def _bufferize_checked(self, op: Operation, model: BufferizableOpInterface) -> None:
        """Rewrite the op by the model of another package."""
        # Programs without such models do not wait for it.
        from xdsl_bufferization.one_shot.rewriting.checked_rewrites import (
            CheckedRewrite,
        )

        rewrite = CheckedRewrite(model, op, self._is_replaced, self._buffers.get)
        self._checked = rewrite
        rewrite.run(lambda: model.bufferize(op, self))
        self._checked = None
        rewrite.verify_rewritten(
            has_been_replaced=op in self._replaced
            or any(result in self._buffers for result in op.results)
        )
        self._new_ops.extend((new, rewrite) for new in rewrite.new_ops())

    def _is_replaced(self, value: SSAValue) -> bool:
        """Whether the value will be erased."""
        return (
            value.owner in self._replaced
            or value in self._replaced_arguments
            or value in self._erased_arguments
        )

    def finish(self) -> None:
        """Erase all that has been replaced."""
        for op in reversed(self._replaced):
            for result in op.results:
                if (use := result.first_use) is not None:
                    raise _still_used(op, use.operation)
            # As `erase` does, which replaces the results first, though none is used.
            op.detach()
            op.drop_all_references()
        for argument in reversed(self._erased_arguments):
            argument.block.erase_arg(argument)
        for argument in self._replaced_arguments:
            argument.erase()
        for new, rewrite in self._new_ops:
            rewrite.verify_new_op(new)

    def _connect(self, op: Operation) -> None:
        """Let an op that stays on tensors use tensors, where there are buffers now."""
        for index, operand in enumerate(op.operands):
            if is_tensor(operand) and operand in self._buffers:
                op.operands[index] = self._tensor(operand, op)

    def _tensor(self, value: SSAValue, user: Operation) -> SSAValue:
        """The contents of the value's buffer as a tensor, from where the value is defined."""
        tensor = self._tensors.get(value)
        if tensor is None:
            op = ToTensorOp(self._buffers[value], result_type=value.type)
            _insert_after(value, op, user)
            tensor = self._tensors[value] = op.tensor
        return tensor

    # What models use to rewrite an op: see Bufferizer -----------------------------------

    def buffer_type(self, value: SSAValue) -> MemRef:
        buffer = self._buffers.get(value)
        return (
            super().buffer_type(value) if buffer is None else cast(MemRef, buffer.type)
        )

    def buffer(self, value: SSAValue) -> SSAValue:
        buffer = self._buffers.get(value)
        if buffer is None:
            if not is_tensor(value):
                return value
            op = ToBufferOp(value, self.buffer_type(value))
            _insert_after(value, op, self._op)
            buffer = self._buffers[value] = op.memref
            # The tensor stays, for other ops on tensors.
            self._tensors[value] = value
        return buffer

    def known_buffer(self, value: SSAValue) -> SSAValue | None:
        buffer = self._buffers.get(value)
        if buffer is not None and isinstance(owner := buffer.owner, ToBufferOp):
            return None if owner.tensor is value else buffer
        return buffer

    def has_buffer_of_type(self, value: SSAValue, type: Attribute) -> bool:
        return self.known_buffer(value) is not None or is_cast_guaranteed(
            self.buffer_type(value), type
        )

    def buffer_of_type(self, value: SSAValue, type: Attribute) -> SSAValue:
        if not is_tensor(value):
            return value
        if self.has_buffer_of_type(value, type):
            return self.cast(self.buffer(value), type)
        # Its op stays on tensors: the pass that bufferizes it may choose the layout.
        typed = self._typed_buffers.get((value, type))
        if typed is None:
            op = ToBufferOp(value, type)
            _insert_after(value, op, self._op)
            typed = self._typed_buffers[value, type] = op.memref
        return typed

    def keep(self, tensor: SSAValue, buffer: SSAValue) -> None:
        self._set_buffer(tensor, buffer)
        self._tensors[tensor] = tensor

    def _set_buffer(self, tensor: SSAValue, buffer: SSAValue) -> None:
        self._buffers[tensor] = buffer
        self._note_change(self._types.get(tensor), buffer.type)

    def operands(self, op: Operation) -> list[SSAValue]:
        return [*map(self.buffer, op.operands)]

    def replace(
        self, op: Operation, results: Sequence[SSAValue | Operation | None] = ()
    ) -> None:
        if self._checked is not None and self._checked.op is op:
            self._checked.verify_results(results)
        for old, new in zip(op.results, results, strict=False):
            if new is None:
                continue
            value = new if isinstance(new, SSAValue) else SSAValue.get(new)
            if value.name_hint is None:
                value.name_hint = old.name_hint
            if is_tensor(old):
                self._set_buffer(old, value)
            else:
                old.replace_all_uses_with(value)
        self._replaced[op] = None

    def replace_argument(self, argument: BlockArgument, type: Attribute) -> None:
        self._set_buffer(argument, replace_argument(argument, type))
        self._replaced_arguments[argument] = None

    def replace_argument_by(self, argument: BlockArgument, buffer: SSAValue) -> None:
        self._set_buffer(argument, buffer)
        self._erased_arguments[argument] = None

    def replace_tensor_arguments(self, block: Block) -> None:
        if block not in self._arguments:
            self._arguments[block] = block.args
            for argument in self._arguments[block]:
                if is_tensor(argument):
                    self.replace_argument(argument, self.buffer_type(argument))

    def argument_type(self, block: Block, index: int) -> MemRef:
        return self.buffer_type(self._arguments.get(block, block.args)[index])

    def rebuild(
        self,
        op: Operation,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
    ) -> Operation:
        return self.insert(
            type(op).create(
                operands=operands,
                result_types=result_types,
                properties={**op.properties, **properties},
                attributes=op.attributes,
                successors=op.successors,
                regions=[op.detach_region(0) for _ in range(len(op.regions))],
                location=op.location,
            )
        )

    def global_constant(self, op: Operation, value: Attribute) -> SSAValue:
        space = self.buffer_type(op.results[0]).memory_space
        constant = self._globals.get(op, value, space)
        return self.insert(
            memref.GetGlobalOp(constant.sym_name.data, constant.type)
        ).memref


def _still_used(op: Operation, user: Operation) -> BufferizationError:
    return BufferizationError(
        op,
        "has become an op on buffers, and one of its results is still used",
        related=[("the use", user)],
        hint="the model of that op has to get operands from bufferizer.buffer, or in front "
        "of the op",
    )


def _insert_after(value: SSAValue, op: Operation, user: Operation | None) -> None:
    """Insert `op`, which `user` needs, at the first point at which the value is available."""
    owner = value.owner
    if isinstance(owner, Block):
        point, made_for = InsertPoint.at_start(owner), user
    else:
        point, made_for = InsertPoint.after(owner), owner
    if made_for is not None:
        copy_location(made_for, op)
    Builder(point).insert(op)
