"""Equal ops that read memory are replaced as xDSL replaces them."""

from __future__ import annotations

from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation
from xdsl.transforms.common_subexpression_elimination import (
    cse,
    has_other_side_effecting_op_in_between,
)

from tests.peer.runner import parse_module
from xdsl_bufferization.host import repairs


def reads(count: int) -> list[test.TestReadOp]:
    return [test.TestReadOp(result_types=[i1]) for _ in range(count)]


def test_reads_are_merged_up_to_the_next_op_that_may_write():
    repairs.apply()
    first, second, third = reads(3), reads(2), reads(2)
    used = test.TestOp([r.results[0] for r in (*first, *second, *third)])
    writes: list[Operation] = [test.TestWriteOp(), test.TestOp()]
    module = ModuleOp([*first, writes[0], *second, writes[1], *third, used])

    cse(module)

    left = [first[0], writes[0], second[0], writes[1], third[0], used]
    assert list(module.ops) == left
    values = [first[0]] * 3 + [second[0]] * 2 + [third[0]] * 2
    assert list(used.operands) == [v.results[0] for v in values]


def test_a_write_in_a_region_is_seen_behind_it():
    repairs.apply()
    outside, inside = reads(2), reads(2)
    users = [test.TestOp([r.results[0] for r in rs]) for rs in (inside, outside)]
    region = ModuleOp([*inside, users[0]])
    module = ModuleOp([outside[0], region, outside[1], users[1]])

    cse(module)

    assert list(region.ops) == [inside[0], users[0]]
    assert list(module.ops) == [outside[0], region, outside[1], users[1]]


def test_what_has_changed_since_is_seen():
    repairs.apply()
    first, second = reads(2)
    module = ModuleOp(
        [first, second, test.TestOp([first.results[0], second.results[0]])]
    )
    cse(ModuleOp([]))
    assert not has_other_side_effecting_op_in_between(first, second)

    module.body.block.insert_op_after(test.TestWriteOp(), first)

    assert has_other_side_effecting_op_in_between(first, second)
    cse(module)
    assert second.parent is not None


def test_regions_are_as_xdsl_has_them():
    repairs.apply()
    text = """
        func.func @f(%p : i1, %m : memref<i32>, %a : i32) -> (i32, i32) {
          scf.if %p {
            %unused = memref.load %m[] : memref<i32>
          }
          %r = scf.if %p -> (i32) {
            %x = memref.load %m[] : memref<i32>
            scf.yield %x : i32
          } else {
            scf.yield %a : i32
          }
          %s = scf.if %p -> (i32) {
            %x = memref.load %m[] : memref<i32>
            scf.yield %x : i32
          } else {
            scf.yield %a : i32
          }
          func.return %r, %s : i32, i32
        }
        """
    module = parse_module(text)

    cse(module)

    names = [op.name for op in module.walk()]
    assert names.count("scf.if") == 1
    (returned,) = (op for op in module.walk() if op.name == "func.return")
    assert returned.operands[0] is returned.operands[1]
