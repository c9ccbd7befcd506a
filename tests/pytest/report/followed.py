"""Help of the report, followed by script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr
from io import StringIO
from typing import NamedTuple

from xdsl.dialects import arith, func, linalg, tensor
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.report.experiments import Figures, figures
from xdsl_bufferization.report.model import TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.donation import donate
from xdsl_bufferization.support.locations import place_of
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.reading import context_of_all_dialects

CONTEXT = context_of_all_dialects(allow_unregistered=True)


class Help(NamedTuple):
    """A line of help, and what it is about."""

    function: str
    kind: str
    """`copy`, `buffer`, `move` or `peak`."""
    about: str
    """The op, and its line."""
    text: str


class ForTheAuthorError(Exception):
    """Help that only the author of a program can follow."""


FOR_THE_AUTHOR = (
    # It depends on what the program is to compute.
    r"If runs of .* may build on each other",
    r"If callers can read .* in its own order",
    r"If they need not be there",
    r"If callers do not need .* as it was",
    r".* hands on .* as it was before the write: if callers do not need that",
    # It is about code that is to be written anew, or is not in the function.
    r"Make what .* hands over from .*, in place",
    r".* cannot be moved before .* If it needs little",
    r"Compute the source where it is inserted",
    r"Hand the tensor to the region",
    r"Hand on .*, and move the elements where they are read",
    r"Give it .*, and move the elements where they are read",
    r"Let .* hand over memory that may be written",
    r"Let what hands over .* hand over memory",
    r"Let the function take",
    r"Write .* as a linalg.generic",
    r"Write the ops that read the result before",
    r"Move .* to the block in which it is used",
)
"""Help that no script follows, as it has a condition, or asks for other code."""


def helps(module: ModuleOp) -> Iterator[Help]:
    """All help about functions on tensors."""
    for function in report_on(CONTEXT, module).functions:
        if not isinstance(function, TensorFunction):
            continue
        for kind, all_about in (
            ("copy", function.copies),
            ("buffer", function.allocations),
            ("move", function.moves),
        ):
            for about in all_about:
                line = about.place.line if about.place else "?"
                for text in about.advice:
                    where = f"{about.op} (line {line})"
                    yield Help(function.name, kind, where, text)
        for text in () if function.memory is None else function.memory.advice:
            if not text.startswith(("No donation", "The program is too large")):
                yield Help(function.name, "peak", "", text)


def measured(module: ModuleOp, pipeline: str = "bufferize") -> Mapping[str, Figures]:
    """The figures of a program, by name of a function."""
    clone = module.clone()
    with redirect_stderr(StringIO()):
        parse_pipeline(pipeline).apply(CONTEXT, clone)
    return {
        qualified_name(op): found for op, found in figures(clone, lambda op: op).items()
    }


def qualified_name(op: Operation) -> str:
    """The name of a function, after those of the modules around it."""
    names: list[str] = []
    around: Operation | None = op
    while around is not None:
        if isinstance(name := around.get_attr_or_prop("sym_name"), StringAttr):
            names.append(name.data)
        around = around.parent_op()
    return "::".join(reversed(names))


def follow(module: ModuleOp, given: Help) -> str:
    """
    Follow the help in the program; returns the passes that bufferize it then. Raises
    `ForTheAuthorError` if no script can.
    """
    # Ops outside of functions have no function that a script could change.
    if not given.function or any(re.match(p, given.text) for p in FOR_THE_AUTHOR):
        raise ForTheAuthorError(given.text)
    (function,) = (
        op
        for op in module.walk()
        if isinstance(op, func.FuncOp) and qualified_name(op) == given.function
    )
    for pattern, apply in FOLLOWED.items():
        if match := re.match(pattern, given.text):
            pipeline = apply(function, match, given) or "bufferize"
            module.verify()
            return pipeline
    raise AssertionError(f"help that nobody has followed: {given.text}")


def _at(function: func.FuncOp, where: str) -> Operation:
    """The op of the function that is named, such as `tensor.extract (line 3)`."""
    name, _, line = where.partition(" (line ")
    return next(
        op
        for op in function.walk()
        if op_name(op) == name
        and (place := place_of(op)) is not None
        and place.line == int(line.rstrip(")"))
    )


def _donate(function: func.FuncOp, match: re.Match[str], _: Help) -> None:
    names = [f"%{a.name_hint or a.index}" for a in function.args]
    donate(function, names.index(match[1]), int(match[2]))


def _donate_all(function: func.FuncOp, match: re.Match[str], given: Help) -> None:
    for pair in re.finditer(r"= (?P<result>\d+) on (?P<name>%[^\s,:]+)", match[1]):
        names = [f"%{a.name_hint or a.index}" for a in function.args]
        donate(function, names.index(pair["name"]), int(pair["result"]))


def _move(function: func.FuncOp, match: re.Match[str], _: Help) -> None:
    place, moved = _at(function, match[2]), [_at(function, match[1])]
    moved += [_at(function, it) for it in (match[3] or "").split(", ") if it]
    ops = [op for op in function.walk() if op in moved]
    for op in ops:
        op.detach()
        assert place.parent is not None
        place.parent.insert_op_before(op, place)


def _fill(function: func.FuncOp, match: re.Match[str], given: Help) -> None:
    """A splat becomes a `linalg.fill`."""
    for op in [*function.walk()]:
        if not isinstance(op, arith.ConstantOp) or not isa(
            op.value, DenseIntOrFPElementsAttr
        ):
            continue
        type = op.result.type
        if op.value.is_splat() and isinstance(type, TensorType):
            (element, *_) = op.value.iter_attrs()
            scalar, empty = arith.ConstantOp(element), tensor.EmptyOp([], type)
            fill = linalg.FillOp([scalar.result], [empty.tensor], [type])
            Rewriter.replace_op(op, [scalar, empty, fill])


def _writable(function: func.FuncOp, match: re.Match[str], given: Help) -> None:
    for op in function.walk():
        if op_name(op) == "bufferization.to_tensor":
            op.properties.update(restrict=UnitAttr(), writable=UnitAttr())


def _without_library_call(function: func.FuncOp, match: re.Match[str], _: Help) -> None:
    for op in function.walk():
        op.properties.pop("library_call", None)
        op.attributes.pop("library_call", None)


_OP = r"([\w.]+ \(line \d+\))"

FOLLOWED: Mapping[str, Callable[[func.FuncOp, re.Match[str], Help], str | None]] = {
    r"If callers do not need (%\S+) any more, donate it, .*_result = (\d+) on": _donate,
    r"If callers do not need .* any more, donate them, (.*?):": _donate_all,
    r"Set (\S+):": lambda _, match, __: f"bufferize{{{match[1]}}}",
    r"Run (\S+) before bufferize": lambda _, match, __: f"{match[1]},bufferize",
    r"Run (\S+) after bufferize": lambda _, match, __: f"bufferize,{match[1]}",
    rf"Move {_OP} before {_OP}(?:, with what it needs: (.*))?: ": _move,
    r"All elements of .* are the same: start from linalg.fill": _fill,
    r"If the memref is not needed as it was, say so": _writable,
    r"Without library_call": _without_library_call,
    r"Leave it to the analysis": lambda _, __, ___: "bufferize",
    r"Let bufferize run eliminate-moves": lambda _, __, ___: "bufferize",
}
"""By pattern of help: a script that follows it."""
