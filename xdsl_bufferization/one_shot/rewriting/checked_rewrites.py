"""
Mistakes in the `bufferize` of other packages' models, told by the names of the model and its op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import UnrankedMemRefType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import (
    MEANT,
    mistake,
    raised,
    raised_by_model,
    reason_invalid,
)
from xdsl_bufferization.support.memref_types import NotStridedError, identity_type
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
    is_memref_type,
    is_tensor,
    is_tensor_type,
)
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType

Results: TypeAlias = Sequence[SSAValue | Operation | None]
"""The values by which a model replaces the results of its op."""


class CheckedRewrite:
    """
    The rewrite of one op by the model of another package.

    `is_replaced` says whether a value is to be erased when all ops are rewritten; `buffer_of` is
    the buffer of a tensor, if it has one.
    """

    def __init__(
        self,
        model: BufferizableOpInterface,
        op: Operation,
        is_replaced: Callable[[SSAValue], bool],
        buffer_of: Callable[[SSAValue], SSAValue | None],
    ):
        self.op = op
        self._method = f"{type(model).__name__}.bufferize"
        self._model = model
        self._is_replaced = is_replaced
        self._buffer_of = buffer_of
        self._before = op.prev_op
        # Asked before the rewrite, which may take the op's regions.
        self._aliases = [
            (use.operand, {alias.value for alias in use.aliases})
            for use in model.operand_uses(op, NOTHING_KNOWN)
        ]
        for operand, values in self._aliases:
            values.update(model.memrefs(op, operand))

    def run(self, bufferize: Callable[[], None]) -> None:
        """
        Call the model.

        Raises `BufferizationError` if the model raises anything else than an error of a pass.
        """
        try:
            bufferize()
        except (*MEANT, NotStridedError):
            raise
        except Exception as error:
            told = raised_by_model(error)
            raise told or raised(self._model, "bufferize", self.op, error) from error

    def verify_results(self, results: Results) -> None:
        """
        Raise `BufferizationError` if these cannot replace the results of the op: another
        number of values, or one that is in no block, of another type, or in the buffer of an
        operand that the result does not alias.
        """
        olds = self.op.results
        if len(results) > len(olds):
            raise self._mistake(
                f"replaces {len(results)} results of an op that has {len(olds)}"
            )
        for index, old in enumerate(olds):
            new = results[index] if index < len(results) else None
            if new is None:
                if old.first_use is not None:
                    raise self._mistake(
                        f"gives nothing in place of result #{index}, which is used"
                    )
                continue
            value = SSAValue.get(new)
            self._verify_inserted(value, f"in place of result #{index}")
            type = value.type
            if not _can_replace(old.type, type):
                wanted = f"a buffer of {old.type}" if is_tensor(old) else str(old.type)
                raise self._mistake(
                    f"gives a value of type {type} in place of result #{index}, where "
                    f"{wanted} is needed"
                )
            self._verify_aliases(index, self._viewed(value))

    def _verify_inserted(self, value: SSAValue, use: str) -> None:
        """Raise `BufferizationError` if the value is the result of an op that is in no block."""
        if isinstance(op := value.owner, Operation) and op.parent is None:
            raise self._mistake(
                f"takes a result of a '{op_name(op)}' {use}, and does not insert that op: pass "
                "it to bufferizer.insert"
            )

    def _verify_aliases(self, index: int, memrefs: Sequence[SSAValue]) -> None:
        """
        Raise `BufferizationError` if one of the memrefs, which result `index` is in, is the
        buffer of operands, and the result aliases none of these.
        """
        result = self.op.results[index]
        buffers = [self._buffer_of(self.op.operands[i]) for i, _ in self._aliases]
        aliased = {
            buffer
            for buffer, (_, values) in zip(buffers, self._aliases, strict=True)
            if result in values
        }
        for buffer, (operand, _) in zip(buffers, self._aliases, strict=True):
            if buffer in memrefs and buffer not in aliased:
                method = "aliasing_values" if is_tensor(result) else "memrefs"
                raise self._mistake(
                    f"puts result #{index} into the buffer of operand #{operand}: "
                    f"{type(self._model).__name__}.{method} has to return the result for "
                    "that operand; or copy the buffer"
                )

    def _viewed(self, value: SSAValue) -> Sequence[SSAValue]:
        """The value, and the memrefs that it is in by views that the rewrite has inserted."""
        new_ops, viewed = {*self.new_ops()}, [value]
        for view in viewed:
            if isinstance(view, OpResult) and view.op in new_ops:
                viewed += [view.op.operands[i] for i in viewed_by(view)]
        return viewed

    def verify_rewritten(self, *, has_been_replaced: bool) -> None:
        """
        Raise `BufferizationError` if the op is neither replaced nor has been taken off
        tensors, new ops use tensors that are replaced, or values that are in no block, or an op
        in no block uses a new value or an operand's buffer.
        """
        if self.op.parent is None:
            raise self._mistake(
                "takes the op out of its block: an op that is passed to bufferizer.replace "
                "is erased at the end"
            )
        if not has_been_replaced and has_tensor_semantics(self.op):
            raise self._mistake(
                "leaves the op on tensors: pass the buffers of its results to "
                "bufferizer.replace"
            )
        for new in self.new_ops():
            for index, operand in enumerate(new.operands):
                self._verify_inserted(
                    operand, f"as operand #{index} of a '{op_name(new)}'"
                )
                if is_tensor(operand) and self._is_replaced(operand):
                    raise self._mistake(
                        f"makes a '{op_name(new)}' whose operand #{index} is a tensor that "
                        "has become a buffer: bufferizer.buffer returns that"
                    )
        buffers = (self._buffer_of(operand) for operand in self.op.operands)
        uses = [
            *(use for new in self.new_ops() for r in new.results for use in r.uses),
            # The last use comes first; buffers may have many.
            *(buffer.first_use for buffer in buffers if buffer is not None),
        ]
        for use in uses:
            if use is not None and use.operation.parent is None:
                raise self._mistake(
                    f"makes a '{op_name(use.operation)}', and does not insert it: pass it to "
                    "bufferizer.insert"
                )

    def new_ops(self) -> Iterator[Operation]:
        """The ops between those before the rewritten op and this, the last one first."""
        new = self.op.prev_op
        while new is not None and new is not self._before:
            yield new
            new = new.prev_op

    def verify_new_op(self, new: Operation) -> None:
        """
        Raise `BufferizationError` if an op that the rewrite has made is not valid. All ops
        have been rewritten.
        """
        if new.parent is not None and (reason := reason_invalid(new)) is not None:
            raise BufferizationError(
                new, f"is not valid: {reason}", hint=f"{self._method} has made it"
            )

    def _mistake(self, text: str) -> BufferizationError:
        return mistake(self.op, f"{self._method} {text}")


def _can_replace(old: Attribute, new: Attribute) -> bool:
    """Whether a value of the new type can be the buffer of, or stand for, one of the old."""
    if isinstance(old, TensorLikeType):
        return is_memref_type(new) or isinstance(new, BufferLikeType)
    if not is_tensor_type(old):
        return old == new
    if not is_memref_type(new):
        return False
    wanted = identity_type(old)
    if isinstance(wanted, UnrankedMemRefType) or isinstance(new, UnrankedMemRefType):
        return type(wanted) is type(new) and wanted.element_type == new.element_type
    return (wanted.get_shape(), wanted.element_type) == (
        new.get_shape(),
        new.element_type,
    )
