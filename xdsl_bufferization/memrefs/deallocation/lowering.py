"""
Lowers `bufferization.dealloc` to comparisons of pointers and conditional `memref.dealloc` ops.

    %o = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)

becomes

    %p = memref.extract_aligned_pointer_as_index %m    // the same for %r
    %d = arith.cmpi ne, %p, %q
    %e = arith.andi %c, %d
    scf.if %e { memref.dealloc %m }
    %o = arith.andi %c, ...                            // %r owns the memory if %p equals %q

`bufferization.clone` as an allocation and a copy, whether or not its rank is known.

    %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>

    %c = memref.alloc() : memref<4xf32>              // instead
    memref.copy %m, %c : memref<4xf32> to memref<4xf32>

Source: the pass `convert-bufferization-to-memref` of https://mlir.llvm.org/docs/Passes/

Reallocations in programs that free memory themselves.

    %n = memref.realloc %m(%size) : memref<?xf32> to memref<?xf32>
    memref.dealloc %n : memref<?xf32>    // so the program frees %m, too, if %n is a new buffer
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    Builtin,
    IndexType,
    MemRefType,
    NoneAttr,
    StringAttr,
    UnrankedMemRefType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.dialects.memref import (
    AllocaOp,
    AllocOp,
    CopyOp,
    RankOp,
    ReallocOp,
    ReshapeOp,
)
from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.memory_layout import extent_of, flat_type_of
from xdsl_bufferization.interfaces.reify import as_value, sizes_of
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.memrefs.deallocation.ownership import (
    deallocs_of,
    hides_parts,
    may_hide_part,
)
from xdsl_bufferization.support.attributes import is_true
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import (
    cast_to,
    fully_dynamic_type,
    is_cast_guaranteed,
    is_view_of_flat_memory,
    memory_space_of,
    view_of_flat_memory,
)
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.regions import ancestors, parent_of
from xdsl_bufferization.support.shaped_types import ranked_memref


class _DeallocLowering:
    """Replaces the `bufferization.dealloc`s of a program."""

    def __init__(self, program: Operation):
        self._has_parts = hides_parts(program)
        """Whether parts of buffers may have the type of a whole one."""
        self._helpers: dict[Operation, func.FuncOp] = {}
        """By symbol table."""

    def lower(self, op: DeallocOp) -> None:
        """Replace one op."""
        builder = builder_for(op)
        match len(op.memrefs):
            case 0:
                results = [_flag(builder, False) for _ in op.retained]
            case 1:
                results = _free_one(
                    builder,
                    op.memrefs[0],
                    op.conditions[0],
                    op.retained,
                    self._has_parts,
                )
            case _:
                helper = self._helper(op)
                results = _free_several(builder, op, helper, self._has_parts)
        Rewriter.replace_op(op, (), results)

    def _helper(self, op: Operation) -> func.FuncOp:
        around = ancestors(parent_of(op))
        table = next(a for a in around if a.has_trait(SymbolTable))
        if table not in self._helpers:
            symbols = (
                op.get_attr_or_prop("sym_name") for op in table.regions[0].block.ops
            )
            taken = {name.data for name in symbols if isinstance(name, StringAttr)}
            helper = _build_helper(free_name("dealloc_helper", taken))
            self._helpers[table] = helper
            table.regions[0].block.add_op(helper)
        return self._helpers[table]


def _free_one(
    builder: Builder,
    buffer: SSAValue,
    condition: SSAValue,
    retained: Sequence[SSAValue],
    parts: bool,
) -> list[SSAValue]:
    """Free the buffer if the condition holds and it is not one of those retained."""
    differs: list[SSAValue] = []
    if retained:
        pointer = _pointer(builder, buffer)
        for other in retained:
            comparison = arith.CmpiOp(pointer, _pointer(builder, other), "ne")
            differs.append(builder.insert(comparison).result)
    _free_if(builder, buffer, _all(builder, [*differs, condition]), parts)
    if not differs:
        return []
    true = _flag(builder, True)
    return [
        _all(builder, [builder.insert(arith.XOrIOp(differ, true)).result, condition])
        for differ in differs
    ]


def _free_several(
    builder: Builder, op: DeallocOp, helper: func.FuncOp, parts: bool
) -> list[SSAValue]:
    """Call the helper, which says which buffers to free and which retained ones are owned."""
    buffers = _array(builder, [_pointer(builder, m) for m in op.memrefs], IndexType())
    retained = _array(builder, [_pointer(builder, r) for r in op.retained], IndexType())
    conditions = _array(builder, op.conditions, i1)
    to_free = _array(builder, [None] * len(op.memrefs), i1)
    owned = _array(builder, [None] * len(op.retained), i1)
    arrays = (buffers, retained, conditions, to_free, owned)
    arguments = [
        builder.insert(memref.CastOp.get(array, ranked_memref(type))).dest
        for array, type in zip(arrays, helper.function_type.inputs, strict=True)
    ]
    builder.insert(func.CallOp(helper.sym_name.data, arguments, ()))
    for index, buffer in enumerate(op.memrefs):
        _free_if(builder, buffer, _load(builder, to_free, index), parts)
    results = [_load(builder, owned, i) for i in range(len(op.retained))]
    for array in arrays:
        builder.insert(memref.DeallocOp.get(array))
    return results


def _build_helper(name: str) -> func.FuncOp:
    # Most deallocations need no helper, and do not wait for the dialect.
    from xdsl.dialects import scf

    context = Context()
    for dialect in (arith.Arith, Builtin, func.Func, memref.MemRef, scf.Scf):
        context.load_dialect(dialect)
    helper = Parser(context, _HELPER).parse_op()
    assert isinstance(helper, func.FuncOp)
    helper.sym_name = StringAttr(name)
    return helper


def _pointer(builder: Builder, buffer: SSAValue) -> SSAValue:
    """The pointer that identifies the allocation that the buffer is a part of."""
    # Most deallocations compare no pointers, and do not wait for the dialect.
    from xdsl_bufferization.dialects.memref import ExtractAlignedPointerAsIndexOp

    return builder.insert(ExtractAlignedPointerAsIndexOp(buffer)).aligned_pointer


def _free_if(
    builder: Builder, buffer: SSAValue, condition: SSAValue, parts: bool
) -> None:
    """
    Insert ops that free the buffer under the condition; with `parts`, also if it is a part
    of one whose type does not tell.
    """
    body = deallocs_of(buffer, may_be_part=parts and may_hide_part(buffer))
    if is_true(condition):
        for op in body:
            builder.insert(op)
    else:
        # Most deallocations are unconditional, and do not wait for the dialect.
        from xdsl.dialects import scf

        builder.insert(scf.IfOp(condition, (), [*body, scf.YieldOp()]))


def _all(builder: Builder, conditions: Sequence[SSAValue]) -> SSAValue:
    needed = [c for c in conditions if not is_true(c)] or conditions[:1]
    first, *others = needed
    for other in others:
        first = builder.insert(arith.AndIOp(first, other)).result
    return first


def _array(
    builder: Builder, values: Sequence[SSAValue | None], element: Attribute
) -> SSAValue:
    """A new buffer with these values; with `None`, an element is not initialized."""
    array = builder.insert(AllocOp.get(element, shape=(len(values),))).memref
    for index, value in enumerate(values):
        if value is not None:
            at = as_value(index, builder)
            builder.insert(memref.StoreOp.get(value, array, [at]))
    return array


def _load(builder: Builder, array: SSAValue, index: int) -> SSAValue:
    return builder.insert(memref.LoadOp.get(array, [as_value(index, builder)])).res


def _flag(builder: Builder, value: bool) -> SSAValue:
    return builder.insert(arith.ConstantOp(BoolAttr.from_bool(value))).result


_HELPER = """
func.func private @dealloc_helper(
    %buffers: memref<?xindex>, %retained: memref<?xindex>, %conditions: memref<?xi1>,
    %to_free: memref<?xi1>, %owned: memref<?xi1>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %length = memref.dim %buffers, %zero : memref<?xindex>
  %retained_length = memref.dim %retained, %zero : memref<?xindex>
  scf.for %r = %zero to %retained_length step %one {
    memref.store %false, %owned[%r] : memref<?xi1>
  }
  scf.for %b = %zero to %length step %one {
    %buffer = memref.load %buffers[%b] : memref<?xindex>
    %condition = memref.load %conditions[%b] : memref<?xi1>
    %not_retained = scf.for %r = %zero to %retained_length step %one
        iter_args(%so_far = %true) -> (i1) {
      %other = memref.load %retained[%r] : memref<?xindex>
      %same = arith.cmpi eq, %other, %buffer : index
      scf.if %same {
        %was = memref.load %owned[%r] : memref<?xi1>
        %is = arith.ori %was, %condition : i1
        memref.store %is, %owned[%r] : memref<?xi1>
      }
      %differs = arith.cmpi ne, %other, %buffer : index
      %all = arith.andi %so_far, %differs : i1
      scf.yield %all : i1
    }
    %first = scf.for %e = %zero to %b step %one
        iter_args(%so_far = %not_retained) -> (i1) {
      %other = memref.load %buffers[%e] : memref<?xindex>
      %same = arith.cmpi eq, %other, %buffer : index
      %earlier = memref.load %conditions[%e] : memref<?xi1>
      %is_freed = arith.andi %same, %earlier : i1
      %not_freed = arith.xori %is_freed, %true : i1
      %all = arith.andi %so_far, %not_freed : i1
      scf.yield %all : i1
    }
    %frees = arith.andi %first, %condition : i1
    memref.store %frees, %to_free[%b] : memref<?xi1>
  }
  func.return
}
"""
"""
Takes the pointers of buffers and of retained buffers, and the conditions on which to free;
returns which buffers are to be freed, and which retained ones are owned. Of equal buffers the
first one is freed whose condition holds.
"""


def lower(ops: Iterable[Operation]) -> None:
    """
    Lower the clones and deallocs among these ops of a module.

    Raises `BufferizationError`, with some of them lowered, if a clone cannot be allocated.
    """
    lowering: _DeallocLowering | None = None
    for op in ops:
        if isinstance(op, CloneOp):
            _lower_clone(op)
        elif isinstance(op, DeallocOp):
            if lowering is None:
                *_, program = ancestors(op)
                lowering = _DeallocLowering(program)
            lowering.lower(op)


def _lower_clone(op: CloneOp) -> None:
    """
    Allocate a buffer, and copy the contents. Raises `BufferizationError` if nothing with the layout
    of the result can be allocated.
    """
    builder = builder_for(op)
    source, type = op.input, _buffer_type(op)
    if type is None:
        result = _copy_of_any_rank(builder, source, op.output.type.memory_space)
    else:
        # `memref.copy` wants the same shape on both sides.
        source = cast_to(builder, source, _with_shape_of(source.type, type))
        if is_cast_guaranteed(type, op.output.type):
            sizes = sizes_of(source, builder)
            dynamic = [size for size in sizes if isinstance(size, SSAValue)]
            buffer = builder.insert(AllocOp(dynamic, (), type)).memref
            result = cast_to(builder, buffer, op.output.type)
        elif (flat := _flat_type(op.output.type)) is not None:
            memory = builder.insert(AllocOp((), (), flat)).memref
            laid_out = ranked_memref(op.output.type)
            buffer = result = view_of_flat_memory(builder, memory, laid_out)
        else:
            raise BufferizationError(
                op,
                f"allocates {type}, which cannot be cast to {op.output.type}",
                hint="clone to a layout with unknown strides and offset",
            )
        builder.insert(CopyOp(source, buffer))
    Rewriter.replace_op(op, (), [result])


def _buffer_type(op: CloneOp) -> MemRefType[Attribute] | None:
    """
    The type to allocate: a memref without a layout, with the sizes that input or output
    give; `None` if the rank is unknown.
    """
    types = [
        type
        for type in (*op.operand_types, *op.result_types)
        if isinstance(type, MemRefType)
    ]
    if not types:
        return None
    # An unknown size is less than any known one.
    sizes = zip(*(type.get_shape() for type in types), strict=True)
    return MemRefType(
        types[0].element_type,
        map(max, sizes),
        NoneAttr(),
        op.output.type.memory_space,
    )


def _flat_type(type: Attribute) -> MemRefType[Attribute] | None:
    """The type of flat memory that a memref of the type can be a view of, if there is any."""
    if (
        isinstance(type, MemRefType)
        and is_view_of_flat_memory(type)
        and extent_of(type) is not None
    ):
        return flat_type_of(type)
    return None


def _with_shape_of(source: Attribute, shaped: MemRefType[Attribute]) -> Attribute:
    """The source's type with the shape of the other one."""
    space = memory_space_of(source)
    if not isinstance(source, MemRefType):
        return fully_dynamic_type(shaped, space)
    layout = source.layout
    return MemRefType(shaped.element_type, shaped.shape, layout, space)


def _copy_of_any_rank(
    builder: Builder, source: SSAValue, memory_space: Attribute
) -> SSAValue:
    """A new buffer with the contents of an unranked one, whose sizes a loop multiplies."""
    type = cast(UnrankedMemRefType[Attribute], source.type)
    zero, one = as_value(0, builder), as_value(1, builder)
    rank = builder.insert(RankOp(source)).rank
    shape = builder.insert(
        AllocaOp.get(IndexType(), shape=[DYNAMIC_INDEX], dynamic_sizes=[rank])
    ).memref
    body = Block(arg_types=(IndexType(), IndexType()))
    dimension, product = body.args
    size = memref_dim(source, dimension)
    product = arith.MuliOp(product, size)
    store = memref.StoreOp.get(size, shape, [dimension])
    body.add_ops([size, store, product, scf.YieldOp(product)])
    elements = builder.insert(scf.ForOp(zero, rank, one, [one], body)).results[0]
    flat_type = MemRefType(type.element_type, [DYNAMIC_INDEX], NoneAttr(), memory_space)
    flat = builder.insert(AllocOp([elements], (), flat_type)).memref
    result_type = UnrankedMemRefType.from_type(type.element_type, memory_space)
    buffer = builder.insert(ReshapeOp(flat, shape, result_type)).result
    builder.insert(CopyOp(source, buffer))
    return buffer


def reallocs_of_program(
    functions: Iterable[Operation],
) -> Iterator[tuple[Operation, bool]]:
    """
    Each `memref.realloc` whose result, or what may alias it, the program frees itself. Its operand
    is the program's to free, too, if the result is a new buffer. With each, whether an op with
    `bufferization.manual_deallocation` allocates, reallocates or frees such a memref.
    """
    for function in functions:
        flow = BufferFlow(function)
        classes = MemrefFlowGraph(flow).alias_classes()
        reallocs = [op for op in flow.position if isinstance(op, ReallocOp)]
        for op in reallocs:
            classes.union(op.source, op.result)
        freed = {
            classes.find(memref)
            for op, memref in flow.frees
            if not isinstance(op, ReallocOp)
        }
        manual = {
            classes.find(value)
            for op in flow.position
            if MANUAL_DEALLOCATION in op.attributes
            for value in (*op.operands, *op.results)
            if flow.is_followed(value)
        }
        for op in reallocs:
            memory = classes.find(op.result)
            if memory in freed or memory in manual:
                yield op, memory in manual
