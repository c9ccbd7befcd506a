"""Ops that move keep their order, however many numbers are left between two of them."""

from __future__ import annotations

import pytest

from tests.fuzzing.elimination import OPTIONS
from tests.networks import NETWORKS
from tests.peer.runner import print_generic
from xdsl_bufferization.tensors import op_order
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies


@pytest.mark.parametrize("name", ["dense", "fire"])
def test_blocks_are_numbered_again_if_no_number_is_left(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    expected = _eliminated(name)
    monkeypatch.setattr(op_order, "_GAP", 1)
    assert _eliminated(name) == expected


def _eliminated(name: str) -> str:
    module = NETWORKS[name]()
    eliminate_copies(module, OPTIONS)
    return print_generic(module)
