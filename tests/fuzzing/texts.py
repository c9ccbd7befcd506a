"""
Texts with errors in them through all passes of the package.

    python -m tests.fuzzing.texts [--texts N | --seconds N] [--first SEED] [--jobs N]

A text that is still a program goes through a pass with random options. Then it is valid and
can be read again, or it is refused with a message, and it is as it was. The exit status is 1
if that does not hold for one of them; it is saved in `fuzzing-failures`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from types import FrameType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import PassPipeline
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.fuzzing.mutation import Mutator, all_texts
from tests.fuzzing.options import PASS_OPTIONS, with_options
from tests.fuzzing.seeds import batches, chosen_first
from xdsl_bufferization.support.diagnostics import BufferizationError, OutputError
from xdsl_bufferization.support.reading import (
    context_of_all_dialects,
    multiverse,
    parse_module,
)
from xdsl_bufferization.support.regions import (
    DominatorTree,
    ancestor_in,
    block_of,
    region_of,
    walk,
)

_PACKAGE = "xdsl_bufferization"
_TIME_LIMIT = 60
"""The seconds that a pass may take for a text."""
_READING_LIMIT = 5
"""The seconds after which a text is not read any further."""


class Verdict(StrEnum):
    """What came of a text."""

    NOT_READ = "not read"
    """It is no program, and the parser or a verifier says so."""
    XDSL_FAILED = "xDSL failed"
    """Reading or verifying it ends in xDSL with another exception."""
    BUFFERIZED = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True)
class TextTrial:
    """What came of a text, and why."""

    seed: int
    passes: str
    verdict: Verdict
    kind: str = ""
    message: str = ""


class _TakesTooLong(Exception):
    pass


def try_text(seed: int) -> TextTrial:
    """Send the text of the seed through a pass."""
    passes = passes_of(seed)
    verdict, kind, message = attempt_text(_mutator().mutated(seed), passes)
    return TextTrial(seed, passes, verdict, kind, message)


def passes_of(seed: int) -> str:
    """The pass that the text of the seed goes through."""
    random = Random(~seed)
    name = random.choice([*PASS_OPTIONS])
    return with_options(name, random, PASS_OPTIONS[name])


def text_of(seed: int) -> str:
    """The text of the seed."""
    return _mutator().mutated(seed)


@cache
def _mutator() -> Mutator:
    return Mutator(all_texts())


def attempt_text(text: str, passes: str) -> tuple[Verdict, str, str]:
    """What comes of the text in the passes: the verdict, of which kind, and all about it."""
    context = context_of_all_dialects(allow_unregistered=True)
    try:
        with _limited_time(_READING_LIMIT):
            module = _read(context, text)
    except (ParseError, VerifyException) as error:
        return Verdict.NOT_READ, "", str(error)
    except Exception as error:
        ours = _PACKAGE in traceback.extract_tb(error.__traceback__)[-1].filename
        verdict = Verdict.FAILED if ours else Verdict.XDSL_FAILED
        return verdict, f"reading: {_kind(error)}", traceback.format_exc()
    try:
        with _limited_time(_TIME_LIMIT), _silenced():
            _pipeline(passes).apply(context, module)
    except OutputError:
        pass
    except BufferizationError as error:
        return _refused(text, module, error)
    except Exception as error:
        return Verdict.FAILED, _kind(error), traceback.format_exc()
    try:
        module.verify()
        _read(_fresh_context(), str(module))
    except Exception as error:
        verdict = Verdict.FAILED if _is_printed_readably(text) else Verdict.XDSL_FAILED
        return verdict, f"invalid: {_kind(error)}", traceback.format_exc()
    return Verdict.BUFFERIZED, "", ""


def _is_printed_readably(text: str) -> bool:
    """Whether xDSL can read what it prints of the text, without any pass."""
    try:
        _read(_fresh_context(), str(_read(_fresh_context(), text)))
    except Exception:
        return False
    return True


def _read(context: Context, text: str) -> ModuleOp:
    module = parse_module(context, text, "text.mlir")
    module.verify()
    # What xDSL does not verify.
    tree = DominatorTree([module.body])
    visited: set[Operation | Block | None] = set()
    for op in walk([module]):
        visited.add(op.parent)
        for region in op.regions:
            if len(region.blocks) > 1 and any(b.is_empty for b in region.blocks):
                raise VerifyException(f"{op.name} has a block without a terminator")
        for value in op.operands:
            block = block_of(value)
            region = region_of(block)
            user = ancestor_in(region, op)
            if value.owner not in visited or user is None or user.parent is None:
                raise VerifyException(f"{op.name} uses what is not defined yet")
            if not tree.dominates(block, user.parent):
                raise VerifyException(f"{op.name} uses what does not dominate it")
        visited.add(op)
    return module


def _fresh_context() -> Context:
    return context_of_all_dialects(allow_unregistered=True)


def _refused(
    text: str, module: ModuleOp, error: BufferizationError
) -> tuple[Verdict, str, str]:
    message = str(error)
    if not message.strip() or "Traceback" in message:
        return Verdict.FAILED, "refused without a message", traceback.format_exc()
    before = _read(_fresh_context(), text)
    # What is refused may be put back as a clone, in which names of blocks get lost. Programs
    # in which uses precede definitions in the text are equivalent to none.
    if not module.is_structurally_equivalent(before) and _text(module) not in (
        _text(before),
        _text(before.clone()),
    ):
        return Verdict.FAILED, "refused, and changed", f"{message}\n{module}"
    return Verdict.REFUSED, message.split("\n", 1)[0], message


def _text(module: ModuleOp) -> str:
    """The text of the module, in which xDSL numbers resources that are read several times."""
    return re.sub(r"(dense_resource<\w+?)_\d+>", r"\1>", str(module))


def _pipeline(passes: str) -> PassPipeline:
    return PassPipeline.parse_spec(multiverse().all_passes, passes)


@contextlib.contextmanager
def _limited_time(seconds: int) -> Generator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise _TakesTooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _silenced() -> Generator[None]:
    """What passes print is of no interest."""
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        yield


def _kind(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _PACKAGE in frame.filename]
    last = frames[-1]
    where = f"{Path(last.filename).name}:{last.name}"
    if ours and ours[-1] is not last:
        where += f" from {Path(ours[-1].filename).name}:{ours[-1].name}"
    return f"{type(error).__name__} in {where}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.texts")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--texts", type=int, default=1000, help="how many")
    amount.add_argument("--seconds", type=float, help="a time in place of a number")
    parser.add_argument("--first", type=int, default=-1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--output", type=Path, default=Path("fuzzing-failures"), help="a directory"
    )
    arguments = parser.parse_args()
    first = chosen_first(arguments.first)
    seeds = batches(first, arguments.texts, arguments.seconds, 200)
    verdicts: Counter[str] = Counter()
    kinds: Counter[tuple[Verdict, str]] = Counter()
    started = time.monotonic()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for trial in chain.from_iterable(
            pool.map(try_text, some, chunksize=20) for some in seeds
        ):
            verdicts[trial.verdict] += 1
            if trial.verdict in (Verdict.FAILED, Verdict.XDSL_FAILED):
                kinds[trial.verdict, trial.kind] += 1
            if trial.verdict is Verdict.FAILED:
                _save(trial, arguments.output, kinds[trial.verdict, trial.kind])
            if sum(verdicts.values()) % 1000 == 0:
                counts = ", ".join(f"{v}: {n}" for v, n in sorted(verdicts.items()))
                print(f"{time.monotonic() - started:.0f} s: {counts}", flush=True)
    for verdict, count in sorted(verdicts.items()):
        print(f"{verdict}: {count}")
    for (verdict, kind), count in kinds.most_common():
        print(f"{verdict} {count} times: {kind}")
    return 1 if verdicts[Verdict.FAILED] else 0


_SAVED = 5
"""How many failures of each kind are saved."""


def _save(trial: TextTrial, directory: Path, number: int) -> None:
    print(f"seed {trial.seed}, {trial.passes}: {trial.kind}", flush=True)
    if number > _SAVED:
        return
    directory.mkdir(exist_ok=True)
    about = "".join(f"// {line}\n" for line in trial.message.splitlines())
    path = directory / f"text-{trial.seed}.mlir"
    path.write_text(f"// {trial.passes}\n{about}{text_of(trial.seed)}")


if __name__ == "__main__":
    sys.exit(main())
