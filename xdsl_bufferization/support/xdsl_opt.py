"""
What `xdsl-opt` does for passes of this package beside calling them: it reads programs so that
ops know their places, and prints errors as messages.

That is done to the object that is the command, so nothing else in its process changes.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import parse_pipeline, parse_spec

if TYPE_CHECKING:
    from xdsl.xdsl_opt_main import xDSLOptMain

_PACKAGE = __name__.split(".")[0]


def running_xdsl_opt() -> xDSLOptMain | None:
    """The `xdsl-opt`, or the command derived from it, that calls this function."""
    module = sys.modules.get("xdsl.xdsl_opt_main")
    if module is not None:
        for frame, _ in traceback.walk_stack(None):
            caller = frame.f_locals.get("self")
            if isinstance(caller, module.xDSLOptMain):
                return caller
    return None


def extend(command: xDSLOptMain) -> None:
    """Extend the command, which is being made."""
    kind = type(command)

    def setup_pipeline() -> None:
        _print_help(command)
        _print_errors(lambda: kind.setup_pipeline(command))

    failures: list[Exception] = []

    def run() -> None:
        _print_errors(lambda: kind.run(command))
        if failures:
            sys.exit("\n".join(f"error: {failure}" for failure in failures))

    def output_resulting_program(prog: ModuleOp) -> str:
        try:
            return kind.output_resulting_program(command, prog)
        except Exception as error:
            from xdsl_bufferization.support.diagnostics import OutputError

            if not isinstance(error, OutputError):
                raise
            failures.append(error)
            return error.output

    def parse_chunk(
        chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        if _is_for_us(command):
            _keep_places(command, start_offset)
        return kind.parse_chunk(command, chunk, file_extension, start_offset)

    command.setup_pipeline = setup_pipeline
    command.run = run
    command.output_resulting_program = output_resulting_program
    command.parse_chunk = parse_chunk


def _print_help(command: xDSLOptMain) -> None:
    """Print the options of passes and targets of ours that are given the option `help`."""
    named = [
        *(
            (spec, command.available_passes)
            for spec in parse_pipeline(command.args.passes)
        ),
        (parse_spec(command.args.target), command.available_targets),
    ]
    asked = [
        factory()
        for spec, factories in named
        if "help" in spec.parameters
        and _is_ours(factory := cast(Callable[[], type], factories.get(spec.name)))
    ]
    if asked:
        from xdsl_bufferization.support.option_help import command_line_help

        print("\n\n".join(map(command_line_help, asked)))
        sys.exit()


def _print_errors(call: Callable[[], None]) -> None:
    """Let errors of this package be printed as their messages alone, with exit status 1."""
    try:
        call()
    except Exception as error:
        # Whoever raises it has imported the module, which others need not wait for.
        from xdsl_bufferization.support.diagnostics import BufferizationError

        if isinstance(error, BufferizationError):
            # The results of the parts before come first.
            sys.stdout.flush()
            sys.exit(f"error: {error}")
        raise


def _is_for_us(command: xDSLOptMain) -> bool:
    """Whether a pass or the target that the command calls is one of this package's."""
    target = command.available_targets[parse_spec(command.args.target).name]
    return _is_ours(target) or any(
        any(map(_is_ours, type(module_pass).__mro__))
        for module_pass in command.pipeline.passes
    )


def _is_ours(thing: object) -> bool:
    return thing.__module__.split(".")[0] == _PACKAGE


def _keep_places(command: xDSLOptMain, lines_before: int) -> None:
    """Let the command read MLIR, if it does that as xDSL does, with places of ops."""
    # What does not call a pass of ours need not wait for them.
    from xdsl_bufferization.support.locations import Text
    from xdsl_bufferization.support.reading import LocatingParser

    def read(stream: IO[bytes]) -> ModuleOp:
        text = Text(
            command.get_input_name(), stream.read().decode("utf-8"), lines_before + 1
        )
        parser = LocatingParser(command.ctx, text)
        return parser.parse_module(not command.args.no_implicit_module)

    reader = command.available_frontends["mlir"]
    if reader.__module__ in ("xdsl.tools.command_line_tool", __name__):
        command.available_frontends["mlir"] = read
