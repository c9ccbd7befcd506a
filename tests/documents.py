"""
The documentation as its readers use it: the commands and the files that it shows.

A ```` ```console ```` block is a session: lines that start with `$ ` are commands, the lines
behind one are what it prints. An indented block is commands of which nothing is shown. All
other code is in blocks that name a language. A file is a block behind a paragraph that ends
with the file's name and a colon, or that begins with the name.

`python -m tests.documents FILE...` writes into documents what their commands print today.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchmarks.models import steps
from tests.environments import PROJECT
from tests.peer import find_mlir_tools
from tests.xdsl_opt import forked_commands

_FILE_NAME = re.compile(
    r"^`([\w./-]+\.(?:c|mlir|py|toml))`|`([\w./-]+\.(?:c|mlir|py|toml))`[^`]*:$"
)

STAND_INS: tuple[str, ...] = ("program.mlir", "model.mlir", "before.mlir")
"""What the reader's own program is called; where it is run, it is one of the examples."""

COMMANDS_OF_MODELS = (
    *(command for step in steps.TO_LIBRARY for command in step("silero")),
    "clang call.c ./libsilero.so -o call",
    "./call",
    "python call.py",
)
"""The commands of docs/models.md, which need packages that the tests do without."""

RUN_ELSEWHERE = {
    "make demo    # shows a program, its copy, and what becomes of it": ".ci/bare",
    "make test    # runs the tests, in four minutes on two cores": ".ci/bare",
    "make fuzz SECONDS=600": "tests/pytest/test_fuzzing.py",
    "pip install jax==0.10.2 iree-base-compiler==3.13.0 onnx==1.23.2": (
        "tests/pytest/examples/test_jax.py"
    ),
    "make models": "tests/pytest/benchmarks/test_models.py",
    **dict.fromkeys(COMMANDS_OF_MODELS, "tests/pytest/benchmarks/test_models.py"),
    "pip install .": "tests/pytest/packaging/test_distributions.py",
    "pip install '.[check]'": "tests/pytest/packaging/test_distributions.py",
    "python -m tests.networks.scale network.mlir 7 > smaller.mlir": (
        "tests/pytest/test_networks.py"
    ),
    **dict.fromkeys(
        (
            "xdsl-opt program.mlir -p 'one-shot-bufferize{bufferize-function-boundaries}'",
            "xdsl-opt program.mlir -p "
            "'bufferize{function-boundary-type-conversion=identity-layout-map}'",
            "xdsl-opt program.mlir -t 'bufferization-report{format=remarks}'",
        ),
        "tests/pytest/extension/test_dsp_dialect.py",
    ),
}
"""Commands that are not run from the documents, and where else they are, or their like."""


@dataclass(frozen=True)
class Command:
    """A command line of a document."""

    text: str
    """For the shell: several lines if it is continued."""
    line: int
    """Where it is."""
    printed: str | None = None
    """What it is said to print, or `None` if that is left open."""

    @property
    def after(self) -> int:
        """The line after it: the first of its expected output."""
        return self.line + 1 + self.text.count("\n")

    @property
    def words(self) -> Sequence[str]:
        """Its programs, options and files."""
        return shlex.split(self.text)

    @property
    def outputs(self) -> Collection[str]:
        """The files that it writes: the words after `-o` and `>`."""
        return {word for option, word in pairwise(self.words) if option in ("-o", ">")}

    @property
    def inputs(self) -> Collection[str]:
        """All other words, and with them the programs and files that it needs."""
        return {*self.words} - {*self.outputs}


@dataclass(frozen=True)
class File:
    """A file that a document shows."""

    name: str
    contents: str

    def write(self, directory: Path) -> None:
        """Put it into the directory."""
        path = directory / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.contents)


@dataclass(frozen=True)
class Document:
    """A file of Markdown."""

    path: Path

    def __str__(self) -> str:
        return self.path.relative_to(PROJECT).as_posix()

    @cached_property
    def text(self) -> str:
        """All of it."""
        return self.path.read_text()

    @cached_property
    def _tokens(self) -> Sequence[Token]:
        return MarkdownIt().parse(self.text)

    @cached_property
    def steps(self) -> Sequence[File | Command]:
        """What its reader does, in this order: write files, and run commands."""
        found: list[File | Command] = []
        paragraph = ""
        for token in self._tokens:
            if token.map is not None:
                found.extend(_commands(token, token.map[0] + 1))
            if token.type == "inline":
                paragraph = token.content
            elif token.type == "fence":
                # What is printed is no file, nor is a second block behind a paragraph.
                match = _FILE_NAME.search(paragraph)
                if match is not None and token.info != "console":
                    found.append(File(match[1] or match[2], token.content))
                paragraph = ""
        return found

    @property
    def commands(self) -> Sequence[Command]:
        """All commands, in their order."""
        return [step for step in self.steps if isinstance(step, Command)]

    @property
    def files(self) -> Mapping[str, str]:
        """The files that it shows, by name, as they are at first."""
        files = [step for step in self.steps if isinstance(step, File)]
        return {file.name: file.contents for file in reversed(files)}

    def blocks(self, language: str) -> Sequence[str]:
        """The contents of its blocks in a language."""
        return [
            token.content
            for token in self._tokens
            if token.type == "fence" and token.info == language
        ]

    @cached_property
    def languages(self) -> Sequence[tuple[int, str]]:
        """For each fenced block its line, and the language that it names."""
        return [
            (token.map[0] + 1, token.info)
            for token in self._tokens
            if token.type == "fence" and token.map is not None
        ]

    @cached_property
    def links(self) -> Sequence[str]:
        """Where its links within the project lead to, without the parts of pages."""
        return [
            target
            for token in self._tokens
            for child in token.children or ()
            if child.type == "link_open"
            and "://" not in (target := str(child.attrs["href"]).partition("#")[0])
            and target
        ]


def documents() -> Sequence[Document]:
    """The README and all pages that are written by hand."""
    return [
        Document(path)
        for path in (
            PROJECT / "README.md",
            *sorted((PROJECT / "docs").glob("*.md")),
            PROJECT / "docs" / "upstream" / "README.md",
        )
    ]


def prepare(document: Document, directory: Path) -> None:
    """Put what the first commands of the document need into the directory."""
    example = (PROJECT / "examples" / "mlp.mlir").read_text()
    for name in STAND_INS:
        File(name, example).write(directory)
    for name, contents in document.files.items():
        File(name, contents).write(directory)
    (directory / "examples").symlink_to(PROJECT / "examples")


def run(
    command: str, directory: Path, python: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """
    Run the command in a shell, in the directory and the environment of `python`, or in
    this one, where the commands of this package are forks. What it prints, on both
    streams, is `stdout` of the result, without spaces at its end.
    """
    tools = find_mlir_tools()
    path = [
        *([str(forked_commands())] if python is None else ()),
        str((python or Path(sys.executable)).parent),
        *([str(tools.directory)] if tools else ()),
        os.environ["PATH"],
    ]
    done = subprocess.run(
        command,
        shell=True,
        cwd=directory,
        env={**os.environ, "PATH": os.pathsep.join(path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # xdsl-opt ends with an empty line, which means nothing.
    done.stdout = done.stdout.rstrip()
    return done


def update(document: Document) -> None:
    """Write into the document what its commands print today."""
    printed: list[tuple[Command, str]] = []
    with tempfile.TemporaryDirectory() as directory:
        prepare(document, Path(directory))
        for step in document.steps:
            if isinstance(step, File):
                step.write(Path(directory))
            elif step.text not in RUN_ELSEWHERE:
                printed.append((step, run(step.text, Path(directory)).stdout))
    lines = document.text.split("\n")
    for command, text in reversed(printed):
        if command.printed is None or "Traceback" in text:
            # A package is missing, say.
            continue
        start = command.after - 1
        old = (command.printed or "").count("\n") + 1 if command.printed else 0
        lines[start : start + old] = text.split("\n") if text else []
    document.path.write_text("\n".join(lines))


def _commands(token: Token, first_line: int) -> Iterator[Command]:
    if token.type == "code_block":
        lines = token.content.rstrip("\n").split("\n")
        for number, text, _ in _continued(lines, first_line):
            yield Command(text, number)
    elif token.type == "fence" and token.info == "console":
        lines = token.content.rstrip("\n").split("\n")
        starts = [n for n, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            ((number, text, rest), *_) = _continued(
                [lines[start].removeprefix("$ "), *lines[start + 1 : end]],
                first_line + 1 + start,
            )
            yield Command(text, number, "\n".join(rest).rstrip())


def _continued(
    lines: Sequence[str], first_line: int
) -> Iterator[tuple[int, str, Sequence[str]]]:
    """
    The lines, with those joined that a `\\` continues: the number of the first, the text,
    and all lines behind it.
    """
    position = 0
    while position < len(lines):
        start = position
        while lines[position].endswith("\\") and position + 1 < len(lines):
            position += 1
        position += 1
        text = "\n".join(lines[start:position])
        if text.strip():
            yield first_line + start, text, lines[position:]


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        update(Document(Path(argument).resolve()))
