"""The report as one HTML file that needs no network."""

from __future__ import annotations

from xdsl_bufferization.report.model import Report
from xdsl_bufferization.support.diagnostics import BufferizationError


def to_html(report: Report) -> str:
    """
    The report as a page for a browser, with what it takes to show it.

    Raises `BufferizationError` if a package is missing that only this needs.
    """
    try:
        from xdsl_bufferization.report.html_page import page
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("jinja2", "plotly"):
            raise
        raise BufferizationError(
            None,
            f"bufferization-report: format=html needs {error.name}, which is not installed",
            hint="pip install 'xdsl-bufferization[report]'",
        ) from None
    return page(report)
