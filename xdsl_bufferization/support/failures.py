"""
Exceptions that no pass raises on purpose, explained by who made the mistake: the author of a
trait or model of an op, or of a program that is not valid IR.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import OpTrait, SymbolTable
from xdsl.utils.exceptions import ParseError, PassFailedException, ShrinkException

from xdsl_bufferization.support.diagnostics import BufferizationError, syntax_error
from xdsl_bufferization.support.locations import NotUTF8Error
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import walk_all

T = TypeVar("T")

_OURS = (__name__.split(".")[0], "xdsl")

MEANT = (PassFailedException, ShrinkException, RecursionError)
"""Exceptions that are raised on purpose, for xDSL, or of programs too deep to be verified."""

_WIDTH = 300
"""The characters of other messages that are quoted."""

_CHECKS_ARGUMENTS = "xdsl.utils.arg_spec", "xdsl.xdsl_opt_main"
"""The modules that raise errors about the arguments of commands."""

Explanation = Callable[[Operation], BufferizationError | None]
"""Looks for a mistake in the models of a program; `None` if there is none to be found."""

_explanations: list[Explanation] = []


def explain_with(explanation: Explanation) -> Explanation:
    """Let failures be explained by this function, too."""
    _explanations.append(explanation)
    return explanation


@cache
def is_of_other_package(kind: type) -> bool:
    """Whether neither this package nor xDSL defines the class."""
    return kind.__module__.split(".")[0] not in _OURS


def checked(function: str, value: object, kind: type[T]) -> T:
    """
    The argument of the function or pass, which is to be of this kind.

    Raises `TypeError` if it is not.
    """
    if isinstance(value, kind):
        return value
    hint = ""
    if isinstance(value, Operation):
        given = f"'{op_name(value)}'"
        if kind is ModuleOp:
            hint = ": give it the module around the op, or put a clone into a ModuleOp"
    elif isinstance(value, type):
        given = f"the class {value.__name__}"
    else:
        given = "None" if value is None else f"a value of type {type(value).__name__}"
        if is_dataclass(kind) and type(value) in kind.__mro__:
            hint = f": {kind.__name__} has the same fields, and more"
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise TypeError(f"{function} takes {article} {kind.__name__}, not {given}{hint}")


def verified_module(function: str, module: object) -> ModuleOp:
    """
    The argument of the function, which is to be a module that is valid.

    Raises `TypeError` if it is no module, and `BufferizationError` if it is not valid.
    """
    module = checked(function, module, ModuleOp)
    try:
        module.verify()
    except Exception as error:
        raise invalid_program(module) or error from error
    return module


@contextmanager
def explained(name: str, program: Operation) -> Generator[None]:
    """
    Turn an exception of the `with` block, in which the pass or function `name` works on the
    program, into a `BufferizationError` if it is due to a mistake in a model, or to a program
    that is not valid IR. Others are raised as they are. The `op` of a `BufferizationError` is
    one of the program, also where the block has worked on a clone of it.

    Costs nothing unless the block raises.
    """
    try:
        with _mistakes_explained(name, program):
            yield
    except BufferizationError as error:
        if error.op is not None and not program.is_ancestor(error.op):
            # Most programs are not refused.
            from xdsl_bufferization.support.diagnostics import op_before

            error.op = op_before(error.op, program, {})
        raise


@contextmanager
def _mistakes_explained(name: str, program: Operation) -> Generator[None]:
    try:
        yield
    except MEANT:
        raise
    except Exception as error:
        explanation = raised_by_model(error)
        if explanation is not None and explanation.op is not None:
            # Of an invalid op, no model can say what it does.
            verify_op_itself(explanation.op)
        for explain in _explanations if explanation is None else ():
            explanation = explanation or explain(program)
        hint = f"verify the program before {name}; it has raised {error_line(error)}"
        explanation = explanation or invalid_program(program, hint)
        if explanation is None:
            raise
        raise explanation from error


def mistake(op: Operation | None, text: str) -> BufferizationError:
    """An error about the model of the op."""
    return BufferizationError(op, f"has a model with a mistake: {text}")


def raised(
    model: object, method: str, op: Operation, error: Exception
) -> BufferizationError:
    """An error about the model of the op, whose method has raised the error."""
    return mistake(op, f"{type(model).__name__}.{method} raises {error_line(error)}")


def raised_by_model(error: Exception) -> BufferizationError | None:
    """
    An error about the method of another package's model, the innermost one if several are
    called, that has raised the error; `None` if none has.
    """
    found = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        parameters = code.co_varnames[: code.co_argcount]
        model, *others = [frame.f_locals.get(name) for name in parameters] or [None]
        op = next((other for other in others if isinstance(other, Operation)), None)
        if (
            isinstance(model, OpTrait)
            and is_of_other_package(type(model))
            and op is not None
            and not code.co_name.startswith("_")
        ):
            found = raised(model, code.co_name, op, error)
    return found


def verify_op_itself(op: Operation) -> None:
    """Raise `BufferizationError` if the op, apart from those in its regions, is not valid."""
    if (reason := reason_invalid(op)) is not None:
        raise BufferizationError(op, f"is not valid: {reason}")


def error_line(error: Exception) -> str:
    """The error, and where it is raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    message = f": {_in_one_line(str(error))}" if str(error) else ""
    return f"{type(error).__name__}{message}, at {frame.filename}:{frame.lineno}"


def _in_one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..."


def reason_invalid(op: Operation, *, nested: bool = False) -> str | None:
    """
    Why the op is not valid, with those in its regions if `nested`; `None` if it is.
    """
    try:
        op.verify(verify_nested_ops=nested)
    except RecursionError:
        raise
    except Exception as error:
        # xDSL prints the op around the message of the cause.
        cause = error
        while isinstance(cause.__cause__, Exception):
            cause = cause.__cause__
        return _in_one_line(str(cause)) or type(cause).__name__
    return None


def misuse(error: BaseException) -> str:
    """The message for an error in the text, or the options, of a command; empty for another."""
    if isinstance(error, ParseError):
        return syntax_error(error)
    if isinstance(error, RecursionError):
        limit = sys.getrecursionlimit()
        return (
            f"the program is nested too deeply for Python's recursion limit of {limit}\n"
            "  hint: call xdsl-opt from Python, after sys.setrecursionlimit"
        )
    if isinstance(error, NotUTF8Error):
        return str(error)
    frame = [*traceback.walk_tb(error.__traceback__)][-1][0]
    if isinstance(error, OSError) or (
        frame.f_globals["__name__"] not in _CHECKS_ARGUMENTS
    ):
        return ""
    kind = frame.f_locals.get("cls")
    return f"{kind.name}: {error}" if kind else str(error).strip()


def invalid_program(program: Operation, hint: str = "") -> BufferizationError | None:
    """An error that names the first op that is not valid."""
    ops = [*walk_all([program])]
    # Blocks are verified with the op around them.
    for op, nested in (*((op, False) for op in ops), *((op, True) for op in ops[::-1])):
        if (reason := reason_invalid(op, nested=nested)) is not None:
            op = _second_of_a_name(op) or op
            return BufferizationError(op, f"is not valid: {reason}", hint=hint)
    return None


def _second_of_a_name(table: Operation) -> Operation | None:
    """The first op in the symbol table with the name of one before, for which xDSL blames it."""
    names: set[Attribute] = set()
    regions = table.regions if table.has_trait(SymbolTable) else ()
    for op in [op for region in regions for block in region.blocks for op in block.ops]:
        if (name := op.get_attr_or_prop("sym_name")) in names:
            return op
        names |= {name} if name else set()
    return None
