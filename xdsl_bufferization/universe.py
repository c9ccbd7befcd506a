"""
The universe that `xdsl-opt` finds through the entry-point group `xdsl.universe`.

Every call of `xdsl-opt` imports this module, so it imports no dialect and no pass: their
modules are imported on first use.

Two universes that name the same dialect are an error to xDSL. So the dialects that xDSL has,
too, are not listed here: their factories, in the public `XDSL_UNIVERSE.all_dialects`, are
wrapped when this module is imported. Each calls the one before it, so that several packages
may do the same, in any order.

So are three methods of `xdsl-opt`, and of commands derived from it. A command that calls a pass or
target of this package redefines dialects in its context, reads programs so that ops know their
places, prints ops so that every xDSL reads them, and prints errors as messages. That is done to
the object that is the command, when it runs. Any other command runs as without the package. xDSL
has no hook for any of this: docs/upstream has the patches.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import wraps
from importlib import import_module
from io import StringIO
from typing import IO, TYPE_CHECKING, Any, NoReturn, Protocol, Self, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.arg_spec import parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.host.commands import reduced_gc, running_command
from xdsl_bufferization.host.extensions import (
    EXTENDED,
    Extension,
    extend_all,
    extend_context,
    redefine_context,
)

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.utils.arg_spec import ArgSpec

    from xdsl_bufferization.support.diagnostics import OutputError

_PASSES = {
    "buffer-deallocation-pipeline": "BufferDeallocationPipeline",
    "buffer-deallocation-simplification": "BufferDeallocationSimplificationPass",
    "buffer-hoisting": "BufferHoistingPass",
    "buffer-loop-hoisting": "BufferLoopHoistingPass",
    "buffer-results-to-out-params": "BufferResultsToOutParamsPass",
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "bufferize": "BufferizePass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemRefPass",
    "convert-elementwise-to-linalg": "ConvertElementwiseToLinalgPass",
    "drop-equivalent-buffer-results": "DropEquivalentBufferResultsPass",
    "drop-iteration-arguments": "DropIterationArgumentsPass",
    "eliminate-copies": "EliminateCopiesPass",
    "eliminate-empty-tensors": "EliminateEmptyTensorsPass",
    "eliminate-moves": "EliminateMovesPass",
    "expand-realloc": "ExpandReallocPass",
    "fuse-for-memory": "FuseForMemoryPass",
    "linalg-fuse-elementwise-ops": "LinalgFuseElementwiseOpsPass",
    "one-shot-bufferize": "OneShotBufferizePass",
    "optimize-allocation-liveness": "OptimizeAllocationLivenessPass",
    "ownership-based-buffer-deallocation": "OwnershipBasedBufferDeallocationPass",
    "plan-static-memory": "PlanStaticMemoryPass",
    "promote-buffers-to-stack": "PromoteBuffersToStackPass",
    "reorder-for-memory": "ReorderForMemoryPass",
    "split-at-peak": "SplitAtPeakPass",
    "tensor-copy-insertion": "TensorCopyInsertionPass",
    "test-tensor-copy-insertion": "TestTensorCopyInsertionPass",
    "verify-bufferization-decisions": "VerifyBufferizationDecisionsPass",
}
"""The class of each pass. Its module, in `transforms`, is named like the pass."""

_FORMER_PASSES = {
    "former.buffer_deallocation": {"buffer-deallocation": "BufferDeallocationPass"},
    "former.copy_removal": {"copy-removal": "CopyRemovalPass"},
    "former.dialect_conversion": {
        "arith-bufferize": "ArithBufferizePass",
        "bufferization-bufferize": "BufferizationBufferizePass",
        "finalizing-bufferize": "FinalizingBufferizePass",
        "func-bufferize": "FuncBufferizePass",
        "linalg-bufferize": "LinalgBufferizePass",
        "scf-bufferize": "SCFBufferizePass",
        "std-bufferize": "StdBufferizePass",
        "tensor-bufferize": "TensorBufferizePass",
        "tensor-constant-bufferize": "TensorConstantBufferizePass",
    },
}
"""By module: the classes of passes that MLIR has removed."""


def _imported_on_use(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(f"xdsl_bufferization.{module}"), name)


def _passes() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The name and the factory of each pass."""
    for name, pass_ in _PASSES.items():
        yield name, _imported_on_use(f"transforms.{name.replace('-', '_')}", pass_)
    for module, passes in _FORMER_PASSES.items():
        for name, pass_ in passes.items():
            yield name, _imported_on_use(module, pass_)


UNIVERSE = Universe(
    all_passes={
        name: load
        for name, load in sorted(_passes())
        if name not in XDSL_UNIVERSE.all_passes
    },
    all_targets={
        name: _imported_on_use(f"report.{module}", target)
        for name, module, target in (
            ("bufferization-header", "header", "BufferizationHeaderTarget"),
            ("bufferization-report", "target", "BufferizationReportTarget"),
        )
        if name not in XDSL_UNIVERSE.all_targets
    },
)
"""The passes and targets; those of a name that xDSL has are xDSL's."""


def register_all(place: xDSLOptMain | Context) -> None:
    """
    Register everything of this package with a context, or with a command derived from
    `xDSLOptMain` that does not discover plugins:

        class MyOpt(xDSLOptMain):
            def register_all_targets(self):
                super().register_all_targets()
                register_all(self)

    The context's dialects are redefined; those of the command are when it calls this package.
    Passes and targets of names that the command has already stay as they are. Raises
    `TypeError` for an argument of another kind.
    """
    if isinstance(place, Context):
        _register_missing_dialects(place)
        redefine_context(place)
        import_module("xdsl_bufferization.host.repairs").apply(import_all=True)
        return
    from xdsl_bufferization.support.failures import checked

    command = checked("register_all", place, xDSLOptMain)
    _register_missing_dialects(command.ctx)
    extend_context(command.ctx, Extension.added_to)
    command.available_passes = UNIVERSE.all_passes | command.available_passes
    command.available_targets = UNIVERSE.all_targets | command.available_targets


def _register_missing_dialects(context: Context) -> None:
    """Register the dialects whose ops this package prints, where they are not registered."""
    for name in {*EXTENDED} - {*context.registered_dialect_names}:
        context.register_dialect(name, XDSL_UNIVERSE.all_dialects[name])


ALWAYS = "XDSL_BUFFERIZATION_ALWAYS"
"""The variable of the environment that extends every `xdsl-opt`, whatever it calls."""

RUNS_OURS = "runs_xdsl_bufferization"
"""The attribute of pass classes, of other packages, that run passes of this one."""

_PACKAGE = __name__.split(".")[0]


_CHANGED = frozenset(
    {
        "apply_passes",
        "available_frontends",
        "available_targets",
        "output_resulting_program",
        "parse_chunk",
        "pipeline",
        "prepare_input",
        "prepare_output",
    }
)
"""The attributes of a command that are replaced while it runs."""


class JoiningTarget(Protocol):
    """A target of this package."""

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self: ...

    def joins_outputs(self) -> Callable[[Sequence[str]], str] | None:
        """
        The function that makes one document of the outputs for the parts of a file that is split;
        `None` if lines separate them, as in MLIR.

        Raises `BufferizationError` if there is no such document.
        """
        ...

    def explained(self) -> str:
        """The text about a code of a reason, if the option `explain` has one."""
        ...


def _hook_commands() -> None:
    """Wrap the methods of `xDSLOptMain` that learn the target and the pipeline, and run it."""
    register_all_arguments = xDSLOptMain.register_all_arguments
    setup_pipeline, run = xDSLOptMain.setup_pipeline, xDSLOptMain.run

    @wraps(register_all_arguments)
    def register_all_or_explain(
        self: xDSLOptMain, arg_parser: argparse.ArgumentParser
    ) -> None:
        register_all_arguments(self, arg_parser)
        _explain_target(self, arg_parser)

    @wraps(setup_pipeline)
    def setup_or_help(self: xDSLOptMain) -> None:
        with _ending_with_messages(self, ours=_names_us(self)):
            _print_help(self)
            _name_unknown_pass(self)
            setup_pipeline(self)

    @wraps(run)
    def run_extended(self: xDSLOptMain) -> None:
        if _calls_us(self):
            with _ending_with_messages(self, ours=True):
                _run_extended(self, run)
        else:
            with _telling_how_to_read():
                run(self)

    xDSLOptMain.register_all_arguments = register_all_or_explain
    xDSLOptMain.setup_pipeline = setup_or_help
    xDSLOptMain.run = run_extended


def _calls_us(command: xDSLOptMain) -> bool:
    """Whether a pass or the target of the command is one of this package's."""
    if os.environ.get(ALWAYS, "") not in ("", "0"):
        return True
    # A command that sets up no pipeline, or has no targets, does not call us.
    pipeline = getattr(command, "pipeline", None)
    passes = () if pipeline is None else pipeline.passes
    target = command.available_targets.get(_target_spec(command).name)
    return _is_ours(target) or any(map(_runs_ours, passes))


def _names_us(command: xDSLOptMain, *names: str) -> bool:
    """
    Whether the options of the command, right or wrong, or the names, are about a pass or target of
    this package.
    """
    known = {**getattr(command, "available_passes", {}), **command.available_targets}
    options = getattr(command.args, "passes", ""), getattr(command.args, "target", "")
    named = *names, *re.findall(r"[\w-]+", ",".join(options))
    return any(_is_ours(known[name]) for name in named if name in known)


def _target_spec(command: xDSLOptMain) -> ArgSpec:
    """The target that the command names; not every command has that option."""
    return parse_spec(getattr(command.args, "target", "mlir"))


def _runs_ours(module_pass: ModulePass) -> bool:
    """Whether the pass is one of this package's, or says that it runs one."""
    kind = type(module_pass)
    return getattr(kind, RUNS_OURS, False) or any(map(_is_ours, kind.__mro__))


def _is_ours(thing: object) -> bool:
    return getattr(thing, "__module__", "").split(".")[0] == _PACKAGE


def _run_extended(command: xDSLOptMain, run: Callable[[xDSLOptMain], None]) -> None:
    """
    Run a command that calls this package. Afterwards the command is as before, apart from the
    dialects of its context.
    """
    from xdsl_bufferization.host import repairs
    from xdsl_bufferization.host.printing import (
        print_for_all,
        printed_to,
        prints_to_terminal,
    )

    before = {name: vars(command)[name] for name in _CHANGED & vars(command).keys()}
    parse, output = command.parse_chunk, command.output_resulting_program
    prepare_input, prepare_output = command.prepare_input, command.prepare_output
    failures: list[OutputError] = []
    join = _joins_outputs(command)
    outputs: list[str] = []

    def parse_chunk(
        chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        _keep_places(command, start_offset)
        with _told_if_not_utf8(command, start_offset):
            return parse(chunk, file_extension, start_offset)

    def prepare_input_or_tell() -> tuple[list[tuple[IO[bytes], int]], str]:
        with _told_if_not_utf8(command):
            return prepare_input()

    def prepare_output_or_print_to_it() -> IO[str]:
        stream = prepare_output()
        # A text and its copies take more memory than a program that is mostly constants.
        if getattr(output, "__func__", None) is xDSLOptMain.output_resulting_program:
            printed_to.set(stream)
        return stream

    def write(text: str) -> None:
        stream = prepare_output()
        stream.write(text)
        if stream is not sys.stdout:
            stream.close()

    def output_resulting_program(prog: ModuleOp) -> str:
        from xdsl_bufferization.support.diagnostics import OutputError

        try:
            text = output(prog)
        except OutputError as error:
            failures.append(error)
            text = error.output
        outputs.append(text)
        return text

    redefine_context(command.ctx)
    repairs.apply()
    command.available_targets = print_for_all(command.available_targets)
    command.available_frontends = {**command.available_frontends}
    to_file = getattr(command.args, "output_file", None) is not None
    prints_to_terminal.set(not to_file and sys.stdout.isatty())
    _verify_first(command)
    command.parse_chunk = parse_chunk
    command.prepare_input = prepare_input_or_tell
    command.output_resulting_program = output_resulting_program
    # Lines between the outputs of parts are no part of a joined document.
    command.prepare_output = prepare_output_or_print_to_it if join is None else StringIO
    try:
        with reduced_gc():
            run(command)
        if join is not None and outputs:
            write(join(outputs))
    finally:
        printed_to.set(None)
        for name in _CHANGED & vars(command).keys() - before.keys():
            delattr(command, name)
        vars(command).update(before)
    if failures:
        sys.exit("\n".join(f"error: {failure}" for failure in failures))


def _verify_first(command: xDSLOptMain) -> None:
    """Let the command verify what xDSL's verifier leaves out, after xDSL has."""
    from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes
    from xdsl_bufferization.support.failures import verified_module

    pipeline = getattr(command, "pipeline", None)
    if pipeline is None or command.args.disable_verify:
        return
    callback, apply_passes = pipeline.callback, command.apply_passes
    is_verified = False

    def verify_all(
        previous_pass: ModulePass | None,
        module: ModuleOp,
        next_pass: ModulePass | None,
    ) -> None:
        nonlocal is_verified
        if callback is not None:
            callback(previous_pass, module, next_pass)
        if previous_pass is None:
            is_verified = True
            verify_attributes(module)

    def apply_or_tell(prog: ModuleOp) -> None:
        try:
            return apply_passes(prog)
        except Exception:
            if not is_verified and not command.args.verify_diagnostics:
                verified_module("xdsl-opt", prog)
            raise

    command.pipeline = replace(pipeline, callback=verify_all)
    command.apply_passes = apply_or_tell


def _joins_outputs(command: xDSLOptMain) -> Callable[[Sequence[str]], str] | None:
    """
    The function that makes one document of the outputs for the parts of a file; `None` if the file
    is not split, or lines separate the outputs of the target, as in MLIR.
    """
    spec = _target_spec(command)
    factory = command.available_targets.get(spec.name)
    if not (getattr(command.args, "split_input_file", False) and _is_ours(factory)):
        return None
    make = cast("Callable[[], type[JoiningTarget]]", factory)
    return make().from_spec(spec).joins_outputs()


def _print_help(command: xDSLOptMain) -> None:
    """
    Print the options of passes and targets of ours that are given the option `help`, or what
    the option `explain` of a target asks for.
    """
    passes = parse_pipeline(getattr(command.args, "passes", ""))
    target = _target_spec(command)
    named = [
        *((spec, command.available_passes) for spec in passes),
        (target, command.available_targets),
    ]
    asked = [
        factory()
        for spec, factories in named
        if "help" in spec.parameters
        and _is_ours(factory := cast(Callable[[], type], factories.get(spec.name)))
    ]
    if asked:
        from xdsl_bufferization.support.pass_options import command_line_help

        print("\n\n".join(map(command_line_help, asked)), flush=True)
        sys.exit()
    factory = command.available_targets.get(target.name)
    if "explain" in target.parameters and _is_ours(factory):
        make = cast("Callable[[], type[JoiningTarget]]", factory)
        print(make().from_spec(target).explained(), end="", flush=True)
        sys.exit()


def _name_unknown_pass(command: xDSLOptMain) -> None:
    """
    End the command with a message if its pipeline has a pass that does not exist, and it calls
    this package: by another pass, or by the pass that was meant.
    """
    passes = getattr(command, "available_passes", {})
    names = [spec.name for spec in parse_pipeline(getattr(command.args, "passes", ""))]
    unknown = next((name for name in names if name not in passes), None)
    if unknown is None:
        return
    # Only wrong input needs it.
    from xdsl_bufferization.support.names import no_such_pass, similar_to

    if _names_us(command, similar_to(unknown, passes)):
        sys.exit(f"error: {no_such_pass(unknown, passes)}")


def _explain_target(command: xDSLOptMain, parser: argparse.ArgumentParser) -> None:
    """Let the error about a target that does not exist name the one of ours that was meant."""
    end, targets = parser.error, command.available_targets

    def tell(message: str) -> NoReturn:
        # Only wrong input needs it.
        from xdsl_bufferization.support.names import similar_to

        wrong = re.match(r"argument -t/--target: invalid choice: '([^']*)'", message)
        if wrong and _is_ours(targets.get(meant := similar_to(wrong[1], targets))):
            message += f"; did you mean '{meant}'?"
        end(message)

    parser.error = tell


@contextmanager
def _ending_with_messages(command: xDSLOptMain, *, ours: bool) -> Generator[None]:
    """
    Let errors of this package end the command with their messages, and exit status 1. If it is
    `ours`, so do mistakes in its input or arguments, and output that cannot be written.
    """
    file = getattr(command.args, "output_file", None)
    with running_command(file) if ours else nullcontext():
        try:
            yield
        except (Exception, ArgSpecParseError) as error:
            # The code that raises it has imported the modules; other commands do not wait for them.
            from xdsl_bufferization.host.releases import blame_release
            from xdsl_bufferization.support.diagnostics import BufferizationError

            message = str(error) if isinstance(error, BufferizationError) else ""
            if ours and not message:
                from xdsl_bufferization.support.failures import misuse

                message = misuse(error)
            if not (message := message or blame_release(error)):
                raise
            # The results of the parts before come first.
            print(end="", flush=True)
            sys.exit(f"error: {message}")


@contextmanager
def _telling_how_to_read() -> Generator[None]:
    """Add to an error of xDSL's parser, in a command that does not call us, how we may read it."""
    try:
        yield
    except ParseError as error:
        error.add_note(
            f"hint: if mlir-opt reads it, xdsl-bufferization may: call one of its passes, or set "
            f"{ALWAYS}=1"
        )
        raise


@contextmanager
def _told_if_not_utf8(command: xDSLOptMain, lines_before: int = 0) -> Generator[None]:
    """Raise `NotUTF8Error` if the input of the command is no UTF-8."""
    try:
        yield
    except UnicodeDecodeError as error:
        from xdsl_bufferization.support.locations import NotUTF8Error

        raise NotUTF8Error(error, command.get_input_name(), lines_before) from None


def _keep_places(command: xDSLOptMain, lines_before: int) -> None:
    """Let the command read MLIR, if it does that as xDSL does, with places of ops."""
    from xdsl_bufferization.host.releases import read_text, reads_mlir
    from xdsl_bufferization.support.locations import Text
    from xdsl_bufferization.support.reading import LocatingParser

    def read(stream: IO[bytes]) -> ModuleOp:
        text = Text(command.get_input_name(), read_text(stream), lines_before + 1)
        parser = LocatingParser(command.ctx, text)
        return parser.parse_module(not command.args.no_implicit_module)

    frontend = command.available_frontends.get("mlir")
    if reads_mlir(frontend) or getattr(frontend, "__module__", "") == __name__:
        command.available_frontends["mlir"] = read


extend_all(XDSL_UNIVERSE.all_dialects, Extension.added_to)
_hook_commands()
