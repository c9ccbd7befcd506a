"""Networks as parameters of tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from tests.networks.files import FILES


def file_parameters(names: Iterable[str] = FILES, *others: object) -> Sequence[object]:
    """The name of each file that is there, with the other parameters; they are slow."""
    return [
        pytest.param(name, *others, id=name, marks=pytest.mark.slow)
        for name in names
        if FILES[name].exists()
    ]
