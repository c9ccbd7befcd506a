"""A mistake in a model that passes on buffers ask is told by the model, its method and the op."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xdsl_bufferization import BufferizationError, register_model
from xdsl_bufferization.former.buffer_deallocation import BufferDeallocationPass
from xdsl_bufferization.former.copy_removal import CopyRemovalPass
from xdsl_bufferization.interfaces import registry
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, HoistingKind
from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranch,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module
from xdsl_bufferization.transforms.buffer_hoisting import BufferHoistingPass
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    OwnershipBasedBufferDeallocationPass,
)
from xdsl_bufferization.transforms.promote_buffers_to_stack import (
    PromoteBuffersToStackPass,
)

ALLOC = """
func.func @f(%n: index, %x: f32) {
  %i = arith.constant 0 : index
  %m = "blas.op"() : () -> memref<8xf32>
  memref.store %x, %m[%i] : memref<8xf32>
  func.return
}
"""
USE = """
func.func @f(%x: f32, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  %o = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %m, %o : memref<8xf32>
  %r = "blas.op"(%s) : (memref<8xf32>) -> memref<8xf32>
  func.return %r : memref<8xf32>
}
"""
LOOP = """
func.func @f(%c: i1, %u: memref<8xf32>) -> memref<8xf32> {
  %o = "blas.op"(%u) ({
  ^body(%a: memref<8xf32>):
    %s = memref.alloc() : memref<8xf32>
    %b = arith.select %c, %s, %a : memref<8xf32>
    "test.termop"(%b) : (memref<8xf32>) -> ()
  }) : (memref<8xf32>) -> memref<8xf32>
  func.return %o : memref<8xf32>
}
"""
BRANCH = """
func.func @f() {
  %m = memref.alloc() : memref<8xf32>
  "blas.op"(%m)[^next] : (memref<8xf32>) -> ()
^next(%a: memref<8xf32>):
  func.return
}
"""


@pytest.fixture(autouse=True)
def forget_the_model() -> Iterator[None]:
    yield
    for interface in registry.OpInterface.__subclasses__():
        vars(interface).get("_models", {}).pop("blas.op", None)
        vars(interface).get("_answers", {}).clear()


class Alloc(AllocationOpInterface):
    """Correct."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Any:
        return builder.insert(memref.DeallocOp.get(allocated))

    def build_clone(self, op: Operation, builder: Builder, allocated: SSAValue) -> None:
        return None


class AllocatedOps(Alloc):
    def allocated(self, op: Operation) -> Any:
        return [op]


class AllocatedNothing(Alloc):
    def allocated(self, op: Operation) -> Any:
        pass


class AllocatedRaises(Alloc):
    def allocated(self, op: Operation) -> Sequence[OpResult]:
        return [op.results[1]]


class FreedRaises(Alloc):
    def is_freed(self, op: Operation) -> bool:
        return bool(op.attributes["freed"])


class DeallocRaises(Alloc):
    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Any:
        raise NotImplementedError("no free")


class DeallocReturnsText(Alloc):
    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Any:
        return "free"


class KindRaises(Alloc):
    def hoisting_kind(self, op: Operation) -> HoistingKind:
        raise OSError


class KindIsText(Alloc):
    def hoisting_kind(self, op: Operation) -> Any:
        return 3


class PromotedRaises(Alloc):
    def hoisting_kind(self, op: Operation) -> HoistingKind:
        return HoistingKind.BLOCK

    def build_promoted(self, op: Operation, builder: Builder) -> SSAValue | None:
        raise RuntimeError


class PromotedIsAnOp(Alloc):
    def build_promoted(self, op: Operation, builder: Builder) -> Any:
        return builder.insert(memref.AllocaOp.get(f32, shape=[8]))


class EffectRaises(BufferEffectsOpInterface):
    def effect(self, op: Operation, operand: int) -> Any:
        raise ZeroDivisionError


class EffectIsText(BufferEffectsOpInterface):
    def effect(self, op: Operation, operand: int) -> Any:
        return "read"


class ViewRaises(ViewLikeOpInterface):
    def viewed(self, op: Operation, result: OpResult) -> Sequence[int]:
        raise KeyError("source")


class ViewOfAnOperandThatIsNotThere(ViewLikeOpInterface):
    def viewed(self, op: Operation, result: OpResult) -> Sequence[int]:
        return [1]


class ViewOfNothing(ViewLikeOpInterface):
    def viewed(self, op: Operation, result: OpResult) -> Any:
        return None


class BranchesRaise(RegionBranchOpInterface):
    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        raise ValueError("which region?")


class BranchesAreValues(RegionBranchOpInterface):
    def branches(self, op: Operation, source: Operation) -> Any:
        return [op.results]


class TargetsAreOps(RegionBranchOpInterface):
    def branches(self, op: Operation, source: Operation) -> Any:
        return [RegionBranch(0, [op])]  # pyright: ignore[reportArgumentType]


class NoResults(RegionBranchOpInterface):
    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        targets = op.regions[0].block.args
        return (RegionBranch(0, targets), RegionBranch(0, op.results))

    def with_results(
        self, op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> Any:
        return None


class RepetitiveRaises(NoResults):
    def is_repetitive(self, op: Operation, region: int) -> bool:
        raise TypeError


class ForwardedIsAList(BranchOpInterface):
    def forwarded(self, op: Operation, successor: int) -> Any:
        return None

    def forward(
        self, op: Operation, successor: int, block: Block, operands: Sequence[SSAValue]
    ) -> None: ...


class ForwardedRaises(ForwardedIsAList):
    def forwarded(self, op: Operation, successor: int) -> range:
        return range(op.properties["first"].data)  # pyright: ignore


class SourceIsAnIndex(CopyOpInterface):
    def source(self, op: Operation) -> Any:
        return 0


OWNERSHIP = OwnershipBasedBufferDeallocationPass(
    touches_only=("blas.op", "test.termop")
)
COPY = """
func.func @f(%u: memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32>
  "blas.op"(%u, %m) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return
}
"""
BUFFER_DEALLOCATION = BufferDeallocationPass()


@pytest.mark.parametrize(
    "model, said, program, bufferization_pass",
    [
        (AllocatedOps(), "AllocatedOps.allocated returns [", ALLOC, OWNERSHIP),
        (
            AllocatedNothing(),
            "AllocatedNothing.allocated returns None",
            ALLOC,
            OWNERSHIP,
        ),
        (
            AllocatedRaises(),
            "AllocatedRaises.allocated raises IndexErr",
            ALLOC,
            OWNERSHIP,
        ),
        (
            AllocatedRaises(),
            "AllocatedRaises.allocated raises IndexError",
            ALLOC,
            BUFFER_DEALLOCATION,
        ),
        (
            FreedRaises(),
            "FreedRaises.is_freed raises KeyError: 'freed'",
            ALLOC,
            OWNERSHIP,
        ),
        (
            DeallocRaises(),
            "DeallocRaises.build_dealloc raises NotImplementedError: no free, at ",
            ALLOC,
            BUFFER_DEALLOCATION,
        ),
        (
            DeallocReturnsText(),
            "DeallocReturnsText.build_dealloc returns 'free', but is to return the op",
            ALLOC,
            BUFFER_DEALLOCATION,
        ),
        (
            DeallocReturnsText(),
            "DeallocReturnsText.build_dealloc returns 'free', but is to return the op",
            ALLOC,
            OWNERSHIP,
        ),
        (
            KindRaises(),
            "KindRaises.hoisting_kind raises OSError",
            ALLOC,
            BufferHoistingPass(),
        ),
        (
            KindIsText(),
            "KindIsText.hoisting_kind returns 3, but is to return a HoistingKind",
            ALLOC,
            BufferHoistingPass(),
        ),
        (
            PromotedRaises(),
            "PromotedRaises.build_promoted raises RuntimeError",
            ALLOC,
            PromoteBuffersToStackPass(),
        ),
        (
            PromotedIsAnOp(),
            "PromotedIsAnOp.build_promoted returns ",
            ALLOC,
            PromoteBuffersToStackPass(),
        ),
        (
            EffectRaises(),
            "EffectRaises.effect raises ZeroDivisionError",
            USE,
            OWNERSHIP,
        ),
        (EffectIsText(), "EffectIsText.effect returns 'read', but is", USE, OWNERSHIP),
        (ViewRaises(), "ViewRaises.viewed raises KeyError: 'source'", USE, OWNERSHIP),
        (
            ViewOfAnOperandThatIsNotThere(),
            "ViewOfAnOperandThatIsNotThere.viewed returns [1], but is to return a seq",
            USE,
            OWNERSHIP,
        ),
        (ViewOfNothing(), "ViewOfNothing.viewed returns None", USE, OWNERSHIP),
        (
            BranchesRaise(),
            "BranchesRaise.branches raises ValueError: which",
            LOOP,
            OWNERSHIP,
        ),
        (BranchesAreValues(), "BranchesAreValues.branches returns ", LOOP, OWNERSHIP),
        (TargetsAreOps(), "TargetsAreOps.branches returns ", LOOP, OWNERSHIP),
        (
            NoResults(),
            "NoResults.with_results returns None, but is to",
            LOOP,
            OWNERSHIP,
        ),
        (
            RepetitiveRaises(),
            "RepetitiveRaises.is_repetitive raises TypeError",
            LOOP,
            BufferHoistingPass(),
        ),
        (
            ForwardedIsAList(),
            "ForwardedIsAList.forwarded returns None",
            BRANCH,
            OWNERSHIP,
        ),
        (
            SourceIsAnIndex(),
            "SourceIsAnIndex.source returns 0",
            COPY,
            CopyRemovalPass(),
        ),
        (
            ForwardedRaises(),
            "ForwardedRaises.forwarded raises KeyError",
            BRANCH,
            OWNERSHIP,
        ),
    ],
)
def test_mistakes(
    model: OpInterface, said: str, program: str, bufferization_pass: ModulePass
):
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, program, "f.mlir")
    register_model("blas.op", model)
    with pytest.raises(BufferizationError) as error:
        bufferization_pass.apply(context, module)
    first, place, *_ = str(error.value).split("\n")
    assert first.startswith("'blas.op' has a model with a mistake: "), first
    assert said in first
    assert "f.mlir:" in place
    assert "in @f" in place
