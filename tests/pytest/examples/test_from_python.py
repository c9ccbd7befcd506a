"""The example of the Python API."""

import subprocess
import sys

from tests.environments import PROJECT


def test_program_is_printed_on_tensors_then_on_memrefs():
    run = subprocess.run(
        [sys.executable, PROJECT / "examples" / "bufferize_from_python.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = run.stdout.split("builtin.module")[1:]
    assert "tensor<8xf32>" in before
    assert "memref" not in before
    assert "tensor" not in after
    # One buffer serves both ops.
    assert after.count("memref.alloc()") == 1
    assert after.count("outs(%empty : memref<8xf32>)") == 2
