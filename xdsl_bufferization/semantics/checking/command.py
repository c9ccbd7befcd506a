"""
The command `bufferization-check`.

The modules of the check are imported when it runs, since their packages are not installed
with this one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl_bufferization.host.commands import DELAY, running_command
from xdsl_bufferization.support.failures import misuse
from xdsl_bufferization.support.names import printable, printable_lines

if TYPE_CHECKING:
    from xdsl_bufferization.semantics.checking.check import CheckOptions
    from xdsl_bufferization.semantics.checking.report import Report

_DESCRIPTION = """
Run a program before and after a pass pipeline, by default bufferize, or two programs, on the
same random arguments; tell whether they compute the same, bit by bit, and whether memory is used
as it should be.
"""
_EXIT_STATUS = """
exit status: 0 if all is right, 1 if something is wrong with a program or the passes refuse it,
2 if the command is used wrongly
"""
_PACKAGES = frozenset({"ml_dtypes", "numpy"})


class _UsageError(Exception):
    """The arguments of the command make no sense."""


@running_command()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the arguments, by default `sys.argv`; returns its exit status."""
    options = _parser().parse_intermixed_args(arguments)
    if len(options.files) > 2 or (len(options.files) == 2 and options.passes):
        _parser().error(
            "give one file, with -p PIPELINE if not bufferize, or two files"
        )
    try:
        return _run(options)
    except ModuleNotFoundError as error:
        if error.name not in _PACKAGES:
            raise
        _complain(
            f"{error.name} is not installed: pip install 'xdsl-bufferization[check]'"
        )
    except _UsageError as error:
        _complain(str(error))
    except RecursionError as error:
        _complain(misuse(error))
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bufferization-check", description=_DESCRIPTION, epilog=_EXIT_STATUS
    )
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="BEFORE.mlir [AFTER.mlir]")
    add(
        "-p",
        "--passes",
        metavar="PIPELINE",
        help="the passes, as for xdsl-opt -p (bufferize)",
    )
    add(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="check this function; by default, the public ones, or else all",
    )
    add("--seed", type=_natural, default=0, metavar="N", help="of the arguments")
    add(
        "--runs",
        type=_positive,
        default=4,
        metavar="N",
        help="on how many arguments to run each function (4)",
    )
    add(
        "--size",
        action="append",
        default=[],
        metavar="[ARG.DIM=]N",
        help="of unknown dimensions: of all of them, or of one",
    )
    add(
        "--arg",
        action="append",
        default=[],
        metavar="I=VALUE",
        help="the value of argument number I, a scalar, or a file of NumPy's with the elements "
        "of a tensor or memref: 0=weights.npy",
    )
    add(
        "--require-coverage",
        type=_percent,
        default=0,
        metavar="PERCENT",
        help="fail if a smaller share of the ops of the program before is run (0)",
    )
    add(
        "--leaks",
        choices=("error", "report"),
        help="whether memory that is never freed is an error; by default, it is if "
        "anything is freed",
    )
    add(
        "--max-steps",
        type=_positive,
        default=10_000_000,
        metavar="N",
        help="how many ops a call may run (10,000,000)",
    )
    add(
        "--semantics",
        action="append",
        default=[],
        metavar="MODULE:CLASS",
        help="xDSL InterpreterFunctions that say what ops do",
    )
    add(
        "--values",
        action="store_true",
        help="print the arguments and results of the last run of each function",
    )
    add("--allow-unregistered-dialect", action="store_true")
    add("--json", action="store_true", help="print the report as JSON")
    return parser


def _positive(text: str) -> int:
    return _at_least(1, text)


def _natural(text: str) -> int:
    return _at_least(0, text)


def _percent(text: str) -> int:
    number = _at_least(0, text.removesuffix("%"))
    if number > 100:
        raise argparse.ArgumentTypeError(f"{number} is more than 100")
    return number


def _at_least(least: int, text: str) -> int:
    number = int(text)
    if number < least:
        raise argparse.ArgumentTypeError(f"{number} is less than {least}")
    return number


def _run(options: argparse.Namespace) -> int:
    # Packages that these need may be missing, which `main` reports.
    from xdsl.utils.exceptions import DiagnosticException, ParseError

    from xdsl_bufferization.semantics.checking.check import (
        InputError,
        NothingToCheckError,
    )
    from xdsl_bufferization.support.diagnostics import BufferizationError, syntax_error
    from xdsl_bufferization.support.failures import verified_module
    from xdsl_bufferization.support.reading import (
        context_of_all_dialects,
        parse_module,
        read_text,
    )

    context = context_of_all_dialects(
        allow_unregistered=options.allow_unregistered_dialect
    )
    modules: list[Any] = []
    for path in options.files:
        try:
            module = parse_module(context, read_text(path), str(path))
            modules.append(verified_module("bufferization-check", module))
        except OSError as error:
            raise _UsageError(f"{printable(str(path))}: {error.strerror}") from None
        except ParseError as error:
            raise _UsageError(syntax_error(error)) from None
        except (UnicodeError, BufferizationError) as error:
            raise _UsageError(str(error)) from None
    try:
        with ExitStack() as stack:
            report = _report(context, modules, options, stack)
    except (InputError, NothingToCheckError) as error:
        raise _UsageError(str(error)) from None
    except DiagnosticException as error:
        _complain(str(error))
        return 1
    text = (
        json.dumps(report.to_json(), indent=1)
        if options.json
        else printable_lines(str(report))
    )
    print(text, flush=True)
    return 0 if report.ok else 1


def _report(
    context: Any, modules: Sequence[Any], options: argparse.Namespace, stack: ExitStack
) -> Report:
    from xdsl_bufferization.semantics.checking.check import (
        check,
        check_pipeline,
        parse_pipeline,
    )

    how = _options(options, stack)
    if len(modules) == 2:
        return check(modules[0], modules[1], how)
    passes = options.passes or "bufferize"
    try:
        parse_pipeline(passes)
    except ValueError as error:
        raise _UsageError(str(error)) from None
    return check_pipeline(context, modules[0], passes, how)


def _options(options: argparse.Namespace, stack: ExitStack) -> CheckOptions:
    from xdsl_bufferization.semantics.checking.check import CheckOptions
    from xdsl_bufferization.semantics.checking.inputs import InputOptions

    size, sizes = _sizes(options.size)
    arrays = [text for text in options.arg if text.endswith(".npy")]
    scalars = [text for text in options.arg if text not in arrays]
    return CheckOptions(
        functions=options.function,
        seed=options.seed,
        runs=options.runs,
        inputs=InputOptions(
            size, sizes, dict(map(_scalar, scalars)), dict(map(_array, arrays))
        ),
        required_coverage=options.require_coverage,
        values=options.values,
        leaks=None if options.leaks is None else options.leaks == "error",
        max_steps=options.max_steps,
        semantics=[_load(name) for name in options.semantics],
        progress=_progress(stack),
    )


def _sizes(texts: Sequence[str]) -> tuple[int | None, dict[tuple[int, int], int]]:
    size: int | None = None
    sizes: dict[tuple[int, int], int] = {}
    for text in texts:
        dimension_of, _, number = text.rpartition("=")
        try:
            value = int(number)
            if dimension_of:
                argument, dimension = map(int, dimension_of.split("."))
                sizes[argument, dimension] = value
            else:
                size = value
        except ValueError:
            value = -1
        if value < 0:
            raise _UsageError(f"--size takes N or ARG.DIM=N, not '{text}'")
    return size, sizes


def _scalar(text: str) -> tuple[int, float]:
    number, _, value = text.partition("=")
    words = {"true": 1, "false": 0}
    try:
        if value in words:
            return int(number), words[value]
        try:
            return int(number), int(value, 0)
        except ValueError:
            return int(number), float(value)
    except ValueError:
        raise _UsageError(f"--arg takes I=VALUE or I=FILE.npy, not '{text}'") from None


def _array(text: str) -> tuple[int, Any]:
    """The number of an argument, and the array in the file of NumPy's."""
    import numpy as np

    number, _, path = text.partition("=")
    try:
        return int(number), np.load(path, allow_pickle=False)
    except (EOFError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _UsageError(f"--arg {text}: {reason}") from None
    except ValueError as error:
        raise _UsageError(f"--arg takes I=VALUE or I=FILE.npy: {error}") from None


def _load(name: str) -> Any:
    """The class of that name, `module:Class`."""
    from importlib import import_module

    module, _, attribute = name.partition(":")
    # Modules in the working directory count, as for `python -m`.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return getattr(import_module(module), attribute)
    except (AttributeError, ImportError, ValueError) as error:
        raise _UsageError(f"--semantics {name}: {error}") from None


def _progress(stack: ExitStack) -> Callable[[int, int], None]:
    """A progress bar on the standard error stream, if that is a terminal."""
    from tqdm import tqdm

    bar = stack.enter_context(tqdm(delay=DELAY, unit="run", leave=False, disable=None))

    def show(done: int, all: int) -> None:
        bar.total = all
        bar.update(done - bar.n)

    return show


def _complain(message: str) -> None:
    print(f"bufferization-check: {printable_lines(message)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
