"""
Programs that xDSL and mlir-opt have to read alike, in `programs/`, one for each op and form.

A program goes the ways that programs go between the two tools, and mlir-opt prints what it
reads behind each: all have to be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tests.peer import MlirTools, PeerError
from xdsl_bufferization.host.printing import PortablePrinter
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

PROGRAMS = Path(__file__).parent / "programs"

_SEPARATOR = "// -----\n"
_ALLOW = "--allow-unregistered-dialect"


def program_files() -> list[Path]:
    return sorted(PROGRAMS.rglob("*.mlir"))


def programs(file: Path) -> list[str]:
    """The programs in a file."""
    return file.read_text().split(_SEPARATOR)


def differences(tools: MlirTools, texts: Sequence[str]) -> Iterator[str]:
    """What is different, program by program."""
    known = tools.opt_each(texts, _ALLOW)
    for text, oracle in zip(texts, known, strict=True):
        if isinstance(oracle, PeerError):
            yield f"mlir-opt refuses\n{text}\n{oracle.stderr}"
    pairs = [
        (text, oracle)
        for text, oracle in zip(texts, known, strict=True)
        if isinstance(oracle, str)
    ]
    for way, generic_in, generic_out in (
        ("custom to custom", False, False),
        ("custom to generic", False, True),
        ("generic to custom", True, False),
        ("generic to generic", True, True),
    ):
        printed: list[tuple[str, str]] = []
        for text, oracle in pairs:
            try:
                printed.append(
                    (oracle, rewrite(oracle if generic_in else text, generic_out))
                )
            except Exception as error:
                yield f"{way}: xDSL refuses\n{text}\n{error}"
        read = tools.opt_each([text for _, text in printed], _ALLOW)
        for (oracle, text), result in zip(printed, read, strict=True):
            if isinstance(result, PeerError):
                yield f"{way}: mlir-opt refuses\n{text}\n{result.stderr}"
            elif _plain(result) != _plain(oracle):
                yield f"{way}:\n{_plain(oracle)}\nbecomes\n{_plain(result)}"


_DEFAULTS = re.compile(
    r"(?:(?:strides|dilations) = dense<1> : tensor<\d+xi64>"
    r'|sym_visibility = "public")(?:, )?'
)
"""Properties that MLIR takes if they are absent, and that xDSL reads only if they are there."""


def _plain(printed: str) -> str:
    """The text without empty lines between programs, and without defaults."""
    printed = _DEFAULTS.sub("", printed).replace(", }>", "}>")
    return "\n".join(line for line in printed.splitlines() if line.strip())


def rewrite(text: str, generic: bool) -> str:
    """What xDSL prints for the program."""
    module = _parse(text)
    stream = StringIO()
    PortablePrinter(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def _parse(text: str) -> ModuleOp:
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, text, "-")
    module.verify()
    return module
