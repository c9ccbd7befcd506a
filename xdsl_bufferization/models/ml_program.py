"""How ml_program ops bufferize: to `memref.global`, and loads and copies of it."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import identity_type
from xdsl_bufferization.support.options import OneShotOptions


class GlobalModel(BufferizableOpInterface):
    """`ml_program.global`: `memref.global`"""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        if _property(op, "value") is None:
            raise BufferizationError(op, "can not be bufferized without a value")

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        type, value = _property(op, "type"), _property(op, "value")
        assert type is not None
        assert value is not None
        bufferizer.insert(
            memref.GlobalOp.get(
                _name(op),
                identity_type(type),
                value,
                _visibility(op),
                constant=None if _property(op, "is_mutable") else UnitAttr(),
            )
        )
        bufferizer.replace(op)


class ConstantLoadModel(BufferizableOpInterface):
    """`ml_program.global_load_const`: the global's buffer, which is read-only."""

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.replace(op, [_buffer(op, bufferizer, op.results[0].type)])


class LoadModel(BufferizableOpInterface):
    """
    `ml_program.global_load`: a copy of the global's buffer, since that may be stored to
    while the tensor is live.
    """

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return True

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        buffer = _buffer(op, bufferizer, op.results[0].type)
        bufferizer.replace(op, [bufferizer.copied(buffer)])


class StoreModel(BufferizableOpInterface):
    """`ml_program.global_store`: a copy into the global's buffer."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source = bufferizer.buffer(op.operands[0])
        bufferizer.copy(source, _buffer(op, bufferizer, op.operands[0].type))
        bufferizer.replace(op)


def _buffer(op: Operation, bufferizer: Bufferizer, tensor: Attribute) -> SSAValue:
    return bufferizer.insert(
        memref.GetGlobalOp(_global(op), identity_type(tensor))
    ).memref


def _global(op: Operation) -> str:
    """The name of the global that the op loads or stores."""
    return cast(SymbolRefAttr, _property(op, "global")).string_value()


def _name(op: Operation) -> StringAttr:
    return cast(StringAttr, _property(op, "sym_name"))


def _visibility(op: Operation) -> StringAttr:
    return cast(StringAttr, _property(op, "sym_visibility") or StringAttr("public"))


def _property(op: Operation, name: str) -> Attribute | None:
    # Some ops of xDSL name the property otherwise.
    found = attribute(op, name)
    return op.properties.get(f"{name}_attr") if found is None else found


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("global", GlobalModel()),
        ("global_load", LoadModel()),
        ("global_load_const", ConstantLoadModel()),
        ("global_store", StoreModel()),
    ):
        register_model(f"ml_program.{name}", model)
