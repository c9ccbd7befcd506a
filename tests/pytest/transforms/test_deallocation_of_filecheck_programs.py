"""What the FileCheck tests bufferize is freed, and accepted by xDSL and mlir-opt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from xdsl.parser import Parser
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.deallocation import with_xdsl
from tests.environments import PROJECT
from tests.peer import MlirTools, PeerError
from tests.peer.runner import print_generic
from tests.programs.comparison import OPTIONS
from tests.slow import one_in
from xdsl_bufferization import one_shot_bufferize
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.reading import context_of_all_dialects

FILES = sorted((PROJECT / "tests" / "filecheck").glob("models/**/*.mlir")) + sorted(
    (PROJECT / "tests" / "filecheck" / "transforms" / "one-shot-bufferize").glob(
        "*.mlir"
    )
)


def bufferized(text: str) -> str | None:
    """The program on memrefs; `None` if it is not valid, or refused."""
    context = context_of_all_dialects(allow_unregistered=True)
    try:
        module = Parser(context, text).parse_module()
        one_shot_bufferize(context, module, OPTIONS)
        module.verify()
    except (ParseError, VerifyException, BufferizationError):
        return None
    return print_generic(module)


SLICE_OF_A_SLICE = """
func.func @f(%m: memref<8xf32, strided<[?], offset: ?>>, %x: f32, %i: index) {
  %s = memref.subview %m[0] [4] [1]
    : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  %p = memref.subview %s[1] [2] [1]
    : memref<4xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  memref.store %x, %p[%i] : memref<2xf32, strided<[?], offset: ?>>
  func.return
}
"""


@cache
def folds_views_wrongly() -> bool:
    """Whether xDSL takes unknown strides for those of the identity, as 0.62 does."""
    context = context_of_all_dialects()
    module = Parser(context, SLICE_OF_A_SLICE).parse_module()
    CanonicalizePass().apply(context, module)
    return "strided<[1]" in str(module)


@pytest.mark.parametrize(
    "path", one_in(16, FILES), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_it_is_freed_and_accepted(mlir_tools: MlirTools, path: Path):
    programs = [*filter(None, map(bufferized, path.read_text().split("// -----")))]
    accepted = mlir_tools.opt_each(programs)
    for program, before in zip(programs, accepted, strict=True):
        if isinstance(before, PeerError):
            continue  # with ops that mlir-opt does not know
        (freed,) = with_xdsl()(mlir_tools, [program])
        if isinstance(freed, BufferizationError) and "aliasing_result" in str(freed):
            continue  # other memory is returned than the donated argument's
        assert isinstance(freed, str)
        try:
            mlir_tools.opt(freed)
        except PeerError as error:
            if "mismatch of result layout" in str(error) and folds_views_wrongly():
                continue
            raise
