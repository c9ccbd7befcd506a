"""The target `bufferization-report`: what bufferization does to a program, and why."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_bufferization.report.model import Report
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.text import to_json, to_text
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.xdsl_opt import running_xdsl_opt
from xdsl_bufferization.transforms.bufferize import BufferizePass


@dataclass(frozen=True)
class BufferizationReportTarget(BufferizePass, Target):
    """
    Tell what the pass `bufferize` does to functions on tensors: which buffers it makes, and
    each copy with the reason and what can be done about it; and of functions on memrefs,
    which memory they have when.

    The program stays as it is. The options are those of the pass, and these of its own.
    """

    name = "bufferization-report"

    format: str = "text"
    """`text`, for people, `html`, for a browser, or `json`, for programs."""
    function: str = ""
    """Report on this function only."""
    color: str = "auto"
    """Of text: `always`, `never`, or `auto`, which is on a terminal only."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """
        Write the report.

        Raises `BufferizationError` if the program cannot be bufferized, an option has an
        invalid value, or a package that the format needs is not installed.
        """
        self._check("format", ("text", "html", "json"))
        self._check("color", ("auto", "always", "never"))
        if self.test_analysis_only:
            raise BufferizationError(
                None, f"{self.name}: test-analysis-only leaves nothing to report on"
            )
        report = report_on(ctx, module, self, self.function)
        output.write(self._formatted(report))

    def _formatted(self, report: Report) -> str:
        match self.format:
            case "json":
                return to_json(report)
            case "html":
                # Only this format needs what this imports.
                from xdsl_bufferization.report.html import to_html

                return to_html(report)
            case _:
                colored = self.color == "always" or (
                    self.color == "auto" and _is_terminal()
                )
                return to_text(report, colored=colored)

    def _check(self, option: str, values: tuple[str, ...]) -> None:
        value = getattr(self, option)
        if value not in values:
            raise BufferizationError(
                None,
                f"{self.name}: '{value}' is not a value of {option}; its values are "
                + ", ".join(values),
            )


def _is_terminal() -> bool:
    """Whether the output of the command is a terminal, and colors are wanted there."""
    command = running_xdsl_opt()
    to_file = command is not None and command.args.output_file is not None
    return sys.stdout.isatty() and not to_file and "NO_COLOR" not in os.environ
