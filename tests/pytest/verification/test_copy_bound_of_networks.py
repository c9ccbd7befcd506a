"""The bound of networks is the image that the caller hands in, and that is padded."""

from __future__ import annotations

import pytest

from tests.networks import LARGE, NETWORKS
from tests.networks.files import FILES
from tests.networks.parameters import file_parameters
from tests.peer.runner import parse_module
from tests.slow import one_in
from tests.verification.copies import bounds, reached
from xdsl_bufferization.verification.copy_bound.bound import copy_bounds

IMAGES = {
    "dense",
    "dense_anew",
    "inception",
    "plain",
    "residual",
    "shuffle",
    "u_shaped",
}
"""The networks that pad the image that the caller hands in."""


@pytest.mark.parametrize("name", one_in(6, NETWORKS))
def test_no_network_is_bufferized_with_fewer_copies_than_the_bound(name: str):
    module = NETWORKS[name]()
    best = reached(module)
    for function, size in bounds(module).items():
        assert size <= best[function]
    if name in IMAGES:
        (bound,) = copy_bounds(module).values()
        assert [copy.operands[0].op.name for copy in bound.copies] == ["tensor.pad"]


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("fire", 0),
        ("plain", 602112),
        ("residual", 602112),
        *file_parameters(["squeezenet"], 0),
        *file_parameters(["resnet50", "vgg19"], 602112),
    ],
)
def test_the_bound_of_a_network_is_the_image_that_it_pads(name: str, image: int):
    module = parse_module(FILES[name].read_text()) if name in FILES else LARGE[name]()
    assert [*bounds(module).values()] == [image]
