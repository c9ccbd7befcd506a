"""A package with a dialect of its own, as docs/extending.md shows it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.memref import AllocOp, CopyOp
from xdsl.parser import Parser

from tests.environments import PROJECT, install, make_environment
from tests.extension.dsp_dialect import models
from tests.extension.dsp_dialect.ops import Dsp
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.destinations import NewBufferModel
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.verification.functions import check_decisions

EXTENSION = PROJECT / "tests" / "extension"
DOCUMENT = (PROJECT / "docs" / "extending.md").read_text()


# Installed -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def python(package_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with this package and the one in the document."""
    directory = tmp_path_factory.mktemp("extension")
    python = make_environment(directory / "environment", "xdsl", "sortedcontainers")
    install(python, package_wheel)
    install(python, Path(shutil.copytree(EXTENSION, directory / "extension")))
    return python


SESSIONS: list[tuple[str, str]] = re.findall(
    r"^```console\n\$ (xdsl-opt program.mlir [^\n]*)\n(.*?)^```$",
    DOCUMENT,
    re.DOTALL | re.MULTILINE,
)


def test_document_bufferizes_frees_and_reports():
    commands = " ".join(command for command, _ in SESSIONS)
    for word in ("one-shot-bufferize", "-p 'bufferize", "bufferization-report"):
        assert word in commands


@pytest.mark.parametrize("command, printed", SESSIONS, ids=range(len(SESSIONS)))
def test_xdsl_opt_prints_what_the_document_shows(
    python: Path, tmp_path: Path, command: str, printed: str
):
    shutil.copy(EXTENSION / "program.mlir", tmp_path)
    run = subprocess.run(
        [python, "-m", "xdsl.tools.xdsl_opt", *shlex.split(command)[1:]],
        # Not in the checkout, where packages could be found without being installed.
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.rstrip() == printed.rstrip()


def test_document_quotes_the_package():
    quoted = dict(
        re.findall(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", DOCUMENT, re.DOTALL | re.M)
    )
    files = {
        path.relative_to(EXTENSION).as_posix(): path.read_text()
        for path in EXTENSION.rglob("*")
        if path.suffix in (".py", ".toml", ".mlir") and path.name != "__init__.py"
    }
    assert quoted == files


def test_document_names_what_there_is():
    files = re.findall(r"`((?:tests|xdsl_bufferization)/[\w./]+)`", DOCUMENT)
    assert files
    for file in files:
        assert (PROJECT / file).exists()
    for module, name in re.findall(r"^\| `([\w.]+)\.(\w+)` \|", DOCUMENT, re.M):
        source = PROJECT / "xdsl_bufferization" / f"{module.replace('.', '/')}.py"
        assert f"class {name}(" in source.read_text()


# In this process -----------------------------------------------------------------------

TYPES = {"scale": "(tensor<4xf32>, f32, tensor<4xf32>) -> tensor<4xf32>"}


@pytest.fixture(autouse=True)
def _models() -> None:
    models.register()


def parse(text: str) -> tuple[Context, ModuleOp]:
    context = context_of_all_dialects(allow_unregistered=True)
    context.load_dialect(Dsp)
    return context, Parser(context, text).parse_module()


def bufferized(body: str) -> ModuleOp:
    """A function of tensors `%t` and `%u`, with that body, on buffers."""
    context, module = parse(
        "func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %x: f32, %i: index) "
        f"-> (tensor<4xf32>, f32) {{\n{body}\n}}"
    )
    module.verify()
    one_shot_bufferize(
        context, module, OneShotOptions(bufferize_function_boundaries=True)
    )
    module.verify()
    assert "tensor<" not in str(module)
    return module


def count(module: ModuleOp, kind: type[AllocOp | CopyOp]) -> int:
    return sum(isinstance(op, kind) for op in module.walk())


@pytest.mark.parametrize(
    "input, init, read, allocations, copies",
    [
        ("t", "u", "r", 0, 0),
        # Elements are read before they are overwritten, so in and out may be the same.
        ("t", "t", "r", 0, 0),
        # What is read afterwards must not be overwritten; the init is not read itself.
        ("t", "u", "t", 0, 0),
        ("t", "u", "u", 1, 0),
        ("t", "t", "t", 1, 0),
    ],
)
def test_destination_style(
    input: str, init: str, read: str, allocations: int, copies: int
):
    module = bufferized(
        f'%r = "dsp.scale"(%{input}, %x, %{init}) : {TYPES["scale"]}\n'
        f"%y = tensor.extract %{read}[%i] : tensor<4xf32>\n"
        "func.return %r, %y : tensor<4xf32>, f32"
    )
    assert (count(module, AllocOp), count(module, CopyOp)) == (allocations, copies)


def test_model_answers_for_destination_style_too():
    _, module = parse(
        '%t, %x = "test.op"() : () -> (tensor<4xf32>, f32)\n'
        f'%r = "dsp.scale"(%t, %x, %t) : {TYPES["scale"]}'
    )
    op = module.body.block.last_op
    assert op is not None
    style = DestinationStyleOpInterface.of(op)
    assert style is not None
    assert style.tied_result(op, 2) is op.results[0]
    assert style.tied_result(op, 0) is None


@pytest.mark.parametrize("read, allocations", [("w", 2), ("r", 1)])
def test_new_tensor_is_a_buffer_that_may_be_overwritten(read: str, allocations: int):
    module = bufferized(
        '%w = "dsp.window"(%i) : (index) -> tensor<4xf32>\n'
        f'%r = "dsp.scale"(%w, %x, %w) : {TYPES["scale"]}\n'
        f"%y = tensor.extract %{read}[%i] : tensor<4xf32>\n"
        "func.return %r, %y : tensor<4xf32>, f32"
    )
    assert count(module, AllocOp) == allocations
    assert count(module, CopyOp) == 0


@pytest.mark.parametrize("read, copies", [("r", 0), ("t", 1)])
def test_loop_works_in_place_on_what_it_carries(read: str, copies: int):
    module = bufferized(
        '%r = "dsp.repeat"(%i, %t) ({\n'
        "^bb0(%a: tensor<4xf32>):\n"
        f'%b = "dsp.scale"(%a, %x, %a) : {TYPES["scale"]}\n'
        '"dsp.yield"(%b) : (tensor<4xf32>) -> ()\n'
        "}) : (index, tensor<4xf32>) -> tensor<4xf32>\n"
        f"%y = tensor.extract %{read}[%i] : tensor<4xf32>\n"
        "func.return %r, %y : tensor<4xf32>, f32"
    )
    assert count(module, CopyOp) == copies


def test_body_of_the_loop_runs_more_than_once():
    """What the next run reads must not be overwritten by this one."""
    module = bufferized(
        '%r = "dsp.repeat"(%i, %t) ({\n'
        "^bb0(%a: tensor<4xf32>):\n"
        "%y = tensor.extract %u[%i] : tensor<4xf32>\n"
        f'%b = "dsp.scale"(%a, %y, %u) : {TYPES["scale"]}\n'
        "%z = tensor.extract %b[%i] : tensor<4xf32>\n"
        "%c = tensor.insert %z into %a[%i] : tensor<4xf32>\n"
        '"dsp.yield"(%c) : (tensor<4xf32>) -> ()\n'
        "}) : (index, tensor<4xf32>) -> tensor<4xf32>\n"
        "func.return %r, %x : tensor<4xf32>, f32"
    )
    assert count(module, AllocOp) == 1


LOOPS = {
    "scf.for": (
        "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {",
        "scf.yield %y : tensor<64xf32>\n}",
    ),
    "dsp.repeat": (
        '%r = "dsp.repeat"(%n, %t) ({\n^bb0(%i: index, %a: tensor<64xf32>):',
        '"dsp.yield"(%y) : (tensor<64xf32>) -> ()\n'
        "}) : (index, tensor<64xf32>) -> tensor<64xf32>",
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    "read, written, size, copies",
    [
        ("at", "at", 8, 0),
        # The next iteration reads what this one has written.
        ("at", "at", 9, 1),
        # Reads ahead of all writes; reads what the iteration before has written.
        ("ahead", "at", 8, 0),
        ("at", "ahead", 8, 1),
    ],
)
def test_loops_are_compared_tile_by_tile(
    loop: str, read: str, written: str, size: int, copies: int
):
    head, end = LOOPS[loop]
    tile = f"tensor<{size}xf32>"
    text = f"""
func.func @f(%t: tensor<64xf32>, %x: f32, %n: index) -> tensor<64xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {head}
    %at = affine.apply affine_map<(d0) -> (d0 * 8)> (%i)
    %ahead = affine.apply affine_map<(d0) -> (d0 * 8 + 8)> (%i)
    %s = tensor.extract_slice %t[%{read}] [{size}] [1] : tensor<64xf32> to {tile}
    %d = tensor.extract_slice %a[%{written}] [{size}] [1] : tensor<64xf32> to {tile}
    %z = "dsp.scale"(%s, %x, %d) : ({tile}, f32, {tile}) -> {tile}
    %y = tensor.insert_slice %z into %a[%{written}] [{size}] [1] : {tile} into tensor<64xf32>
    {end}
  func.return %r : tensor<64xf32>
}}"""
    context, module = parse(text)
    OneShotBufferizePass(
        bufferize_function_boundaries=True, test_analysis_only=True
    ).apply(context, module)
    assert check_decisions(module, bufferize_function_boundaries=True) == []
    assert str(module).count('"false"') == copies


@pytest.mark.parametrize("type", ["tensor<?xf32>", "tensor<*xf32>"])
def test_new_buffer_of_unknown_size_is_refused(type: str):
    class MakeModel(NewBufferModel):
        """Does not tell the sizes."""

    register_model("theirs.make", MakeModel())
    context, module = parse(
        f'func.func @f() {{\n%r = "theirs.make"() : () -> {type}\n'
        '%t = "theirs.make"() : () -> tensor<4xf32>\nfunc.return\n}'
    )
    before = str(module)
    with pytest.raises(BufferizationError, match="does not tell all sizes"):
        one_shot_bufferize(context, module)
    assert str(module) == before
