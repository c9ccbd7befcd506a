"""Processes that do not call this package keep the xDSL that they have."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.slow import slow
from xdsl_bufferization.host.extensions import EXTENDED

FINGERPRINT = Path(__file__).with_name("fingerprint.py")

DOCUMENTED = {f"XDSL_UNIVERSE.all_dialects[{name}]" for name in EXTENDED} | {
    f"xdsl.xdsl_opt_main.xDSLOptMain.{method}{part}"
    for method in ("run", "setup_pipeline", "register_all_arguments")
    for part in ("", ".__code__", ".__wrapped__")
}
"""The changes that docs/architecture.md names."""

ALONE = "without discovered forwards"
VARIANTS = [
    f"with {imported} {order}"
    for imported in ("discovered", "first")
    for order in ("forwards", "backwards")
]


@pytest.mark.parametrize("variants", [VARIANTS[:1], *slow([VARIANTS[1:]])])
@pytest.mark.slow
def test_only_what_is_documented_changes(variants: Sequence[str]):
    run = subprocess.run(
        [sys.executable, str(FINGERPRINT), ALONE, *variants],
        capture_output=True,
        text=True,
        check=True,
    )

    changed: dict[str, set[str]] = {variant: set() for variant in (ALONE, *variants)}
    for line in run.stdout.splitlines():
        variant, _, name = line.rpartition(" ")
        changed[variant].add(name)
    # xDSL alone changes nothing.
    assert changed == {ALONE: set(), **dict.fromkeys(variants, DOCUMENTED)}
