"""Ops of other people's dialects, whose memory is freed through their models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from xdsl.ir import Operation

from tests.other_dialects import POOL, registered
from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    insert_deallocs,
)


class Once(RegionBranchOpInterface):
    """`pool.scope`: its terminator's operands are its results."""

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        return () if source is op else (RegionBranch(0, op.results),)


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    with registered([*POOL, ("pool.scope", Once())]):
        yield


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
    with pytest.raises(BufferizationError, match="cannot free"):
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
