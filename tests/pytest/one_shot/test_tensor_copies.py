"""The copies that decisions ask for, as ops on tensors."""

from __future__ import annotations

import pytest
from xdsl.ir import SSAValue

from tests.one_shot_programs import Program
from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.one_shot.rewriting.tensor_copies import insert_tensor_copies

FILL = "%t0 = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>\n"
LATER = "%x = tensor.extract %t0[%j] : tensor<8xf32>"


def copy_made_for(body: str) -> SSAValue | None:
    """What the first copy is made of; `None` if it has no contents."""
    program = Program(FILL + body)
    (copy,) = insert_tensor_copies(program.analysis())
    program.module.verify()
    assert isinstance(copy, AllocTensorOp)
    return copy.copy


@pytest.mark.parametrize(
    "op, copied",
    [
        # The other elements are those of the operand.
        ("%r = tensor.insert %f into %t0[%i] : tensor<8xf32>", "t0"),
        # All elements are overwritten.
        (
            "%r = linalg.fill ins(%f : f32) outs(%t0 : tensor<8xf32>) -> tensor<8xf32>",
            None,
        ),
    ],
)
def test_contents_are_copied_where_they_matter(op: str, copied: str | None):
    read = "\n%y = tensor.extract %r[%j] : tensor<8xf32>"
    copy = copy_made_for(f"{op}\n{LATER}{read}")
    assert (copy.name_hint if copy else None) == copied


def test_a_slice_is_copied_rather_than_its_container():
    copy = copy_made_for(f"""
%a = tensor.extract_slice %t0[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
%r = tensor.insert %f into %a[%i] : tensor<4xf32>
{LATER}
%y = tensor.extract %r[%i] : tensor<4xf32>""")
    assert copy is not None
    assert copy.name_hint == "a"


def test_nothing_is_inserted_where_all_is_in_place():
    program = Program(FILL + LATER)
    before = str(program.module)
    assert not insert_tensor_copies(program.analysis())
    assert str(program.module) == before
