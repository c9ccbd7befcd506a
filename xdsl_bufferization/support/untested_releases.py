"""Errors under releases of xDSL that the tests do not run with."""

from __future__ import annotations

import re
import traceback
from importlib.metadata import version
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]

TESTED = (0, 62), (0, 75)
"""The oldest and the newest release that the tests run with."""


def _is_ours(place: traceback.FrameSummary) -> bool:
    """Whether the place is in the package, but not in its hook on commands."""
    path = Path(place.filename)
    return path.is_relative_to(_PACKAGE) and path.name != "xdsl_opt.py"


def blame_release(error: BaseException) -> str | None:
    """
    The message for an error that comes from a release of xDSL which this package has not been
    tested with; `None` if the release is tested, or the error is another one: a name that is
    missing where this package uses it.
    """
    if not isinstance(error, ImportError | AttributeError):
        return None
    release = version("xdsl")
    oldest, newest = TESTED
    numbers = re.match(r"(\d+)\.(\d+)", release)
    if numbers and oldest <= tuple(map(int, numbers.groups())) <= newest:
        return None
    places = traceback.extract_tb(error.__traceback__)
    place = places[-1]
    missing = error.name or "" if isinstance(error, ImportError) else ""
    # Imports of what xDSL lacks may fail in Python's own modules.
    blamed = places if missing.startswith("xdsl.") else [place]
    if not any(map(_is_ours, blamed)):
        return None
    first, last = (".".join(map(str, numbers)) for numbers in TESTED)
    return (
        f"xdsl-bufferization is tested with xDSL {first} to {last}, and this is {release}:\n"
        f"  {type(error).__name__}: {error}\n"
        f"  at: {place.filename}:{place.lineno}\n"
        f"  hint: report these lines to xdsl-bufferization; pip install 'xdsl=={last}.*' "
        "takes xDSL back to a tested release"
    )
