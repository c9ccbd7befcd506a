"""
The command `xdsl-bufferization-gui`: xDSL's terminal interface with the passes of all packages.

The application, `app.py`, is imported when it starts, since its packages are not installed with
this one: `pip install 'xdsl-bufferization[gui]'`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, PassFailedException

from xdsl_bufferization.support.names import no_such_pass, printable, printable_lines
from xdsl_bufferization.support.reading import read_text

_DESCRIPTION = """
Try passes on a program in the terminal: xDSL's interface xdsl-gui, with the dialects and
passes of all packages in the environment.
"""
_PACKAGES = frozenset({"pyclip", "textual"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the arguments, by default `sys.argv`; returns its exit status."""
    all_passes = Universe.get_multiverse().all_passes
    options = _parser(all_passes).parse_args(arguments)
    try:
        # The packages that it needs may be missing.
        from xdsl_bufferization.interactive.app import BufferizationApp
    except ModuleNotFoundError as error:
        if error.name not in _PACKAGES:
            raise
        return _complain(
            f"{error.name} is not installed: pip install 'xdsl-bufferization[gui]'"
        )
    try:
        for spec in parse_pipeline(options.passes):
            if spec.name not in all_passes:
                return _complain(no_such_pass(spec.name, all_passes))
        pipeline = PassPipeline.parse_spec(all_passes, options.passes).passes
    except (ArgSpecParseError, PassFailedException, ValueError) as error:
        return _complain(str(error))
    text: str | None = None
    if options.input_file is not None:
        try:
            text = read_text(Path(options.input_file))
        except OSError as error:
            return _complain(f"{printable(options.input_file)}: {error.strerror}")
        except UnicodeError as error:
            return _complain(str(error))
    app = BufferizationApp(options.input_file, text, pipeline)
    app.run()
    return app.return_code or 0


def _parser(passes: Iterable[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("xdsl-bufferization-gui", description=_DESCRIPTION)
    parser.add_argument("input_file", nargs="?", help="path to input file")
    parser.add_argument(
        "-p",
        "--passes",
        default="",
        help=f"Delimited list of passes. Available passes are: {','.join(passes)}",
    )
    return parser


def _complain(message: str) -> int:
    print(f"xdsl-bufferization-gui: {printable_lines(message)}", file=sys.stderr)
    return 1
