"""The target `bufferization-report`: what bufferization does to a program, and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_bufferization.report.buffer_sizes import assumed_numbers
from xdsl_bufferization.report.limits import Baseline, too_much
from xdsl_bufferization.report.model import Report
from xdsl_bufferization.report.remarks import join_sarif, to_remarks, to_sarif
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.tensors.codes import Code
from xdsl_bufferization.report.text import join_json, to_json, to_text
from xdsl_bufferization.report.writer import WIDTH, width_of_terminal
from xdsl_bufferization.support.collection import reduced_gc
from xdsl_bufferization.support.diagnostics import BufferizationError, OutputError
from xdsl_bufferization.support.printing import prints_to_terminal
from xdsl_bufferization.transforms.bufferize import BufferizePass


@dataclass(frozen=True)
class BufferizationReportTarget(BufferizePass, Target):
    """
    Tell what the pass `bufferize` does to functions on tensors: which buffers it makes, and
    each copy with the reason and what can be done about it; and of functions on memrefs,
    which memory they have when.

    The program stays as it is. It has the options of the pass, and these.
    """

    name = "bufferization-report"

    format: Literal["text", "html", "json", "remarks", "sarif"] = "text"
    """
    `text`, for people, `html`, for a browser, `json`, for programs, `remarks`, one line for
    each copy and allocation, for editors, or `sarif`, the same for code scanning.
    """
    function: str = ""
    """Report on this function only."""
    color: Literal["auto", "always", "never"] = "auto"
    """Colors in text: `always`, `never`, or `auto`, which is on a terminal only."""
    fail_on: Literal["never", "avoidable-copies"] = "never"
    """With `avoidable-copies`: fail, after the report, if there are any."""
    max_bytes_copied: int = -1
    """Fail, after the report, if more bytes are copied; -1 for no limit."""
    assume: tuple[str, ...] = ()
    """
    Numbers for sizes that are known at run time only, as in `"%x.0=32"`, the first size of the
    argument `%x`, or `"%n=32"`, an `index`. Buffers, copies and peaks are in bytes then.
    """
    baseline: str = ""
    """
    The file of an earlier report, `format=json`, in quotes: only copies that are not in it count
    for `fail-on` and `max-bytes-copied`.
    """

    explain: str = ""
    """
    Explain a code of a reason, such as `B001`, with an example, instead of reporting on one.
    """

    def explained(self) -> str:
        """
        The text about the code in `explain`; empty if there is none.

        Raises `BufferizationError` for a code that does not exist.
        """
        return self.explain and Code.explained(self.explain)

    @reduced_gc()
    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """
        Write the report.

        Raises `BufferizationError` if the program cannot be bufferized, an option has an
        invalid value, or a package that the format needs is not installed; and `OutputError`,
        after the report is written, if more is copied than the options allow.
        """
        if self.test_analysis_only:
            raise BufferizationError(
                None, f"{self.name}: test-analysis-only leaves nothing to report on"
            )
        baseline = Baseline.read(self.baseline) if self.baseline else None
        in_files = self.format in ("remarks", "sarif")
        report = report_on(
            ctx,
            module,
            self,
            self.function,
            in_files=in_files,
            assumed=assumed_numbers(self.assume),
        )
        text = self._formatted(report)
        output.write(text)
        problems = too_much(
            report,
            avoidable=self.fail_on == "avoidable-copies",
            max_bytes_copied=None
            if self.max_bytes_copied < 0
            else self.max_bytes_copied,
            baseline=baseline,
        )
        for problem in problems:
            raise OutputError(f"{self.name}: {problem}", text)

    def joins_outputs(self) -> Callable[[Sequence[str]], str] | None:
        """
        The function that makes one document of the reports on the parts of a file, or `None` if
        lines separate them; see `JoiningTarget`.
        """
        if self.format == "html":
            raise BufferizationError(
                None,
                f"{self.name}: format=html is a page on one program, and --split-input-file "
                "makes several",
                hint="take format=json, or call xdsl-opt for each part",
            )
        return {"json": join_json, "sarif": join_sarif}.get(self.format)

    def _formatted(self, report: Report) -> str:
        match self.format:
            case "json":
                return to_json(report)
            case "remarks":
                return to_remarks(report)
            case "sarif":
                return to_sarif(report)
            case "html":
                # Only this format needs what this imports.
                from xdsl_bufferization.report.html import to_html

                return to_html(report)
            case "text":
                colored = self.color == "always" or (
                    self.color == "auto"
                    and prints_to_terminal.get()
                    and "NO_COLOR" not in os.environ
                )
                width = width_of_terminal() if prints_to_terminal.get() else WIDTH
                return to_text(report, colored=colored, width=width)
