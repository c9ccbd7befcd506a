"""
The computation at each point of an iteration space, and whether it can be run on arrays, for
many points at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import IntegerType, MemRefType, ShapedType
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import Value, dtype_of
from xdsl_bufferization.support.names import op_name

_READS = frozenset(("tensor.extract", "memref.load"))
_SIZES = frozenset(("tensor.dim", "memref.dim"))
_FOLDS: Mapping[str, np.ufunc] = {
    "arith.addf": np.add,
    "arith.addi": np.add,
    "arith.mulf": np.multiply,
    "arith.muli": np.multiply,
}


@dataclass(frozen=True)
class Fold:
    """A reduction: the only output, combined with a value that does not depend on it."""

    function: np.ufunc
    value: SSAValue
    """The value that the output is combined with."""
    factors: tuple[int, int] | None
    """The two arguments whose product the value is, if it is one."""


@dataclass(frozen=True)
class Body:
    """
    A region whose entry block takes the elements of the first operands, and yields the new elements
    of the outputs.
    """

    region: Region

    @staticmethod
    def of(op: Operation) -> Body:
        """The op's own region."""
        if not op.regions or op.regions[0].blocks.first is None:
            raise MissingSemanticsError("has no region that says what it computes")
        return Body(op.regions[0])

    @property
    def block(self) -> Block:
        return self.region.blocks[0]

    def run(
        self, interpreter: ReferenceInterpreter, elements: Sequence[Value]
    ) -> Sequence[Value]:
        """The new elements of the outputs."""
        return interpreter.run_region(self.region, *elements[: len(self.block.args)])

    def reads(self, operand: int) -> bool:
        """Whether the result depends on the operand's element."""
        arguments = self.block.args
        return operand < len(arguments) and arguments[operand].first_use is not None

    def is_elementwise(self, interpreter: ReferenceInterpreter) -> bool:
        """Whether `run` also works on arrays of elements."""
        return len(self.region.blocks) == 1 and all(
            _is_elementwise(op, interpreter) for op in self.block.ops
        )

    def loaded(self, interpreter: ReferenceInterpreter) -> Sequence[MemRef]:
        """The memrefs that an element-wise body loads from, besides the elements."""
        return [
            interpreter.value_of(op.operands[0])
            for op in self.block.ops
            if op_name(op) == "memref.load"
        ]

    def fold(self) -> Fold | None:
        """An element-wise body as a reduction, if it is one."""
        terminator = self.block.last_op
        if terminator is None or len(terminator.operands) != 1:
            return None
        match terminator.operands[0]:
            case OpResult(op=combiner) if op_name(combiner) in _FOLDS:
                pass
            case _:
                return None
        output = self.block.args[-1]
        others = [value for value in combiner.operands if value is not output]
        if (
            len(others) != 1
            or len([*output.uses]) != 1
            or combiner.parent is not self.block
            or not _fills_its_type(output.type)
        ):
            return None
        name = op_name(combiner)
        return Fold(_FOLDS[name], others[0], _factors(others[0], self.block))


def _factors(value: SSAValue, block: Block) -> tuple[int, int] | None:
    if not isinstance(value, OpResult):
        return None
    if op_name(value.op) not in ("arith.mulf", "arith.muli"):
        return None
    match tuple(value.op.operands):
        case BlockArgument(index=a, block=owner), BlockArgument(index=b, block=other):
            return (a, b) if owner is block and other is block else None
        case _:
            return None


def _fills_its_type(type: Attribute) -> bool:
    """Whether NumPy's arithmetic wraps as the type does, without further ado."""
    dtype = dtype_of(type)
    return not isinstance(type, IntegerType) or type.bitwidth == 8 * dtype.itemsize


def _is_elementwise(op: Operation, interpreter: ReferenceInterpreter) -> bool:
    name = op_name(op)
    if name in _READS:
        return _is_outside(op.operands[0], op)
    if name in _SIZES:
        return _is_outside(op.operands[0], op) and _is_uniform(op.operands[1], op)
    if op.regions or any(map(_has_shape, (*op.operand_types, *op.result_types))):
        return False
    if name in ("linalg.index", "linalg.yield"):
        return True
    return interpreter.has_scalar_semantics(op)


def _is_outside(value: SSAValue, op: Operation) -> bool:
    return value.owner is not op.parent and (
        not isinstance(value, OpResult) or value.op.parent is not op.parent
    )


def _is_uniform(value: SSAValue, op: Operation) -> bool:
    if isinstance(value, OpResult) and op_name(value.op) == "arith.constant":
        return True
    return _is_outside(value, op)


def _has_shape(type: Attribute) -> bool:
    return isinstance(type, ShapedType | MemRefType)
