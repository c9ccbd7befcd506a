"""What is counted in the text of a program is what it does when it runs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from xdsl.context import Context

from benchmarks.memory import BUFFERIZE, DEALLOCATE, main, row
from benchmarks.memory_use import MemoryUse, NotStraightLineError, memory_use
from tests.environments import PROJECT
from tests.networks import NETWORKS
from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check_pipeline,
    parse_pipeline,
)

EXAMPLES = PROJECT / "examples"
PASSES = f"{BUFFERIZE},{DEALLOCATE}"


def programs() -> Iterator[object]:
    for path in sorted(EXAMPLES.glob("*.mlir")):
        yield pytest.param(path.read_text, id=path.stem)
    for name in ("decode_in_memory", "u_shaped"):
        yield pytest.param(partial(network, name), id=name)


def network(name: str) -> str:
    return print_generic(NETWORKS[name]())


@pytest.mark.parametrize("read", [*programs()])
def test_what_is_counted_is_what_a_run_counts(read: Callable[[], str]):
    text = read()
    after = parse_module(text)
    parse_pipeline(PASSES).apply(Context(), after)

    report = check_pipeline(
        Context(), parse_module(text), PASSES, CheckOptions(runs=1, leaks=False)
    )
    assert report.ok, report
    runs = [function.after for function in report.functions]
    assert memory_use(after)._replace(written_bytes=0) == MemoryUse(
        allocations=sum(run.allocations for run in runs),
        allocated_bytes=sum(run.allocated_bytes for run in runs),
        stack_bytes=0,
        copies=sum(run.copies for run in runs),
        copied_bytes=sum(run.copied_bytes for run in runs),
        peak_bytes=max(run.peak_bytes for run in runs),
    )


def test_what_is_written():
    module = parse_module("""
    func.func @f(%m: memref<4xf32>, %x: f32, %i: index) {
      %a = memref.alloc() : memref<8xf32>
      linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
      %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
      "memref.copy"(%c, %m) : (memref<4xf32>, memref<4xf32>) -> ()
      memref.store %x, %a[%i] : memref<8xf32>
      func.return
    }
    """)
    assert memory_use(module).written_bytes == 32 + 16 + 16


def test_what_is_freed_and_what_is_on_the_stack():
    module = parse_module("""
    func.func @f(%m: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      %s = memref.alloca() : memref<3xi1>
      %v = "memref.cast"(%a) : (memref<4xf32>) -> memref<?xf32>
      memref.dealloc %v : memref<?xf32>
      %b = memref.alloc() : memref<2xindex>
      %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
      func.return
    }
    func.func @g() {
      %s = memref.alloca() : memref<8xf32>
      %b = memref.alloc() : memref<2xindex>
      func.return
    }
    func.func private @declared(memref<?xf32>)
    """)

    assert memory_use(module) == MemoryUse(
        allocations=4,
        allocated_bytes=64,
        stack_bytes=32,
        copies=1,
        copied_bytes=16,
        peak_bytes=32,
        written_bytes=16,
    )


@pytest.mark.parametrize(
    "lines, message",
    [
        (
            [
                "scf.if %c {",
                "  %a = memref.alloc() : memref<4xf32>",
                "  scf.yield",
                "}",
            ],
            "@f has a memref.alloc in a loop or a branch",
        ),
        (["memref.dealloc %m : memref<?xf32>"], "@f frees what it may not have"),
        (["func.call @f(%c, %m) : (i1, memref<?xf32>) -> ()"], "@f calls a function"),
        (["%a = memref.alloc(%i) : memref<?xf32>"], "a memref of unknown size"),
    ],
)
def test_what_is_not_counted(lines: Sequence[str], message: str):
    body = "\n".join(["%i = arith.constant 3 : index", *lines, "func.return"])
    module = parse_module(f"func.func @f(%c: i1, %m: memref<?xf32>) {{\n{body}\n}}\n")

    with pytest.raises(NotStraightLineError, match=message):
        memory_use(module)


def test_the_row_of_a_program(mlir_tools: MlirTools):
    text = (EXAMPLES / "convolution.mlir").read_text()

    found = row(text, mlir_tools)

    assert found.peer is not None
    assert found.ours.allocations <= found.peer.allocations
    assert found.ours.peak_bytes <= found.peer.peak_bytes
    # The padded image is all that is not returned.
    assert found.cells()[-2:] == [f"{3 * 10 * 10 * 4:,}", "0.00%"]


def test_the_table(capsys: pytest.CaptureFixture[str]):
    main([str(EXAMPLES / "mlp.mlir")])

    header, _, line = capsys.readouterr().out.splitlines()
    assert header.startswith("| program | copies | ours |")
    # The hidden layer is small enough for the stack, the result is returned.
    assert line.startswith("| `mlp` |")
    assert line.endswith("| 48 |  |  |")
