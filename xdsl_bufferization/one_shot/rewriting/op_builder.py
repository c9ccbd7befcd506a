"""
The ops that the rewrite inserts: allocations, copies, casts, arithmetic on sizes, and read-only
globals for constants.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from typing_extensions import TypeVar
from xdsl.builder import Builder
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    SSAValue,
    TypedAttribute,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref import AllocOp, CopyOp, GlobalOp
from xdsl_bufferization.host.literals import RepeatedBytes
from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.support.attributes import segment_sizes
from xdsl_bufferization.support.call_graph import symbol_table_around
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import copy_location
from xdsl_bufferization.support.memref_types import (
    encoded_memory_space,
    has_identity_layout,
    has_static_layout,
    identity_type,
    is_cast_guaranteed,
    strides_and_offset,
    without_casts,
)
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.shaped_types import (
    MemRef,
    is_memref_type,
    ranked_memref,
    ranked_tensor,
)
from xdsl_bufferization.support.tensor_like import BufferLikeType

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes


OpT = TypeVar("OpT", bound=Operation)


class BufferOpBuilder:
    """
    Inserts ops before the op that is being rewritten, which `start` names.

    Its other methods are described in `Bufferizer`. `buffer_alignment` is the alignment of
    new buffers in bytes, 0 for none.
    """

    def __init__(self, buffer_alignment: int):
        self._alignment = (
            IntegerAttr(buffer_alignment, i64) if buffer_alignment else None
        )
        self._op: Operation | None = None
        self._block = Block()
        self._following: Operation | None = None
        """The op of the block before which ops are inserted; if none, they are its last."""
        self._inserted: list[Operation] = []
        """The ops that have memrefs as results."""

    @property
    def allocations(self) -> int:
        """How many allocations have been inserted."""
        return sum(len(allocated_by(op)) for op in self._inserted)

    def start(self, op: Operation) -> None:
        """Insert before `op` from now on: it is being rewritten."""
        self._op = op
        self.insert_in_front_of(op)

    def insert(self, op: OpT) -> OpT:
        if self._op is not None:
            copy_location(self._op, op)
        for result in op.results:
            if is_memref_type(result.type):
                self._inserted.append(op)
                break
        # A builder tells listeners, and each is given an insertion point, which is verified.
        if self._following is None:
            self._block.add_op(op)
        else:
            self._block.insert_op_before(op, self._following)
        return op

    def insert_in_front_of(self, op: Operation) -> None:
        assert op.parent is not None
        self._block, self._following = op.parent, op

    def alloc(
        self, type: Attribute, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        # Without the checks of the constructor, which take six times as long.
        properties: dict[str, Attribute] = (
            {} if self._alignment is None else {"alignment": self._alignment}
        )
        properties["operandSegmentSizes"] = segment_sizes(len(dynamic_sizes), 0)
        alloc = AllocOp.create(
            operands=dynamic_sizes, result_types=(type,), properties=properties
        )
        return self.insert(alloc).results[0]

    def alloc_like(self, buffer: SSAValue, type: Attribute | None = None) -> SSAValue:
        source = cast(MemRef, buffer.type)
        if isinstance(source, UnrankedMemRefType):
            raise self.error("cannot copy a tensor of unknown rank")
        if type is None:
            type = identity_type(source, source.memory_space)
        shape = cast(MemRefType[Attribute], type).get_shape()
        return self.alloc(
            type,
            [self.dim(buffer, i) for i, d in enumerate(shape) if d == DYNAMIC_INDEX],
        )

    def dim(self, buffer: SSAValue, dimension: int) -> SSAValue:
        return self.insert(memref_dim(buffer, self.constant(dimension))).result

    def copied(self, buffer: SSAValue) -> SSAValue:
        new = self.alloc_like(buffer)
        self.copy(buffer, new)
        return new

    def sum(self, *terms: SSAValue | int) -> SSAValue | int:
        number = sum(term for term in terms if isinstance(term, int))
        dynamic = [term for term in terms if isinstance(term, SSAValue)]
        if not dynamic:
            return number
        if number:
            dynamic.append(self.constant(number))
        total, *rest = dynamic
        for term in rest:
            total = self.insert(arith.AddiOp(total, term)).result
        return total

    def index(self, value: SSAValue | int) -> SSAValue:
        return self.constant(value) if isinstance(value, int) else value

    def constant(self, value: int) -> SSAValue:
        return self.insert(arith.ConstantOp(IntegerAttr(value, IndexType()))).result

    def copy(self, source: SSAValue, destination: SSAValue) -> None:
        a, b = source.type, destination.type
        # xDSL's `memref.copy` wants the same static shape on both sides.
        if (
            isinstance(a, MemRefType)
            and isinstance(b, MemRefType)
            and a.get_shape() != b.get_shape()
        ):
            source = self._with_shape(source, b)
            destination = self._with_shape(destination, ranked_memref(source.type))
        self.insert(CopyOp.create(operands=(source, destination)))

    def _with_shape(self, buffer: SSAValue, other: MemRefType[Attribute]) -> SSAValue:
        """The buffer, cast to a type with all sizes that are known of it or of `other`."""
        type = ranked_memref(buffer.type)
        shape = [
            known if size == DYNAMIC_INDEX else size
            for size, known in zip(type.get_shape(), other.get_shape(), strict=True)
        ]
        if tuple(shape) == type.get_shape():
            return buffer
        target = MemRefType(type.element_type, shape, type.layout, type.memory_space)
        return self.insert(memref.CastOp.get(buffer, target)).dest

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        if buffer.type == type:
            return buffer
        if is_cast_guaranteed(buffer.type, type):
            return self.insert(memref.CastOp.get(buffer, cast(MemRef, type))).dest
        if not is_memref_type(source := buffer.type) or not is_memref_type(type):
            return self._cast_to_other_dialect(buffer, type)
        if is_cast_guaranteed(
            identity_type(source, source.memory_space), type
        ) and self._is_contiguous(buffer):
            return self.insert(memref.CastOp.get(buffer, type)).dest
        wanted = type
        allocated = identity_type(wanted, wanted.memory_space)
        if not is_cast_guaranteed(allocated, wanted):
            if not has_static_layout(wanted):
                raise self.error(
                    f"needs a buffer of type {wanted}, but nothing tells its layout",
                    hint="ask for a layout with unknown strides and offset",
                )
            allocated = wanted
        new = self.alloc_like(buffer, allocated)
        self.copy(buffer, new)
        return self.cast(new, wanted)

    def _is_contiguous(self, buffer: SSAValue) -> bool:
        """
        Whether the buffer is the first rows of a contiguous one, though its type does not tell:

            %d = memref.dim %m, %c1
            %s = memref.subview %m[0, 0] [%n, %d] [1, 1]  // strided<[?, 1]>, and %d is the stride
        """
        view = without_casts(buffer).owner
        if not isinstance(view, memref.SubviewOp):
            return False
        part, whole = map(self._sizes.shape, (view.result, view.source))
        return (
            has_identity_layout(view.source.type)
            and strides_and_offset(view.result.type)[1] == 0
            and {*view.static_strides.iter_values()} == {1}
            and (part or ())[1:] == (whole or ())[1:]
        )

    @cached_property
    def _sizes(self) -> Sizes:
        # Most casts do not wait for it. It stays valid: ops are only added.
        from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

        return Sizes()

    def _cast_to_other_dialect(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """The buffer cast to another type; at least one of the two types is no memref."""
        new = None
        if isinstance(type, BufferLikeType):
            builder = Builder(InsertPoint(self._block, self._following))
            new = type.build_cast(builder, buffer)
        if new is None:
            raise self.error(
                f"needs a buffer of type {type}, and has one of type {buffer.type}",
                hint=f"let {type.name} define build_cast",
            )
        return new

    def error(self, message: str, *, hint: str = "") -> BufferizationError:
        return BufferizationError(self._op, message, hint=hint)


class ConstantGlobals:
    """
    The `memref.global`s of constants, one for each symbol table, value and memory space.

    Globals that the program has already are used again. Symbol tables are read once: what
    is added to one otherwise, `get` does not know.
    """

    def __init__(self, alignment: int):
        self._alignment = alignment
        self._tables: dict[Operation, _Globals] = {}

    def get(
        self, op: Operation, value: Attribute, memory_space: Attribute
    ) -> memref.GlobalOp:
        """
        The global that holds the value, in the symbol table around the op; inserted if
        there is none.

        Raises `BufferizationError` if there is no symbol table.
        """
        table = symbol_table_around(op)
        if table is None:
            raise BufferizationError(
                op, "needs a symbol table around it, for the global of the constant"
            )
        if table not in self._tables:
            self._tables[table] = _Globals(table, self._alignment)
        return self._tables[table].get(_without_encoding(value), memory_space)


def _without_encoding(value: Attribute) -> Attribute:
    """The value with a tensor type that has no encoding: memrefs have none."""
    if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        return value
    dense = cast(DenseIntOrFPElementsAttr[Any] | DenseResourceAttr, value)
    type = dense.get_type()
    if encoded_memory_space(type) is None:
        return dense
    tensor = ranked_tensor(type)
    plain = TensorType(tensor.element_type, tensor.shape)
    if isinstance(dense, DenseResourceAttr):
        return DenseResourceAttr(dense.resource_handle, plain)
    return DenseIntOrFPElementsAttr(cast(Any, plain), dense.data)


def _key(value: Attribute | None, memory_space: Attribute) -> Hashable:
    """A key that equal constants share; for a splat that is one element, that element."""
    key: Hashable = value
    if isinstance(value, DenseIntOrFPElementsAttr):
        if isinstance(value.data, RepeatedBytes):
            # To hash the splat itself, all of its bytes would be made.
            key = value.type, value.data.element
    return key, memory_space


class _Globals:
    """The globals of one symbol table."""

    def __init__(self, table: Operation, alignment: int):
        self._block = table.regions[0].block
        self._alignment = alignment
        self._symbols: set[str] = set()
        self._by_value: dict[Hashable, memref.GlobalOp] = {}
        """By value and memory space."""
        self._suffixes = count()
        for op in self._block.ops:
            symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
            if isinstance(symbol, StringAttr):
                self._symbols.add(symbol.data)
            if self._serves_constants(op):
                key = _key(op.initial_value, op.type.memory_space)
                self._by_value.setdefault(key, op)

    def get(self, value: Attribute, memory_space: Attribute) -> memref.GlobalOp:
        key = _key(value, memory_space)
        if key not in self._by_value:
            self._by_value[key] = self._create(value, memory_space)
        return self._by_value[key]

    def _serves_constants(self, op: Operation) -> TypeGuard[memref.GlobalOp]:
        """Whether constants may use the global: read-only, contiguous, and aligned."""
        return (
            isinstance(op, memref.GlobalOp)
            and op.constant is not None
            and isinstance(op.type.layout, NoneAttr)
            and (0 if op.alignment is None else op.alignment.value.data)
            >= self._alignment
        )

    def _create(self, value: Attribute, memory_space: Attribute) -> memref.GlobalOp:
        tensor = ranked_tensor(cast(TypedAttribute, value).get_type())
        constant = GlobalOp.get(
            StringAttr(self._fresh_name(tensor)),
            identity_type(tensor, memory_space),
            value,
            constant=UnitAttr(),
            alignment=self._alignment or None,
        )
        Rewriter.insert_op(constant, InsertPoint.at_start(self._block))
        return constant

    def _fresh_name(self, tensor: TensorType[Attribute]) -> str:
        shape = "x".join(map(str, tensor.get_shape()))
        element = re.sub(r"[^0-9A-Za-z_.$-]+", "_", str(tensor.element_type)).strip("_")
        stem = f"__constant_{shape}x{element}"
        name = free_name(stem, self._symbols, self._suffixes)
        self._symbols.add(name)
        return name
