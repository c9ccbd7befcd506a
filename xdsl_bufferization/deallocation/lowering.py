"""
Lowers `bufferization.dealloc` to comparisons of pointers and conditional `memref.dealloc` ops.

    %o = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)

becomes

    %p = memref.extract_aligned_pointer_as_index %m    // the same for %r
    %d = arith.cmpi ne, %p, %q
    %e = arith.andi %c, %d
    scf.if %e { memref.dealloc %m }
    %o = arith.andi %c, ...                            // %r owns the memory if %p equals %q
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    BoolAttr,
    Builtin,
    IndexType,
    IntegerAttr,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import SymbolTable

from xdsl_bufferization.deallocation.parts import (
    deallocs_of,
    hides_parts,
    may_hide_part,
)
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.regions import parent_of
from xdsl_bufferization.support.shaped_types import ranked_memref
from xdsl_bufferization.support.walk import ancestors
from xdsl_bufferization.support.xdsl_releases import replace_op


@dataclass
class LowerDeallocation(RewritePattern):
    """Replaces one `bufferization.dealloc`."""

    _helpers: dict[Operation, func.FuncOp] = field(
        default_factory=dict[Operation, func.FuncOp]
    )
    """By symbol table."""
    _has_parts: dict[Operation, bool] = field(default_factory=dict[Operation, bool])
    """By program: whether parts of buffers may have the type of a whole one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        parts = self._may_be_parts(op)
        match len(op.memrefs):
            case 0:
                results = [_flag(builder, False) for _ in op.retained]
            case 1:
                results = _free_one(
                    builder, op.memrefs[0], op.conditions[0], op.retained, parts
                )
            case _:
                results = _free_several(builder, op, self._helper(op), parts)
        replace_op(rewriter, op, (), results)

    def _may_be_parts(self, op: Operation) -> bool:
        *_, program = ancestors(op)
        if program not in self._has_parts:
            self._has_parts[program] = hides_parts(program)
        return self._has_parts[program]

    def _helper(self, op: Operation) -> func.FuncOp:
        table = parent_of(op)
        while not table.has_trait(SymbolTable):
            table = parent_of(table)
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
    from xdsl_bufferization.dialects.memref.ops import ExtractAlignedPointerAsIndexOp

    return builder.insert(ExtractAlignedPointerAsIndexOp(buffer)).aligned_pointer


def _free_if(
    builder: Builder, buffer: SSAValue, condition: SSAValue, parts: bool
) -> None:
    """
    Insert ops that free the buffer under the condition; with `parts`, also if it is a part
    of one whose type does not tell.
    """
    body = deallocs_of(buffer, may_be_part=parts and may_hide_part(buffer))
    if _is_true(condition):
        for op in body:
            builder.insert(op)
    else:
        # Most deallocations are unconditional, and do not wait for the dialect.
        from xdsl.dialects import scf

        builder.insert(scf.IfOp(condition, (), [*body, scf.YieldOp()]))


def _is_true(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and owner.value == BoolAttr.from_bool(
        True
    )


def _all(builder: Builder, conditions: Sequence[SSAValue]) -> SSAValue:
    needed = [c for c in conditions if not _is_true(c)] or conditions[:1]
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
            at = _index(builder, index)
            builder.insert(memref.StoreOp.get(value, array, [at]))
    return array


def _load(builder: Builder, array: SSAValue, index: int) -> SSAValue:
    return builder.insert(memref.LoadOp.get(array, [_index(builder, index)])).res


def _index(builder: Builder, number: int) -> SSAValue:
    return builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result


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
