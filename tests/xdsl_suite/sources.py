"""The source distribution of the xDSL that is installed."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from importlib.metadata import version
from pathlib import Path

from tests.environments import PROJECT, pip

PATCHES = sorted((PROJECT / "docs" / "upstream").glob("*.patch"))
"""The changes that xDSL needs."""

_CACHE = PROJECT / ".cache" / "xdsl-sources"


def sources(directory: Path, *, patched: bool) -> Path:
    """
    The sources in a new directory, downloaded unless they are there from an earlier call.

    Raises `subprocess.CalledProcessError` if they can not be had, or a patch does not apply.
    """
    installed = version("xdsl")
    archive = _CACHE / f"xdsl-{installed}.tar.gz"
    if not archive.exists():
        # Its version is made by a tool that pip installs for that.
        wanted = "--no-deps", "--no-binary=xdsl", f"xdsl=={installed}"
        pip("download", "--dest", _CACHE, *wanted)
    shutil.rmtree(directory, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(directory, filter="data")
    (unpacked,) = directory.iterdir()
    for patch in PATCHES if patched else ():
        command = "patch", "-p1", "--silent", "-i", str(patch)
        subprocess.run(command, cwd=unpacked, check=True)
    return unpacked
