from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.xdsl_suite.runs import Runs, RunsWithout


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        runs = Runs(Path(directory))
        of_ir, of_code = runs.lit(), runs.pytest()
        different: list[str] = []
        if of_ir or of_code:
            without = RunsWithout(Path(directory))
            fail_without = {
                *(without.lit(of_ir) if of_ir else ()),
                *(without.pytest(of_code) if of_code else ()),
            }
            different = [t for t in (*of_ir, *of_code) if t not in fail_without]
            print(f"{len(fail_without)} tests fail without the package, too")
    for test in different:
        print(f"{test} fails with the package, and passes without it")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
