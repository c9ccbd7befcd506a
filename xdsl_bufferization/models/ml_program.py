"""How ml_program ops bufferize: to `memref.global`, and loads and copies of it."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.memref import GlobalOp
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    AnalysisState,
    BufferizableOpInterface,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.registry import answering, never, register_model
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_OPS_TO_LAST_READ
from xdsl_bufferization.support.memref_types import identity_type
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import (
    block_of,
    passes_tensors_to_regions,
    walk_all,
)
from xdsl_bufferization.support.shaped_types import is_memref_type


class GlobalModel(BufferizableOpInterface):
    """`ml_program.global`: `memref.global`"""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        type, value = _property(op, "type"), _property(op, "value")
        if value is None:
            raise BufferizationError(op, "cannot be bufferized without a value")
        if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
            raise BufferizationError(
                op,
                f"has the value {value}, which a memref.global cannot have",
                hint="give it a dense one",
            )
        if isinstance(type, TensorType) and not type.has_static_shape():
            raise BufferizationError(
                op, f"is of type {type}, and a memref.global has a static size"
            )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.insert(
            GlobalOp.get(
                _known(op, "sym_name", StringAttr),
                identity_type(_known(op, "type", Attribute)),
                _known(op, "value", Attribute),
                _visibility(op),
                constant=None if _property(op, "is_mutable") else UnitAttr(),
            )
        )
        bufferizer.replace(op)


class ConstantLoadModel(BufferizableOpInterface):
    """`ml_program.global_load_const`: the global's buffer, which is read-only."""

    is_writable = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.replace(op, [_buffer(op, bufferizer, op.results[0].type)])


class LoadModel(BufferizableOpInterface):
    """
    `ml_program.global_load`: a copy of the global's buffer, since that may be stored to
    while the tensor is live; the buffer itself if the ops up to the last use show that it
    is only read and not stored to.
    """

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return not _is_only_read(op)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return not _is_only_read(op)

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        if _is_only_read(op):
            return MemoryUse(touches=False)
        return MemoryUse(op.results, filled=op.results)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        is_only_read = _is_only_read(op)
        buffer = _buffer(op, bufferizer, op.results[0].type)
        bufferizer.replace(op, [buffer if is_only_read else bufferizer.copied(buffer)])


class StoreModel(BufferizableOpInterface):
    """`ml_program.global_store`: a copy into the global's buffer."""

    memory_use = answering(MemoryUse(copied=(0,)))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source = bufferizer.buffer(op.operands[0])
        bufferizer.copy(source, _buffer(op, bufferizer, op.operands[0].type))
        bufferizer.replace(op)


def _is_only_read(load: Operation) -> bool:
    """
    Whether the loaded tensor is only read, in the ops after the load, and nothing stores to
    the global up to the last of them.
    """
    block = block_of(load.results[0])
    readers: set[Operation] = set()
    for use in load.results[0].uses:
        reader = block.find_ancestor_op_in_block(use.operation)
        if reader is None or not _only_reads(use.operation, use.index):
            return False
        readers.add(reader)
    left, op = MAX_OPS_TO_LAST_READ, load.next_op
    while readers:
        if op is None:
            return False
        for nested in walk_all([op]):
            left -= 1
            if not left:
                MAX_OPS_TO_LAST_READ.met()
                return False
            if _may_store(nested, _global(load)):
                return False
        readers.discard(op)
        op = op.next_op
    return True


def _only_reads(op: Operation, operand: int) -> bool:
    """Whether the op neither writes the operand nor shares it with others."""
    model = BufferizableOpInterface.of(op)
    return (
        model is not None
        and not passes_tensors_to_regions(op)
        and not is_call(op)
        and not any(map(is_memref_type, op.result_types))
        and not op.has_trait(IsTerminator, value_if_unregistered=False)
        and not model.writes(op, operand, NOTHING_KNOWN)
        and not model.aliasing_values(op, operand, NOTHING_KNOWN)
    )


def _may_store(op: Operation, name: str) -> bool:
    """Whether the op, apart from what is in its regions, may store to the global."""
    if op_name(op) == "ml_program.global_store":
        return _global(op) == name
    if op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    is_known = (
        BufferizableOpInterface.of(op) is not None or memory_effects(op) is not None
    )
    return is_call(op) or not is_known


def _buffer(op: Operation, bufferizer: Bufferizer, tensor: Attribute) -> SSAValue:
    return bufferizer.insert(
        memref.GetGlobalOp(_global(op), identity_type(tensor))
    ).memref


def _global(op: Operation) -> str:
    """The name of the global that the op loads or stores."""
    return _known(op, "global", SymbolRefAttr).string_value()


def _visibility(op: Operation) -> StringAttr:
    visibility = _property(op, "sym_visibility")
    return visibility if isinstance(visibility, StringAttr) else StringAttr("public")


def _known(op: Operation, name: str, kind: type[AttributeInvT]) -> AttributeInvT:
    """The property of that name and class, which the op is known to have."""
    found = _property(op, name)
    assert isinstance(found, kind)
    return found


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
