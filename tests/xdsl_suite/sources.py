"""Source distributions of xDSL, and the patches for the newest."""

from __future__ import annotations

import re
import subprocess
import tarfile
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


def sources(release: str, directory: Path) -> Path:
    """
    The sources of the release in a new directory, downloaded unless they are there from an
    earlier call.

    Raises `subprocess.CalledProcessError` if they cannot be had.
    """
    archive = _CACHE / f"xdsl-{release}.tar.gz"
    if not archive.exists():
        # Its version is made by a tool that pip installs for that.
        wanted = "--no-deps", "--no-binary=xdsl", f"xdsl=={release}"
        pip("download", "--dest", _CACHE, *wanted)
    with tarfile.open(archive) as file:
        # Python has filters from 3.11.4 on, and takes no notice of this before.
        file.extraction_filter = getattr(tarfile, "data_filter", None)
        file.extractall(directory)
    (unpacked,) = directory.iterdir()
    # Where older releases set it, today's lit refuses.
    configuration = unpacked / "tests" / "filecheck" / "lit.cfg"
    text = configuration.read_text()
    configuration.write_text(
        re.sub(r"lit_config(\.maxIndividualTestTime =)", r"config\1", text)
    )
    return unpacked
