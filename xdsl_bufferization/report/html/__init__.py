"""
The report as one HTML file that needs no network.

`page.py` fills the template; `timeline.py` makes the charts of memory over time, whose axes
and texts below the pointer are in `axis.py`.
"""

from __future__ import annotations

from xdsl_bufferization.report.model import Report
from xdsl_bufferization.support.diagnostics import BufferizationError


def to_html(report: Report) -> str:
    """
    The report as an HTML document.

    Raises `BufferizationError` if the package that only HTML needs is missing.
    """
    try:
        from xdsl_bufferization.report.html.page import page
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "jinja2":
            raise
        raise BufferizationError(
            None,
            f"bufferization-report: format=html needs {error.name}, which is not installed",
            hint="pip install 'xdsl-bufferization[report]'",
        ) from None
    return page(report)
