"""What `xdsl-opt` prints is read where no pass of this package runs, and without the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import plain_xdsl
from tests.environments import PROJECT
from tests.networks import NETWORKS
from tests.peer.runner import print_generic
from tests.round_trips import PROGRAMS, program_files, programs
from tests.slow import in_turn, one_in, slow
from tests.xdsl_opt import BUFFERIZE, run_xdsl_opt
from xdsl_bufferization.universe import ALWAYS

EXAMPLES = PROJECT / "examples"
SOURCES = {
    **{
        str(path.relative_to(EXAMPLES)): path
        for path in (*EXAMPLES.glob("*.mlir"), *EXAMPLES.glob("copies/*.mlir"))
    },
    **{name: NETWORKS[name] for name in ("decode", "residual", "u_shaped")},
}
"""Example files, and functions that build networks."""

WITH_ADDITIONS = {
    "copies/fused_fill.mlir": "scf.forall",
    "residual": "linalg.pooling_nchw_sum",
}
"""An op that xDSL lacks, by the program that has it after `bufferize`, too."""


def program(name: str) -> str:
    source = SOURCES[name]
    return source.read_text() if isinstance(source, Path) else print_generic(source())


@pytest.mark.parametrize(
    "passes, name", in_turn(["bufferize", BUFFERIZE], sorted(SOURCES), 3)
)
def test_other_passes_of_xdsl_read_the_output(passes: str, name: str):
    bufferized = run_xdsl_opt("-p", passes, text=program(name))
    assert "memref<" in run_xdsl_opt("-p", "canonicalize", text=bufferized)


@pytest.mark.parametrize("step", [12, *slow([1])])
@pytest.mark.parametrize("additions", [False, True])
def test_bufferized_programs_are_read_without_the_package(additions: bool, step: int):
    names = [name for name in SOURCES if (name in WITH_ADDITIONS) == additions][::step]
    printed = [printed_in_both_forms(name) for name in names]
    for name, (custom, _) in zip(names, printed, strict=True):
        assert not additions or f'"{WITH_ADDITIONS[name]}"(' in custom
    problems = plain_xdsl.problems(printed, allow_unregistered=additions)
    assert dict(zip(names, problems, strict=True)) == dict.fromkeys(names)


def printed_in_both_forms(name: str) -> tuple[str, str]:
    """The program after `bufferize`, in custom and in generic form."""
    text = program(name)
    custom, generic = (
        run_xdsl_opt("-p", "bufferize", *options, text=text)
        for options in ([], ["--print-op-generic"])
    )
    return custom, generic


BITS = ", ".join(["true", "false", "false"] * 40)

SPECIAL = {
    "infinity": "%c = arith.constant dense<0xFF800000> : tensor<4xf32>",
    "infinities": "%c = arith.constant dense<[0xFF800000, 1.0]> : tensor<2xf32>",
    "bits": f"%c = arith.constant dense<[{BITS}]> : tensor<120xi1>",
    "convolution": """
        %i, %f, %o = "test.op"() : () -> (
            tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>)
        %c = linalg.conv_2d_nchw_fchw
            ins(%i, %f : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>)
            outs(%o : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>""",
    "global": "memref.global constant @g : memref<2xf32> = dense<1.0>",
}


@pytest.mark.parametrize("kind", one_in(2, SPECIAL))
def test_what_xdsl_would_take_for_something_else(kind: str):
    text = SPECIAL[kind]
    options = "-p", "buffer-hoisting", "--allow-unregistered-dialect"
    custom, generic = (
        run_xdsl_opt(*options, *form, text=text)
        for form in ([], ["--print-op-generic"])
    )

    assert plain_xdsl.problems([(custom, generic)], allow_unregistered=True) == [None]
    # The same program is read by a command that does not call this package.
    again = run_xdsl_opt("--allow-unregistered-dialect", text=custom)
    assert run_xdsl_opt(*options, text=again) == custom


# Programs of all ops

REFUSED = {
    "affine": {
        r"\(semi-affine\) is not supported": "xDSL has no semi-affine maps",
        r"i64 should be of base attribute string": "reductions of affine.parallel are strings",
        r"two programs:(.|\n)*affine.load": "values in custom form are symbols",
    },
    "arith": {
        r"Expected attribute i1 but got (tensor|vector)": "comparisons are of numbers",
        r"Unexpected attribute (tensor|vector)": "conversions are of numbers",
        r"(tensor|vector)<.*> should be of base attribute integer_type": "so are these",
        r"with type i1, but .* (tensor|vector)": "and comparisons in custom form",
        r"Unsupported input type for arith.addui_extended: index": "sums of indices fail",
    },
    "bufferization": {
        r"dealloc_tensor (.|\n)*does not have a custom form": "printed in custom form for readers",
    },
    "builtin": {
        r"\(semi-affine\) is not supported": "xDSL has no semi-affine maps",
        r"Expected float literal": "no bit patterns of floats in array<...>",
    },
    "linalg": {
        r"linalg.reduce (.|\n)*Expected ':'": "linalg.reduce has one input and one init",
        r"'linalg.index' expects parent op": "linalg.index is in linalg.generic only",
    },
    "math": {
        r"Unexpected attribute tensor<\*": "no unranked tensors",
    },
    "memref": {
        r"\(semi-affine\) is not supported": "xDSL has no semi-affine maps",
        r"property '(initial_value|sym_visibility)' expected": "MLIR has them optional",
        r"to have the same shape": "memref.copy compares sizes, known or not",
        r"memref<\*xf32.* should be of base attribute memref": "no unranked memrefs",
        r"Expected result type with size = 4 instead of": "casts to sizes not known fail",
        r"'UnrankedMemRefType' object has no attribute": "memory_space_cast fails for them",
    },
    "ml_program": {
        r"#ml_program.extern": "xDSL lacks the attribute",
        r"ml_program.global_load_const": "xDSL names the property differently",
    },
    "tosa": {
        r"Expected leading dimension of input tensors to be 1": "tosa.matmul has one pair",
    },
    "vector": {
        r"Expected 1 operand, but got 0": "vector.print prints values only",
    },
}
"""
Why xDSL alone refuses programs that are valid in MLIR: regular expressions for what it says,
by dialect.
"""

TOO_LARGE = "1000000000x"
"""In programs with splats that xDSL alone stores element by element."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect", sorted({path.parent.name for path in program_files()})
)
def test_all_ops_are_read_without_the_package(
    dialect: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(ALWAYS, "1")
    pairs = [
        pair
        for path in sorted((PROGRAMS / dialect).glob("*.mlir"))
        for pair in printed_programs(path)
        if TOO_LARGE not in pair[0]
    ]
    problems = [
        problem
        for problem in plain_xdsl.problems(pairs, allow_unregistered=True)
        if problem is not None
    ]
    reasons = REFUSED.get(dialect, {})
    unexplained = [p for p in problems if not any(re.search(r, p) for r in reasons)]
    assert unexplained == []
    assert [r for r in reasons if not any(re.search(r, p) for p in problems)] == []


def printed_programs(path: Path) -> list[tuple[str, str]]:
    """The programs in the file, as `xdsl-opt` prints them, in custom and in generic form."""
    options = path, "--split-input-file", "--allow-unregistered-dialect"
    custom, generic = (
        run_xdsl_opt(*options, *more).split("// -----\n")
        for more in ([], ["--print-op-generic"])
    )
    assert len(custom) == len(generic) == len(programs(path))
    return [*zip(custom, generic, strict=True)]
