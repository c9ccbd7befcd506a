"""`buffer-deallocation`: what its examples compute, and other people's ops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import PythonValues, ReturnedValues, register_impls
from xdsl.ir import Operation

from tests.environments import PROJECT
from tests.fuzzing.trials import apply
from tests.other_dialects import POOL, registered
from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.former.buffer_deallocation import free_with_copies
from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
)
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.support.diagnostics import BufferizationError

FREE = "buffer-deallocation"
REMOVE = "copy-removal"
EXAMPLES = PROJECT / "tests" / "filecheck" / "former" / FREE


def is_freed_right(before: ModuleOp, after: ModuleOp, options: CheckOptions) -> None:
    """Check that they compute the same, and that all memory is freed, once, in time."""
    report = check(before, after, options)
    assert report.problem is None, report.problem


# The examples, and what they compute


@pytest.mark.parametrize("name", ["examples", "ways", "boundaries"])
def test_the_examples_compute_the_same_and_free_all(mlir_tools: MlirTools, name: str):
    text = (EXAMPLES / f"{name}.mlir").read_text()
    # What is not in the program, and what it leaves to others, cannot be checked.
    text = re.sub(
        r"func.func @(calls|pointer|frees_by_hand)\(.*?\n}\n", "", text, flags=re.S
    )
    before = parse_module(text)
    after = before.clone()
    for passes in (FREE, REMOVE):
        apply(passes, after)
        is_freed_right(before, after, CheckOptions(leaks=True))
        mlir_tools.opt(print_generic(after))


def test_the_programs_of_the_documentation():
    text = (PROJECT / "docs" / "buffer-deallocation.md").read_text()
    programs = re.findall(r"^```mlir\n(.*?)^```", text, flags=re.M | re.S)
    diamond, freed, loop, freed_loop, writes = map(parse_module, programs)
    apply(FREE, diamond)
    assert str(diamond) == str(freed)
    apply(FREE, loop)
    assert str(loop) == str(freed_loop)
    after = writes.clone()
    apply(FREE, after)
    problem = check(writes, after).problem
    assert problem is not None
    assert problem.kind is ProblemKind.DIFFERENCE


class RegionIf(RegionBranchOpInterface):
    """`test.region_if`: runs its first or its second region, and then its third one."""

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        then, otherwise, join = (region.block.args for region in op.regions)
        if source is op:
            return RegionBranch(1, then), RegionBranch(1, otherwise)
        if source.parent_region() is op.regions[2]:
            return (RegionBranch(0, op.results),)
        return (RegionBranch(0, join),)

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return False


@register_impls
class RegionIfFunctions(Functions):
    """What it does."""

    @impl_named("test.region_if_yield")
    def return_(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> ReturnedValues:
        return ReturnedValues(operands)

    @impl_named("test.region_if")
    def region_if(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        condition, *values = operands
        taken = interpreter.run_region(op.regions[0 if condition else 1], *values)
        return interpreter.run_region(op.regions[2], *taken)


class Retry(RegionBranchOpInterface):
    """`test.retry`: runs its first region and then its second one, or that alone."""

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        first, second = (region.block.args for region in op.regions)
        if source is op:
            return RegionBranch(0, first), RegionBranch(0, second)
        if source.parent_region() is op.regions[0]:
            return (RegionBranch(0, second),)
        return ()


@pytest.fixture
def models() -> Iterator[None]:
    """Registers what the ops of these tests mean."""
    added = [
        ("test.region_if", RegionIf()),
        ("test.region_if_yield", BufferEffectsOpInterface()),
        ("test.retry", Retry()),
    ]
    with registered([*added, *POOL]):
        yield


REGION_IF = """
func.func @f(%c: i1, %m: index, %n: index, %f: f32) -> memref<?x?xf32> {
  %0 = memref.alloc(%m, %m) : memref<?x?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?x?xf32>)
  %1 = "test.region_if"(%c, %0) ({
  ^bb0(%2: memref<?x?xf32>):
    "test.region_if_yield"(%2) : (memref<?x?xf32>) -> ()
  }, {
  ^bb0(%3: memref<?x?xf32>):
    ELSE
  }, {
  ^bb0(%4: memref<?x?xf32>):
    "test.region_if_yield"(%4) : (memref<?x?xf32>) -> ()
  }) : (i1, memref<?x?xf32>) -> memref<?x?xf32>
  func.return %1 : memref<?x?xf32>
}
"""
GIVEN = '"test.region_if_yield"(%3) : (memref<?x?xf32>) -> ()'
NEW = """%5 = memref.alloc(%m, %n) : memref<?x?xf32>
    linalg.fill ins(%f : f32) outs(%5 : memref<?x?xf32>)
    "test.region_if_yield"(%5) : (memref<?x?xf32>) -> ()"""


def freed_region_if(otherwise: str) -> str:
    """The example with that region, run before and after, and what it has become."""
    before = parse_module(REGION_IF.replace("ELSE", otherwise))
    after = before.clone()
    free_with_copies(after)
    after.verify()
    text = str(after)
    for _ in range(2):
        is_freed_right(
            before, after, CheckOptions(leaks=True, semantics=[RegionIfFunctions])
        )
        apply(REMOVE, after)
    return text


def shape_of(text: str) -> Sequence[str]:
    """What allocates, copies, frees and hands over, line by line."""
    lines = [
        re.sub(r"%[\w]+ = |\(.*| : .*", "", line).strip() for line in text.splitlines()
    ]
    kept = (
        "memref.alloc",
        '"memref.copy"',
        "memref.dealloc",
        '"test',
        "}",
        "func.return",
    )
    return [line.split()[0].strip('"') for line in lines if line.startswith(kept)]


def test_region_if_hands_over_what_dominates_all(models: None):
    text = freed_region_if(GIVEN)
    assert "memref.copy" not in text
    assert "memref.dealloc" not in text


def test_region_if_with_a_nested_allocation(models: None):
    """The example of MLIR's documentation; what is new, or not used any more, is no copy."""
    text = freed_region_if(NEW)
    assert shape_of(text) == [
        "memref.alloc",
        "test.region_if",
        "test.region_if_yield",
        "},",
        "memref.dealloc",
        "memref.alloc",
        "test.region_if_yield",
        "},",
        "test.region_if_yield",
        "})",
        "func.return",
        "}",
        "}",
    ]


def test_memory_is_freed_by_the_op_that_fits(models: None):
    module = parse_module(
        """
        func.func @f(%f: f32, %i: index) -> memref<4xf32> {
          %0 = "pool.take"() : () -> memref<4xf32>
          memref.store %f, %0[%i] : memref<4xf32>
          func.return %0 : memref<4xf32>
        }"""
    )
    free_with_copies(module)
    text = str(module)
    # The caller could not give it back.
    assert text.index("memref.copy") < text.index("pool.give") < text.index("return")
    assert "memref.dealloc" not in text


def test_memory_that_is_given_back_is_left_alone(models: None):
    module = parse_module(
        """
        func.func @f() {
          %0 = "pool.take"() : () -> memref<4xf32>
          "pool.give"(%0) : (memref<4xf32>) -> ()
          func.return
        }"""
    )
    free_with_copies(module)
    assert str(module).count("pool.give") == 1


def test_what_the_program_frees_in_part_is_left_to_it(models: None):
    module = parse_module(
        """
        func.func @f() {
          %0 = memref.alloc() : memref<4xf32>
          "test.retry"(%0) ({
          ^bb0(%1: memref<4xf32>):
            memref.dealloc %1 {bufferization.manual_deallocation} : memref<4xf32>
            %2 = memref.alloc() : memref<4xf32>
            "test.region_if_yield"(%2) : (memref<4xf32>) -> ()
          }, {
          ^bb0(%3: memref<4xf32>):
            "test.region_if_yield"() : () -> ()
          }) : (memref<4xf32>) -> ()
          func.return
        }"""
    )
    before = str(module)
    free_with_copies(module)
    assert str(module) == before


TOUCHED = """
func.func @f() {
  %0 = memref.alloc() : memref<4xf32>
  "other.use"(%0) : (memref<4xf32>) -> ()
  func.return
}
"""


@pytest.mark.parametrize("names", ["other.use", "other.*"])
def test_ops_that_are_said_to_be_harmless(names: str):
    module = parse_module(TOUCHED)
    apply(f'{FREE}{{touches-only="{names}"}}', module)
    text = str(module)
    assert text.index("other.use") < text.index("memref.dealloc")


def test_nothing_is_changed_where_something_is_refused():
    module = parse_module(
        """
        func.func @good(%c: i1) {
          %0 = memref.alloc() : memref<4xf32>
          func.return
        }"""
        + TOUCHED
    )
    before = str(module)
    with pytest.raises(BufferizationError, match="may allocate or free memory"):
        free_with_copies(module)
    assert str(module) == before


REALLOC = """
func.func @f(%n: index, %f: f32, %i: index) -> f32 {
  %one = arith.constant 1 : index
  %0 = memref.alloc(%one) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
  %1 = scf.for %k = %one to %n step %one iter_args(%b = %0) -> (memref<?xf32>) {
    %2 = arith.addi %k, %one : index
    %3 = "memref.realloc"(%b, %2) : (memref<?xf32>, index) -> memref<?xf32>
    memref.store %f, %3[%k] : memref<?xf32>
    scf.yield %3 : memref<?xf32>
  }
  %x = memref.load %1[%i] : memref<?xf32>
  func.return %x : f32
}
"""


def test_realloc_is_expanded_first():
    before = parse_module(REALLOC)
    after = before.clone()
    apply(f"expand-realloc{{emit-deallocs=false}},{FREE}", after)
    is_freed_right(before, after, CheckOptions(leaks=True))


def blocks(number: int) -> str:
    """Diamonds one after the other, each with memory that gets to a critical alias."""
    lines = [
        "func.func @f(%c: i1, %f: f32, %i: index) -> f32 {",
        "%m0 = memref.alloc() : memref<2xf32>",
        "linalg.fill ins(%f : f32) outs(%m0 : memref<2xf32>)",
        "cf.br ^start0",
    ]
    for n in range(number):
        lines += [
            f"^start{n}:",
            f"cf.cond_br %c, ^new{n}, ^old{n}",
            f"^new{n}:",
            f"%n{n} = memref.alloc() : memref<2xf32>",
            f"linalg.fill ins(%f : f32) outs(%n{n} : memref<2xf32>)",
            f"cf.br ^join{n}(%n{n} : memref<2xf32>)",
            f"^old{n}:",
            f"cf.br ^join{n}(%m{n} : memref<2xf32>)",
            f"^join{n}(%m{n + 1}: memref<2xf32>):",
            f"cf.br ^start{n + 1}",
        ]
    lines += [
        f"^start{number}:",
        f"%x = memref.load %m{number}[%i] : memref<2xf32>",
        "func.return %x : f32",
    ]
    return "\n".join([*lines, "}"])


@pytest.mark.slow
def test_long_programs_are_freed_without_recursion():
    number = 400
    module = parse_module(blocks(number))
    free_with_copies(module)
    deallocs = [op for op in module.walk() if isinstance(op, memref.DeallocOp)]
    assert len(deallocs) == number + 1


def test_many_blocks_compute_the_same():
    before = parse_module(blocks(20))
    after = before.clone()
    free_with_copies(after)
    is_freed_right(before, after, CheckOptions(leaks=True))
