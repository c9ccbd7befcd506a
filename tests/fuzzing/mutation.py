"""Programs' texts with errors in them: lines and tokens that are gone, twice, or others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

_ROOT = Path(__file__).parents[2]
FOLDERS = ("tests", "examples", "benchmarks")
"""Where the texts are, below the directory of the project."""

_PIECE = re.compile(r"^(?=[\w\"%!#@])", flags=re.M)
"""What is at the start of a line is a function, or something else at the top of a module."""
_SYMBOL = re.compile(r"@[\w$.-]+")
_ALIAS = re.compile(r"[#!]")
_COMMENT = re.compile(r"^\s*//.*\n?", flags=re.M)
_NESTED = r"(?:[^<>\n]|->|<(?:[^<>\n]|->|<[^<>\n]*>)*>)*"
_TOKEN = re.compile(
    rf"(?P<type>!?\b(?:tensor|memref|vector|complex)<{_NESTED}>|\b(?:[fi]\d+|bf16|index)\b)"
    rf"|(?P<attribute>(?:affine_map|affine_set|array|dense|strided)<{_NESTED}>"
    r"|#\w[\w.]*(?:<[^<>\n]*>)?)"
    r"|(?P<value>%[\w$.-]+(?:#\d+)?)"
    r"|(?P<symbol>@[\w$.-]+)"
    r"|(?P<block>\^\w+)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<number>-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)"
    r"|(?P<word>[A-Za-z_][\w.]*)"
    r"|(?P<mark>->|::|[^\s\w])"
)
_ODD_NUMBERS = ("0", "1", "-1", "2", "3", "64", "1000000", "4294967296", str(2**63 - 1))
_ODD_TYPES = (
    *("f32", "i1", "i64", "index", "tensor<f32>", "tensor<0xf32>", "tensor<*xf32>"),
    *("memref<*xf32>", "memref<?xf32, strided<[?], offset: ?>>", "memref<4xf32, 1>"),
    *("tensor<4xf32, 1 : i64>", "memref<4xvector<4xf32>>", "tensor<4xvector<2xf32>>"),
)


def all_texts() -> Sequence[str]:
    """The programs of all tests, examples and benchmarks, without comments."""
    return [
        text
        for folder in FOLDERS
        for path in sorted((_ROOT / folder).rglob("*.mlir"))
        # Programs that tests write are not theirs.
        if "Output" not in path.parts
        for part in re.split(r"^// -----.*$", path.read_text(), flags=re.M)
        if (text := _COMMENT.sub("", part)).strip()
    ]


class Mutator:
    """Makes texts out of some, with errors in them."""

    def __init__(self, texts: Iterable[str]):
        self._programs = [
            [p for p in _PIECE.split(text) if p.strip()] for text in texts
        ]
        self._words = _words(self._programs)

    def mutated(self, seed: int) -> str:
        """A part of one of the texts, with one to four changes."""
        random = Random(seed)
        text = self._part(random)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            (change,) = random.choices(
                (self._of_lines, self._of_tokens, self._in_place, self._everywhere),
                (2, 2, 3, 5),
            )
            text = change(text, random)
        return text

    def _part(self, random: Random) -> str:
        """Some neighbouring functions of a program, so that it is short."""
        pieces = random.choice(self._programs)
        first = random.randrange(len(pieces))
        last = first + random.choice((1, 1, 2, 3))
        chosen = pieces[first:last]
        symbols = {s for piece in chosen for s in _SYMBOL.findall(piece)}
        needed = [
            piece
            for piece in [*pieces[:first], *pieces[last:]]
            if _ALIAS.match(piece)
            or not symbols.isdisjoint(_SYMBOL.findall(piece.split("\n", 1)[0])[:1])
        ]
        return "".join([*needed, *chosen])

    def _of_lines(self, text: str, random: Random) -> str:
        return "".join(_rearranged(text.splitlines(keepends=True), random))

    def _of_tokens(self, text: str, random: Random) -> str:
        """Tokens of one line are gone, twice, or in another order."""
        lines = text.splitlines(keepends=True)
        if not lines:
            return text
        number = random.randrange(len(lines))
        tokens = re.findall(r"\s+|%?\w+|[^\s\w]", lines[number])
        lines[number] = "".join(_rearranged(tokens, random))
        return "".join(lines)

    def _in_place(self, text: str, random: Random) -> str:
        """A token becomes another of its kind, from this program or any one."""
        token, other = self._token_and_other(text, random)
        if token is None:
            return text
        return text[: token.start()] + other + text[token.end() :]

    def _everywhere(self, text: str, random: Random) -> str:
        """So does each that is the same."""
        token, other = self._token_and_other(text, random)
        return text if token is None else text.replace(token[0], other)

    def _token_and_other(
        self, text: str, random: Random
    ) -> tuple[re.Match[str] | None, str]:
        tokens = [*_TOKEN.finditer(text)]
        if not tokens:
            return None, ""
        wanted = random.choice(sorted({t.lastgroup or "" for t in tokens}))
        of_kind = [t for t in tokens if t.lastgroup == wanted]
        here = [t[0] for t in of_kind]
        others = here if random.random() < 0.5 else self._words[wanted]
        return random.choice(of_kind), random.choice(others)


def _rearranged(parts: list[str], random: Random) -> list[str]:
    """With one part gone, twice, or in the place of another."""
    if not parts:
        return parts
    first, second = (random.randrange(len(parts)) for _ in range(2))
    match random.choice(("drop", "repeat", "swap", "move")):
        case "drop":
            return [*parts[:first], *parts[first + 1 :]]
        case "repeat":
            return [*parts[: first + 1], *parts[first:]]
        case "swap":
            parts[first], parts[second] = parts[second], parts[first]
            return parts
        case _:
            parts.insert(second, parts.pop(first))
            return parts


def _words(programs: Iterable[Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """What stands in the programs, each once, by kind."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for pieces in programs:
        for piece in pieces:
            for token in _TOKEN.finditer(piece):
                found[token.lastgroup or ""][token[0]] = None
    found["number"].update(dict.fromkeys(_ODD_NUMBERS))
    found["type"].update(dict.fromkeys(_ODD_TYPES))
    return {kind: [*words] for kind, words in found.items()}
