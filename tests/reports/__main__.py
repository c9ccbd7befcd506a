"""`python -m tests.reports FILE...` says what does not hold of the programs of files."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.reports import reported_programs

failing = 0
for file in map(Path, sys.argv[1:]):
    programs = [*reported_programs(file.read_text())]
    failed = 0
    for program in programs:
        failures = [*program.failures()]
        failed += bool(failures)
        for failure in failures:
            print(f"{program.id}: {failure.strip()}\n", flush=True)
    print(f"{file}: {len(programs)} programs, {failed} not as expected")
    failing += failed
sys.exit(1 if failing else 0)
