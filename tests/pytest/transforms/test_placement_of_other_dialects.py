"""Ops of other people's dialects, whose models say where they may allocate instead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, f32
from xdsl.ir import Operation, SSAValue

from tests.fuzzing.trials import apply
from tests.other_dialects import registered
from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.allocation import (
    AutomaticAllocationScope,
    HoistingKind,
)
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.models.memref import AllocAllocation


class Taken(AllocAllocation):
    """`pool.take`: there is a stack for it, too."""

    def build_promoted(self, op: Operation, builder: Builder) -> SSAValue | None:
        alloca = memref.AllocaOp.build(
            operands=[(), ()],
            result_types=[MemRefType(f32, [4])],
        )
        return builder.insert(alloca).memref


class Fixed(Taken):
    """`pool.pin`: stays where it is."""

    def hoisting_kind(self, op: Operation) -> HoistingKind:
        return HoistingKind.NONE


class InTurn(RegionBranchOpInterface):
    """`pool.repeat`: one run after the other."""

    def is_parallel(self, op: Operation, region: int) -> bool:
        return False


class Once(RegionBranchOpInterface):
    """`pool.frame`"""

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return False


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    added = [
        ("pool.take", Taken()),
        ("pool.pin", Fixed()),
        ("pool.repeat", InTurn()),
        ("pool.all_at_once", RegionBranchOpInterface()),
        ("pool.frame", Once()),
        ("pool.frame", AutomaticAllocationScope()),
    ]
    with registered(added):
        yield


def in_region(op: str, allocation: str, passes: str) -> str:
    """The program after the passes, from where the op begins."""
    module = parse_module(
        f"""
        func.func @f(%f: f32, %i: index) {{
          "pool.{op}"() ({{
            %m = "pool.{allocation}"() : () -> memref<4xf32>
            memref.store %f, %m[%i] : memref<4xf32>
            "pool.end"() : () -> ()
          }}) : () -> ()
          func.return
        }}
        """
    )
    apply(passes, module)
    before, _, after = str(module).partition(f'"pool.{op}"')
    assert ("pool." in before or "alloca" in before) != (
        f'"pool.{allocation}"' in after or "alloca" in after
    )
    return after


def test_what_may_leave_a_loop_leaves_it():
    assert "pool.take" not in in_region("repeat", "take", "buffer-loop-hoisting")
    assert "pool.pin" in in_region("repeat", "pin", "buffer-loop-hoisting")


def test_runs_may_overlap_unless_the_model_says_otherwise():
    assert "pool.take" in in_region("all_at_once", "take", "buffer-loop-hoisting")
    assert "pool.take" in in_region("unknown", "take", "buffer-loop-hoisting")


def test_what_there_is_a_stack_for_is_promoted():
    passes = "promote-buffers-to-stack"
    assert "memref.alloca" in in_region("frame", "take", passes)
    assert "memref.alloca" not in in_region("repeat", "take", passes)
    assert "pool.take" in in_region("all_at_once", "take", passes)
