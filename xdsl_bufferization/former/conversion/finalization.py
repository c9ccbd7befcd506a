"""
The end of a bufferization in several passes: nothing may be left on tensors.

Source: MLIR's former pass `finalizing-bufferize`, https://mlir.llvm.org/docs/Bufferization/
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FunctionType, ModuleOp, TupleType, UnrankedMemRefType
from xdsl.ir import Attribute, Dialect, Operation

from xdsl_bufferization.former.conversion.partial_bufferization import (
    PARTIAL_OPTIONS,
    PARTIAL_PASSES,
)
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.models.bufferization import ToBufferModel, ToTensorModel
from xdsl_bufferization.one_shot.rewriting.bufferizer import OneShotBufferizer
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.memref_types import (
    has_static_layout,
    identity_type,
    is_cast_guaranteed,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import erase_unreachable_blocks, walk
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
    is_memref_type,
    is_tensor_type,
)


def finalize(module: ModuleOp) -> None:
    """
    Remove the materializations of tensors and buffers.

    Raises `BufferizationError`, with the module as it was, if an op still has tensors, or
    needs a copy that cannot be allocated.
    """
    with explained("finalize", checked("finalize", module, ModuleOp)):
        _finalize(module)


def _finalize(module: ModuleOp) -> None:
    left = [*_ops_on_tensors(module)]
    if left:
        first, *others = left
        raise BufferizationError(
            first,
            "is still on tensors",
            related=[("and so is", op) for op in others[:_SHOWN]],
            hint=_what_to_do(first),
        )
    ops = [*walk([module])]
    for op in ops:
        _verify_copy(op)
    for op in ops:
        erase_unreachable_blocks(op)
    bufferizer = OneShotBufferizer(PARTIAL_OPTIONS, _materialization, lambda _: None)
    bufferizer.bufferize([module])
    bufferizer.finish()


_SHOWN = 3
"""How many ops an error names beside the first."""


def _ops_on_tensors(module: ModuleOp) -> Iterator[Operation]:
    return (
        op
        for op in walk([module])
        if _materialization(op) is None
        and (has_tensor_semantics(op) or _hides_tensor(op))
    )


def _materialization(op: Operation) -> BufferizableOpInterface | None:
    """The model of the op if it connects tensors and memrefs."""
    model = BufferizableOpInterface.of(op)
    return model if isinstance(model, ToBufferModel | ToTensorModel) else None


def _verify_copy(op: Operation) -> None:
    """Raise `BufferizationError` if the op needs a copy that cannot be allocated."""
    if not isinstance(_materialization(op), ToBufferModel):
        return
    source = op.operands[0].owner
    have = source.operands[0].type if isinstance(source, Operation) else None
    want = op.results[0].type
    if (
        not is_memref_type(want)
        or have is None
        or have == want
        or is_cast_guaranteed(have, want)
    ):
        return
    allocated = identity_type(want, want.memory_space)
    if isinstance(have, UnrankedMemRefType) or not (
        is_cast_guaranteed(allocated, want) or has_static_layout(want)
    ):
        raise BufferizationError(
            op,
            f"needs a copy of {have} in a buffer of type {want}, and nothing tells its "
            "sizes or its layout",
            hint="ask for a ranked memref with a layout of unknown strides and offset",
        )


def _hides_tensor(op: Operation) -> bool:
    """Whether the type of an operand or result contains a tensor."""
    return any(map(_has_tensor, (*op.operand_types, *op.result_types)))


def _has_tensor(type: Attribute) -> bool:
    if isinstance(type, TupleType):
        return any(map(_has_tensor, type.types))
    if isinstance(type, FunctionType):
        return any(map(_has_tensor, (*type.inputs, *type.outputs)))
    return is_tensor_type(type)


def _what_to_do(op: Operation) -> str:
    model = BufferizableOpInterface.of(op)
    if model is None:
        return (
            "nothing bufferizes it: lower it to ops that are bufferized, or register a "
            "model for it"
        )
    dialect = Dialect.split_name(op_name(op))[0]
    if dialect in PARTIAL_PASSES:
        return f"run {PARTIAL_PASSES[dialect]} before"
    return (
        f"run one-shot-bufferize{{dialect-filter={dialect},bufferization "
        "copy-before-write unknown-type-conversion=identity-layout-map} before"
    )
