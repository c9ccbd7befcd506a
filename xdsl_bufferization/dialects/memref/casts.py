"""
Casts of memrefs: the same memory under another type.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, MemRefType
from xdsl.dialects.utils.dynamic_index_list import verify_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    OpDef,
    OperandDef,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoMemoryEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import ANY_MEMREF
from xdsl_bufferization.dialects.shared.redefinition import (
    Redefinition,
    with_custom_form,
)
from xdsl_bufferization.support.memref_types import strides_and_offset
from xdsl_bufferization.support.shaped_types import MemRef

_CAST = "$source attr-dict `:` type($source) `to` type($dest)"


@with_custom_form(_CAST)
class CastOp(memref.CastOp):
    """
    The same memory under a compatible type.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcast-memrefcastop
    """


@with_custom_form(_CAST)
@irdl_op_definition
class MemorySpaceCastOp(Redefinition, memref.MemorySpaceCastOp):
    """
    The same memory, as one of another memory space; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefmemory_space_cast-memrefmemoryspacecastop
    """

    name = "memref.memory_space_cast"

    source = operand_def(ANY_MEMREF)
    dest = result_def(ANY_MEMREF)

    traits = traits_def(NoMemoryEffect())

    def __init__(self, source: SSAValue | Operation, dest: Attribute):
        IRDLOperation.__init__(self, operands=(source,), result_types=(dest,))

    def verify_(self) -> None:
        source, dest = cast(MemRef, self.source.type), self.dest.type
        if _without_memory_space(source) != _without_memory_space(dest):
            raise VerifyException(
                f"source and result differ in more than their memory space: {source} and "
                f"{dest}"
            )


def _without_memory_space(type: MemRef) -> Sequence[Attribute]:
    if isinstance(type, MemRefType):
        return type.element_type, type.shape, type.layout
    return (type.element_type,)


_REINTERPRET_CAST = memref.ReinterpretCastOp.get_irdl_definition()


@with_custom_form(_REINTERPRET_CAST.assembly_format or "")
class ReinterpretCastOp(memref.ReinterpretCastOp):
    """
    The same memory with any offset, sizes and strides; xDSL's op, for unranked memrefs too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefreinterpret_cast-memrefreinterpretcastop
    """

    _definition = replace(
        _REINTERPRET_CAST,
        operands=[
            ("source", OperandDef(ANY_MEMREF)),
            *_REINTERPRET_CAST.operands[1:],
        ],
    )

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._definition

    def verify_(self) -> None:
        self._definition.verify(self)
        source, result = cast(MemRef, self.source.type), self.result.type
        if source.element_type != result.element_type:
            raise VerifyException(
                f"source and result differ in their element type: {source} and {result}"
            )
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"source and result differ in memory space: {source} and {result}"
            )
        strides, offset = strides_and_offset(result)
        _verify_numbers("offset", self.static_offsets, self.offsets, [offset])
        _verify_numbers("size", self.static_sizes, self.sizes, result.get_shape())
        _verify_numbers("stride", self.static_strides, self.strides, strides)


def _verify_numbers(
    kind: str,
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
    of_result: Sequence[int | None],
) -> None:
    """Each number that the type of the result has must be written in the op, too."""
    written = static.get_values()
    verify_dynamic_index_list(written, dynamic, DYNAMIC_INDEX, f" in the {kind}s")
    if len(written) != len(of_result):
        raise VerifyException(
            f"expected {len(of_result)} {kind} values, but got {len(written)}"
        )
    for number, expected in zip(written, of_result, strict=True):
        if expected not in (None, DYNAMIC_INDEX, number):
            shown = "dynamic" if number == DYNAMIC_INDEX else number
            raise VerifyException(
                f"expected a result with {kind} {shown} instead of {expected}"
            )
