"""The dialect's op classes as passes use them, and how they relate to xDSL's."""

from __future__ import annotations

import pytest
from xdsl.dialect_interfaces import DialectInterface
from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects import tensor as xdsl_tensor
from xdsl.dialects import test as xdsl_test
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import MemoryEffect, MemoryEffectKind, get_effects

from xdsl_bufferization.dialects import bufferization, tensor
from xdsl_bufferization.dialects.memref import extension as memref
from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.interfaces.reify import ReifyRankedShapedTypeOpInterface

TENSOR = TensorType(f32, [4, DYNAMIC_INDEX])
MEMREF = MemRefType(f32, [4, DYNAMIC_INDEX])


def values(*types: Attribute) -> tuple[SSAValue, ...]:
    return tuple(xdsl_test.TestOp(result_types=types).results)


def test_alloc_tensor():
    size, hint, source = values(IndexType(), IndexType(), TENSOR)
    op = bufferization.AllocTensorOp(
        TENSOR, [size], size_hint=hint, memory_space=IntegerAttr(1, i64)
    )
    op.verify()
    assert tuple(op.dynamic_sizes) == (size,)
    assert op.copy is None
    assert op.size_hint is hint
    assert op.memory_space == IntegerAttr(1, i64)
    assert op.tensor.type == TENSOR
    op = bufferization.AllocTensorOp(TENSOR, copy=source)
    op.verify()
    assert op.copy is source
    assert op.memory_space is None


def test_clone():
    (source,) = values(MEMREF)
    assert bufferization.CloneOp(source).output.type == MEMREF
    other = MemRefType(f32, [4, 8])
    op = bufferization.CloneOp(source, other)
    op.verify()
    assert op.output.type == other


def test_dealloc():
    a, b, condition = values(MEMREF, MEMREF, i1)
    op = bufferization.DeallocOp([a], [condition], [b, a])
    op.verify()
    assert tuple(op.memrefs) == (a,)
    assert tuple(op.conditions) == (condition,)
    assert tuple(op.retained) == (b, a)
    assert [result.type for result in op.updated_conditions] == [i1, i1]


def test_materialize_in_destination():
    source, tensor_dest, memref_dest = values(TENSOR, TENSOR, MEMREF)
    op = bufferization.MaterializeInDestinationOp(source, tensor_dest)
    op.verify()
    assert op.result is not None
    assert op.result.type == TENSOR
    op = bufferization.MaterializeInDestinationOp(
        source, memref_dest, restrict=True, writable=True
    )
    op.verify()
    assert op.result is None
    assert op.restrict == op.writable == UnitAttr()


@pytest.mark.parametrize("cls", [bufferization.ToBufferOp, bufferization.ToMemrefOp])
def test_to_buffer(cls: type[bufferization.ToBufferOp | bufferization.ToMemrefOp]):
    (source,) = values(TENSOR)
    layout = StridedLayoutAttr([None, None], None)
    type = MemRefType(f32, [4, DYNAMIC_INDEX], layout, IntegerAttr(1, i64))
    op = cls(source, type, read_only=True)
    op.verify()
    assert op.tensor is source
    assert op.memref.type == type
    assert op.read_only == UnitAttr()
    assert cls(source, type).read_only is None


def test_to_tensor():
    (source,) = values(MEMREF)
    op = bufferization.ToTensorOp(source, restrict=True, writable=True)
    op.verify()
    assert op.memref is source
    assert op.tensor.type == TENSOR
    assert op.restrict == op.writable == UnitAttr()
    encoded = TensorType(f32, [4, DYNAMIC_INDEX], UnitAttr())
    assert bufferization.ToTensorOp(source, result_type=encoded).tensor.type == encoded
    (unranked,) = values(UnrankedMemRefType.from_type(f32))
    assert bufferization.ToTensorOp(unranked).tensor.type == UnrankedTensorType(f32)


def test_to_tensor_of_what_is_no_memref():
    (source,) = values(TENSOR)
    with pytest.raises(ValueError, match="expected a memref, got tensor<4x\\?xf32>"):
        bufferization.ToTensorOp(source)


# Beside xDSL's -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "base, extension",
    [
        (xdsl_bufferization.Bufferization, bufferization.EXTENSION),
        (xdsl_memref.MemRef, memref.EXTENSION),
        (xdsl_tensor.Tensor, tensor.EXTENSION),
    ],
)
def test_each_op_of_xdsl_is_there_or_redefined(base: Dialect, extension: Extension):
    dialect = extension.redefining(base)
    ops = {op.name: op for op in dialect.operations}
    assert len(ops) == len(list(dialect.operations))
    for op in base.operations:
        assert issubclass(ops[op.name], op)


def test_patterns_for_xdsls_class_match_what_is_parsed():
    matched: list[Operation] = []

    class Collect(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(
            self, op: xdsl_bufferization.ToBufferOp, rewriter: PatternRewriter, /
        ):
            matched.append(op)

    (source,) = values(TENSOR)
    ops = [
        bufferization.ToBufferOp(source, MEMREF),
        bufferization.ToMemrefOp(source, MEMREF),
    ]
    assert isinstance(source.owner, Operation)
    PatternRewriteWalker(Collect()).rewrite_module(ModuleOp([source.owner, *ops]))
    assert matched == ops


def test_xdsls_classes_keep_their_traits():
    """Passes of xDSL's do to them what they do without this package."""
    for op in xdsl_bufferization.Bufferization.operations:
        assert not op.has_trait(MemoryEffect)
        (ours,) = (
            o for o in bufferization.Bufferization.operations if o.name == op.name
        )
        assert ours.has_trait(MemoryEffect)


def test_what_is_known_of_ops_of_xdsls_classes():
    """They are built by xDSL's passes."""
    alloc = xdsl_bufferization.AllocTensorOp(TENSOR, values(IndexType()))
    (source,) = values(MEMREF)
    read = xdsl_bufferization.ToTensorOp(source, restrict=True)

    assert get_effects(alloc) is None
    (effect,) = [*(memory_effects(alloc) or ())]
    assert (effect.kind, effect.value) == (MemoryEffectKind.ALLOC, alloc.tensor)
    assert memory_effects(read) == set()
    assert ReifyRankedShapedTypeOpInterface.of(alloc) is not None


@irdl_op_definition
class OursOp(IRDLOperation):
    name = "house.door"


@irdl_op_definition
class TheirsOp(IRDLOperation):
    name = "house.door"


@irdl_op_definition
class WindowOp(IRDLOperation):
    name = "house.window"


def names(dialect: Dialect) -> set[type[Operation]]:
    return {*dialect.operations}


@irdl_op_definition
class RefiningOp(Redefinition, TheirsOp):
    name = "house.door"


def test_additions_and_redefinitions():
    base = Dialect("house", [TheirsOp])

    added = Extension([WindowOp, OursOp, RefiningOp]).added_to(base)
    # An op of the name is there already.
    assert names(added) == {TheirsOp, WindowOp}
    assert added.name == "house"

    # Another package's op, or one of a later xDSL, stays; one that ours refines does not.
    assert names(Extension([OursOp]).redefining(base)) == {TheirsOp}
    assert names(Extension([RefiningOp]).redefining(base)) == {RefiningOp}
    assert names(Extension([RefiningOp]).redefining(added)) == {RefiningOp, WindowOp}


def test_redefinitions_that_every_context_has():
    base = Dialect("house", [TheirsOp])

    class Plain(RefiningOp):
        """The redefinition without effects."""

    extension = Extension([RefiningOp], always=[Plain])

    assert names(extension.added_to(base)) == {Plain}
    assert names(extension.redefining(extension.added_to(base))) == {RefiningOp}


def test_interfaces_of_the_dialect_are_kept():
    class Answers(DialectInterface):
        pass

    base = Dialect("house", [], [], [answers := Answers()])
    dialect = Extension([WindowOp]).added_to(base)

    assert dialect.get_interface(Answers) is answers
    assert dialect.has_interface(Answers)
