from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.releases.__main__ import RELEASES
from tests.xdsl_suite.runs import Runs

EXPECTED: frozenset[str] = frozenset()
"""Tests that may fail with the package, and pass without it."""


def main() -> int:
    different = [
        f"{test} of xDSL {release} fails with the package, and passes without it"
        for release in (RELEASES[-1], RELEASES[0])
        for test in _different(release)
    ]
    print(*different, sep="\n")
    return 1 if different else 0


def _different(release: str) -> list[str]:
    """The tests of the release that fail only with the package."""
    print(f"xDSL {release}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        runs = Runs(release, Path(directory))
        of_ir, of_code = runs.lit(), runs.pytest()
        without = runs.without_the_package()
        fail_without = {
            *(without.lit(of_ir) if of_ir else ()),
            *(without.pytest(of_code) if of_code else ()),
        }
    print(f"{len(fail_without)} tests fail without the package, too", flush=True)
    return [
        test
        for test in (*of_ir, *of_code)
        if test not in fail_without and test not in EXPECTED
    ]


if __name__ == "__main__":
    sys.exit(main())
