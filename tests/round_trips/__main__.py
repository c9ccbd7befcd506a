"""`python -m tests.round_trips FILE...` says what is different in the programs of files."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.peer import find_mlir_tools
from tests.round_trips import differences, program_files, programs

tools = find_mlir_tools()
assert tools is not None
for file in [Path(name) for name in sys.argv[1:]] or program_files():
    texts = programs(file)
    found = [*differences(tools, texts)]
    print(f"{file}: {len(texts)} programs, {len(found)} differences")
    for difference in found:
        print(difference, "\n")
