"""Registers the answers of this package, which are imported late."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Dialect

from xdsl_bufferization.interfaces.registry import load_models
from xdsl_bufferization.interfaces.sizes import SizesOpInterface


def register(models: Mapping[str, SizesOpInterface]) -> None:
    """Make the models answer for ops of these names, unless another package has its own."""
    for name, model in models.items():
        # Models of other packages are registered before those of this one here.
        load_models(Dialect.split_name(name)[0])
        if SizesOpInterface.named(name) is None:
            SizesOpInterface.add_model(name, model)
