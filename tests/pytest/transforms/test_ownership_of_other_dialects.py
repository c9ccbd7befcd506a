"""Ops of other people's dialects, whose memory is freed through their models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from xdsl.builder import Builder
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, SSAValue

from tests.peer.runner import parse_module
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    insert_deallocs,
)


class PoolAllocation(AllocationOpInterface):
    """`pool.take`, undone by `pool.give`."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        give = UnregisteredOp.with_name("pool.give")
        return builder.insert(give.create(operands=[allocated]))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        return None


class GiveEffects(BufferEffectsOpInterface):
    """`pool.give`"""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        return BufferEffect.FREE


class Once(RegionBranchOpInterface):
    """`pool.scope`: its terminator's operands are its results."""

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        return () if source is op else (RegionBranch(0, op.results),)


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    added = {"take": PoolAllocation(), "give": GiveEffects(), "scope": Once()}
    for name, model in added.items():
        register_model(f"pool.{name}", model)
    yield
    interfaces = (
        AllocationOpInterface,
        BufferEffectsOpInterface,
        RegionBranchOpInterface,
    )
    for interface in interfaces:
        models = interface._models  # pyright: ignore[reportPrivateUsage] # to take back
        for name in added:
            models.pop(f"pool.{name}", None)
        interface._answers.clear()  # pyright: ignore[reportPrivateUsage]


def freed(body: str) -> str:
    module = parse_module(f"func.func @f(%i: index, %f: f32) {{\n{body}\n}}")
    insert_deallocs(module)
    module.verify()
    return str(module)


def test_memory_is_freed_by_the_op_that_fits():
    text = freed(
        """
        %m = "pool.take"() : () -> memref<4xf32>
        memref.store %f, %m[%i] : memref<4xf32>
        func.return
        """
    )
    assert text.index("memref.store") < text.index("pool.give")
    assert "dealloc" not in text


def test_memory_that_is_given_back_is_left_alone():
    text = freed(
        """
        %m = "pool.take"() : () -> memref<4xf32>
        "pool.give"(%m) : (memref<4xf32>) -> ()
        func.return
        """
    )
    assert text.count("pool.give") == 1


def test_it_stays_with_its_owner_while_a_loop_carries_it():
    text = freed(
        """
        %r = scf.for %k = %i to %i step %i iter_args(%b = %m) -> (memref<4xf32>) {
          memref.store %f, %b[%k] : memref<4xf32>
          scf.yield %b : memref<4xf32>
        }
        func.return
        """.replace("%r =", '%m = "pool.take"() : () -> memref<4xf32>\n%r =')
    )
    assert text.index("scf.yield") < text.index("pool.give")


def test_it_can_not_be_handed_over():
    module = parse_module(
        """
        func.func @f() -> memref<4xf32> {
          %m = "pool.take"() : () -> memref<4xf32>
          func.return %m : memref<4xf32>
        }
        """
    )
    before = str(module)
    with pytest.raises(BufferizationError, match="can not free"):
        insert_deallocs(module)
    assert str(module) == before


def test_regions_of_other_dialects_hand_ownership_over():
    text = freed(
        """
        %m = "pool.scope"() ({
          %n = memref.alloc() : memref<4xf32>
          "pool.end"(%n) {bufferization.touches_only} : (memref<4xf32>) -> ()
        }) : () -> memref<4xf32>
        memref.store %f, %m[%i] : memref<4xf32>
        func.return
        """
    )
    assert text.index("memref.store") < text.index("bufferization.dealloc (%m")
