"""Finding and calling `mlir-opt` and `mlir-runner` of LLVM 22."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

LLVM_VERSION = 22
"""
The LLVM release that comparisons are made with; another release's answers differ.
"""


NEEDED_TOOLS = f"mlir-opt {LLVM_VERSION} (apt-get install mlir-{LLVM_VERSION}-tools)"
"""The tools to install where `find_mlir_tools` finds none, with Debian's command for it."""


NEEDED_CLANG = f"clang {LLVM_VERSION} (apt-get install clang-{LLVM_VERSION})"
"""The compiler to install for programs that are called from C."""


ENTRY_POINT = "run_by_the_tests"
"""The function that `MlirTools.run` calls, named so that no program has it already."""


TIME_LIMIT = 120
"""
The seconds that one call of a tool may take. mlir-opt 22 does not always end: after a crash
it may wait for itself for ever.
"""


_SEPARATOR = "// -----"
"""What is between modules in one file, for mlir-opt."""


class PeerError(Exception):
    """A call of one of MLIR's tools failed: which command, and what it said."""

    def __init__(self, command: Sequence[str | Path], what: str, stderr: str = ""):
        line = " ".join(str(word) for word in command)
        super().__init__(f"{line}\n{what}:\n{stderr}")
        self.stderr = stderr


class PeerTimeout(PeerError):
    """A call of one of MLIR's tools took longer than it may."""


def call_tool(
    command: Sequence[str | Path],
    *,
    input: bytes | None = None,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | int = subprocess.PIPE,
    statuses: Container[int] = (0,),
    timeout: float = TIME_LIMIT,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """
    What comes of a call of the tool, given `input` or `stdin`.

    Raises `PeerError` if it ends with none of the `statuses`, `PeerTimeout` after
    `timeout` seconds.
    """
    try:
        run = subprocess.run(
            command,
            input=input,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=timeout,
            cwd=cwd,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PeerTimeout(command, f"still ran after {timeout:g} s") from None
    if run.returncode not in statuses:
        what = f"ended with status {run.returncode}"
        raise PeerError(command, what, run.stderr.decode())
    return run


@dataclass(frozen=True)
class MlirTools:
    """One installation of MLIR's command line tools."""

    directory: Path
    """Where `mlir-opt` and `mlir-runner` are; the run-time libraries are beside it."""

    @property
    def mlir_opt(self) -> Path:
        return self.directory / "mlir-opt"

    @property
    def clang(self) -> Path | None:
        """clang of the same release, which compiles what mlir-translate prints, if there is one."""
        clang = self.directory / "clang"
        return clang if clang.exists() else None

    def opt(self, text: str, *options: str, timeout: float = TIME_LIMIT) -> str:
        """
        The module that `mlir-opt` prints for the module `text`, in generic form without
        attribute aliases, which is what xDSL reads best.

        Raises `PeerError` if `mlir-opt` refuses, `PeerTimeout` after `timeout` seconds.
        """
        command = [
            self.mlir_opt,
            "--mlir-print-op-generic",
            "--mlir-print-local-scope",
            *options,
        ]
        return call_tool(command, input=text.encode(), timeout=timeout).stdout.decode()

    def opt_each(
        self, texts: Sequence[str], *options: str, timeout: float = TIME_LIMIT
    ) -> list[str | PeerError]:
        """
        What `opt` returns for each text, or raises; all texts in one process if that
        does not crash, which takes far less time. Then the errors say what `mlir-opt` says of
        all texts. No process takes more than `timeout` seconds.
        """
        if not texts:
            return []
        if len(texts) == 1:
            return [self._opt_or_error(texts[0], *options, timeout=timeout)]
        command = [
            self.mlir_opt,
            "--mlir-print-op-generic",
            "--mlir-print-local-scope",
            "--split-input-file",
            *options,
        ]
        together = f"\n{_SEPARATOR}\n".join(texts).encode()
        try:
            # One program that is refused makes the status 1, and the others are printed.
            run = call_tool(command, input=together, statuses=(0, 1), timeout=timeout)
        except PeerError:
            return [
                self._opt_or_error(text, *options, timeout=timeout) for text in texts
            ]
        outputs = run.stdout.decode().split(_SEPARATOR)
        if len(outputs) != len(texts):
            return [
                self._opt_or_error(text, *options, timeout=timeout) for text in texts
            ]
        # A program that is refused leaves nothing between the separators.
        refused = PeerError(command, "refused a program", run.stderr.decode())
        return [output if output.strip() else refused for output in outputs]

    def _opt_or_error(
        self, text: str, *options: str, timeout: float
    ) -> str | PeerError:
        try:
            return self.opt(text, *options, timeout=timeout)
        except PeerError as error:
            return error

    def run(
        self,
        llvm_module: str,
        *options: str,
        stdin: IO[bytes] | None = None,
        stdout: IO[bytes] | int = subprocess.PIPE,
        timeout: float = TIME_LIMIT,
    ) -> bytes:
        """
        Compile a module of the `llvm` dialect in memory and call its function
        `ENTRY_POINT`, which takes and returns nothing; returns what it prints (nothing,
        where `stdout` is a file).

        Raises `PeerError` if `mlir-runner` refuses, or the program crashes or does not end.
        """
        libraries = sorted(
            (self.directory.parent / "lib").glob("libmlir_c_runner_utils.*")
        )
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as module:
            module.write(llvm_module)
            module.flush()
            command = [
                self.directory / "mlir-runner",
                module.name,
                *options,
                "-e",
                ENTRY_POINT,
                "--entry-point-result=void",
                *(f"--shared-libs={library}" for library in libraries),
            ]
            return call_tool(
                command, stdin=stdin, stdout=stdout, timeout=timeout
            ).stdout


@cache
def find_mlir_tools() -> MlirTools | None:
    """
    The tools of LLVM 22, or `None`.

    `XDSL_MLIR_OPT`, the variable that xDSL's own `mlir-opt` pass obeys, names the only
    candidate. Unless it is set, the candidates are `mlir-opt-22` and `mlir-opt` in `PATH`,
    and Debian's directory. Another release, as told by `--version`, is ignored.
    """
    named = os.environ.get("XDSL_MLIR_OPT")
    installed = (
        f"mlir-opt-{LLVM_VERSION}",
        "mlir-opt",
        f"/usr/lib/llvm-{LLVM_VERSION}/bin/mlir-opt",
    )
    for candidate in (named,) if named else installed:
        found = shutil.which(candidate)
        if found and _llvm_version(found) == LLVM_VERSION:
            # On the path there may be no more than a link named with the version.
            return MlirTools(Path(found).resolve().parent)
    return None


def why_no_mlir_tools() -> str:
    """The reason to give where `find_mlir_tools` finds nothing."""
    return f"needs {NEEDED_TOOLS}"


def _llvm_version(mlir_opt: str) -> int | None:
    """The LLVM release that `mlir_opt --version` names."""
    run = subprocess.run(
        [mlir_opt, "--version"], capture_output=True, text=True, check=False
    )
    _, found, version = run.stdout.partition("LLVM version ")
    return int(version.split(".")[0]) if found else None
