"""The source distribution of the xDSL that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from importlib.metadata import version
from pathlib import Path

from tests.environments import PROJECT, pip

PATCHES = sorted((PROJECT / "docs" / "upstream").glob("*.patch"))
"""The changes that xDSL needs."""

FILECHECK = "tests/filecheck/"
"""Where xDSL's tests of the IR are; those in patches for it state what was a fault."""

_CACHE = PROJECT / ".cache" / "xdsl-sources"


def apply_patches(directory: Path, *, to_filecheck: bool) -> None:
    """
    Apply the patches to sources in the directory: what they change of xDSL's tests of the
    IR, or all else.

    Raises `subprocess.CalledProcessError` if one does not apply.
    """
    command = "patch", "-p1", "--silent"
    for patch in PATCHES:
        _, *files = re.split(r"^(?=--- )", patch.read_text(), flags=re.MULTILINE)
        chosen = "".join(
            file for file in files if (f"--- a/{FILECHECK}" in file) == to_filecheck
        )
        subprocess.run(command, cwd=directory, input=chosen, text=True, check=True)


def sources(directory: Path, *, patched: bool) -> Path:
    """
    The sources in a new directory, downloaded unless they are there from an earlier call;
    `patched` are those whose tests of the IR state no fault.

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
        # Python has filters from 3.11.4 on, and takes no notice of this before.
        file.extraction_filter = getattr(tarfile, "data_filter", None)
        file.extractall(directory)
    (unpacked,) = directory.iterdir()
    if patched:
        apply_patches(unpacked, to_filecheck=True)
    return unpacked
