"""Programs built again as they were, and put back if a change to them is refused."""

import pytest
from xdsl.dialects.builtin import MemRefType, StringAttr, f32
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from tests.peer.runner import parse_module
from xdsl_bufferization.support.snapshots import Snapshot, all_or_nothing

PROGRAM = """
module attributes {my.attribute = 1 : i64} {
  func.func @branches(%named: memref<4xf32>, %c: i1) -> memref<4xf32> {
    cf.cond_br %c, ^left(%named : memref<4xf32>), ^right
  ^left(%x: memref<4xf32>):
    "my.op"(%x) {text = "a"} : (memref<4xf32>) -> ()
    cf.br ^left(%x : memref<4xf32>)
  ^right:
    %r:2 = scf.if %c -> (index, index) {
      %n = arith.constant 1 : index
      scf.yield %n, %n : index, index
    } else {
      %n = arith.constant 2 : index
      scf.yield %n, %n : index, index
    }
    func.return %named : memref<4xf32>
  }
  "my.graph"() ({
    %a = "my.uses"(%b) : (index) -> index
    %b = "my.uses"(%a) : (index) -> index
  }) : () -> ()
  func.func private @declared(index)
}
"""


def change(module: Operation) -> None:
    """Change all that passes change in an op, a block, and a value."""
    module.attributes["my.attribute"] = StringAttr("other")
    for op in [*module.walk()]:
        op.attributes["new"] = StringAttr("")
        op.properties.clear()
        for result in op.results:
            result.name_hint = "other"
            Rewriter.replace_value_with_new_type(result, f32)
        for region in op.regions:
            for block in region.blocks:
                block.name_hint = "other"
                for argument in block.args:
                    argument.name_hint = "other"
                    Rewriter.replace_value_with_new_type(argument, MemRefType(f32, ()))
    for op in [*module.regions[0].block.ops]:
        op.detach()
        op.erase(safe_erase=False)


def change_and_fail(module: Operation) -> None:
    change(module)
    raise ZeroDivisionError


def test_it_is_built_as_it_was():
    module = parse_module(PROGRAM)
    before = str(module)
    locations = [op.location for op in module.walk()]
    snapshot = Snapshot(module)
    change(module)
    built = snapshot.build()
    built.verify()
    assert str(built) == before
    assert [op.location for op in built.walk()] == locations
    assert not {*built.walk()} & {*module.walk()}


def test_operands_from_around_it_stay():
    module = parse_module(PROGRAM)
    loop = next(op for op in module.walk() if op.name == "scf.if")
    assert [*Snapshot(loop).build().operands] == [*loop.operands]


def test_a_refused_change_is_taken_back():
    module = parse_module(PROGRAM)
    before = str(module)
    with pytest.raises(ZeroDivisionError):
        all_or_nothing(module, lambda _: change_and_fail(module))
    module.verify()
    assert str(module) == before


def test_an_accepted_change_stays():
    module = parse_module(PROGRAM)

    def change(_: Snapshot) -> None:
        module.attributes["my.attribute"] = StringAttr("other")

    all_or_nothing(module, change)
    assert '"other"' in str(module)
