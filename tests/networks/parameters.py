"""Networks as parameters of tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from tests.networks.files import FILES, why_missing


def file_parameters(names: Iterable[str] = FILES, *others: object) -> Sequence[object]:
    """
    The name of each file, with the other parameters, which is slow; tests of files that are
    not there are skipped.
    """
    return [
        pytest.param(
            name,
            *others,
            id=name,
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(
                    not FILES[name].exists(), reason=why_missing(FILES[name])
                ),
            ],
        )
        for name in names
    ]
