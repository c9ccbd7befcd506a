"""What one of the processes that run tests has found, for the others."""

import os
from collections.abc import Callable
from pathlib import Path


def shared(path: Path, compute: Callable[[], str]) -> str:
    """
    The contents of the file, which are computed if it is not there. Several processes may
    do that at once; none finds part of it.
    """
    if path.exists():
        return path.read_text()
    text = compute()
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_text(text)
    unfinished.replace(path)
    return text
