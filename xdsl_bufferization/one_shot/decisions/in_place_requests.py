"""
"In place or fail": operands that must not get a copy, as the program or an option says.

The attribute `must_be_in_place` on an op is for all its tensor operands; or, as an array
with a boolean for each operand, for some of them. The option `must-be-in-place` of
`one-shot-bufferize` is for all ops that are bufferized. A tensor of unknown rank cannot be
copied, and so has to be in place in any case.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, UnitAttr, UnrankedTensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import cast_source
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand, ValueInfo
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import ALIASING_RESULT
from xdsl_bufferization.support.regions import defining_op, index_of

REQUEST_ATTRIBUTE = "must_be_in_place"

_HINT = (
    "change the order of reads and writes; or, if a copy is fine, take {} away, or make "
    "the copy explicit with bufferization.alloc_tensor"
)


def check_in_place_requests(
    analysis: BufferizationAnalysis,
    ops: Iterable[OpInfo],
    copies: Iterable[ForwardedCopy],
    *,
    everywhere: bool,
) -> None:
    """
    Raise `BufferizationError` if an operand of the ops is out of place that must be in place:
    by the op's attribute, because its rank is unknown, or, with `everywhere`, because all must
    be.

    `copies` are those of forwarded tensors.
    """
    for info in ops:
        request = info.op.attributes.get(REQUEST_ATTRIBUTE)
        if info.model is not None:
            _check_ranks(info, analysis)
        if request is None and (info.model is None or not everywhere):
            continue
        for operand in info.operands:
            if (
                _asks_for(request, info, operand.index) or everywhere
            ) and not analysis.is_in_place(operand):
                reason, origin = analysis.reason(operand), _origin(request)
                raise cannot_be_in_place(operand, reason, origin)
    for copy in copies:
        request = copy.terminator.attributes.get(REQUEST_ATTRIBUTE)
        info = analysis.program.info(copy.terminator)
        if info is None:
            continue
        if everywhere or _asks_for(request, info, copy.operand):
            raise BufferizationError(
                copy.terminator,
                f"must have operand #{copy.operand} in place, but it is in another "
                "buffer than what follows expects",
                related=[("this takes it over", copy.terminator.parent_op())],
                hint=_HINT.format(_origin(request)),
            )


def remove_request(op: Operation) -> None:
    """Remove the request from the op: it has been met."""
    op.attributes.pop(REQUEST_ATTRIBUTE, None)


def _origin(request: Attribute | None) -> str:
    """Where the request is made, for messages."""
    return (
        "the option must-be-in-place"
        if request is None
        else f"the attribute {REQUEST_ATTRIBUTE}"
    )


def _asks_for(request: Attribute | None, info: OpInfo, operand: int) -> bool:
    """Whether the attribute is a request for the operand."""
    if request is None or isinstance(request, UnitAttr):
        return request is not None
    if not isa(request, ArrayAttr[BoolAttr]) or len(request) != len(info.op.operands):
        raise BufferizationError(
            info.op,
            f"has an attribute {REQUEST_ATTRIBUTE} that is neither a unit attribute nor "
            "an array with a boolean for each operand",
        )
    return bool(request.data[operand].value.data)


def _check_ranks(info: OpInfo, analysis: BufferizationAnalysis) -> None:
    """Raise an error if an operand of unknown rank would be copied."""
    for operand in info.operands:
        if (
            not analysis.is_in_place(operand)
            and not _can_be_copied(operand.value.value)
            # The result is copied instead of an operand that is only forwarded.
            and (
                operand.writes or not any(_is_ranked(a.value) for a in operand.aliases)
            )
        ):
            what, related = _explained(analysis.reason(operand))
            raise BufferizationError(
                info.op,
                f"cannot copy a tensor of unknown rank, but operand #{operand.index} "
                f"needs a copy, as {what}",
                related=related,
                hint="cast the tensor to a ranked type, which can be copied, and from that "
                "to its own type if the op needs it",
            )


def _can_be_copied(value: SSAValue) -> bool:
    """Whether the tensor has a rank, or is cast from one that does."""
    while not _is_ranked(value):
        source = cast_source(value)
        if source is None:
            return False
        value = source
    return True


def _is_ranked(value: SSAValue) -> bool:
    return not isinstance(value.type, UnrankedTensorType)


def cannot_be_in_place(
    operand: TensorOperand, reason: Reason | None, origin: str | None = None
) -> BufferizationError:
    """
    The error about an operand that must be in place, because of the op, or else the `origin`,
    and cannot be for the reason.
    """
    what, related = _explained(reason)
    hint = ""
    if origin is not None:
        hint = _HINT.format(origin)
    elif isinstance(reason, NotWritable):
        hint = _how_to_write(reason.value.value)
    return BufferizationError(
        operand.owner.op,
        f"must have operand #{operand.index} in place, but {what}",
        related=related,
        hint=hint,
    )


def _explained(
    reason: Reason | None,
) -> tuple[str, list[tuple[str, Operation | None]]]:
    """The reason in words, and the ops that have to do with it."""
    match reason:
        case Conflict(read, write, definition):
            where, op = _definition(definition)
            return "that causes a read-after-write conflict", [
                (f"the contents are those of {where}", op),
                (
                    f"they are still to be read by operand #{read.index} of",
                    read.owner.op,
                ),
                (
                    f"but would be destroyed through operand #{write.index} of",
                    write.owner.op,
                ),
            ]
        case NotWritable(value):
            where, op = _definition(value)
            return "its buffer must not be written", [
                (f"the buffer that is not writable is that of {where}", op)
            ]
        case Race(write, definition):
            where, op = _definition(definition)
            return "several runs of a parallel region would write the same memory", [
                (f"the memory is that of {where}", op),
                (f"it is written through operand #{write.index} of", write.owner.op),
            ]
        case None:
            return "every write works on a copy, without an analysis", []


def _definition(info: ValueInfo) -> tuple[str, Operation | None]:
    """A tensor in words, and the op that has it as a result or block argument."""
    value = info.value
    if isinstance(value, BlockArgument):
        return f"block argument #{value.index} of", value.block.parent_op()
    return f"result #{index_of(value)} of", defining_op(value)


def _how_to_write(value: SSAValue) -> str:
    """The change that lets the memory of the tensor be written, if one is known."""
    if not isinstance(value, BlockArgument) or not isinstance(
        value.block.parent_op(), func.FuncOp
    ):
        return ""
    return (
        f"if callers do not need argument #{value.index} as it was, donate it with "
        f"{ALIASING_RESULT}, or give it bufferization.writable = true"
    )
