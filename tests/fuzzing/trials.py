"""One program through one pipeline."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from typing import TypeAlias

from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.passes import PassPipeline
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.fuzzing.pipelines import Pipeline
from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.users import check_users
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.inputs import InputOptions
from xdsl_bufferization.semantics.checking.report import Problem, ProblemKind
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.diagnostics import BufferizationError, describe_op
from xdsl_bufferization.support.reading import context_of_all_dialects, multiverse
from xdsl_bufferization.verification.functions import check_decisions


class Verdict(StrEnum):
    """What came of a program and a pipeline."""

    EQUAL = "equal"
    """It computes the same as before, and uses memory as it should."""
    REFUSED = "refused"
    """A pass says why it cannot be done."""
    UNDEFINED = "undefined"
    """The program has no meaning before, on the inputs tried."""
    FAILED = "failed"


@dataclass(frozen=True)
class Trial:
    """What came of it, and why."""

    verdict: Verdict
    kind: str = ""
    """What is wrong, in a word; of a refusal, the reason."""
    message: str = ""
    function: str = ""
    """In which it shows, if it does when one is run."""

    def is_like(self, other: Trial) -> bool:
        """Whether this is most likely for the same reason."""
        return (self.verdict, self.kind) == (other.verdict, other.kind)


def read(text: str, tools: MlirTools | None = None) -> ModuleOp:
    """
    The program. xDSL has no custom syntax for some ops; `tools` help out there, and
    without them `ParseError` is raised.
    """
    try:
        module = parse_module(text)
    except ParseError:
        if tools is None:
            raise
        module = parse_module(tools.opt(text))
    module.verify()
    return module


def apply(passes: str, module: ModuleOp) -> str:
    """Run the passes on the module, which is valid afterwards, and return their remarks."""
    context = context_of_all_dialects(allow_unregistered=True)
    pipeline = PassPipeline.parse_spec(
        multiverse().all_passes,
        passes,
        lambda before, module, after: check_users(module),
    )
    with redirect_stderr(StringIO()) as remarks:
        pipeline.apply(context, module)
    module.verify()
    return remarks.getvalue()


def is_remarked(problem: Problem, remarks: str) -> bool:
    """
    Whether the problem is a leak, and remarks say of memory of each function that allocates what
    leaks, or of one that it calls and that may free it, that it is left to the program. The op may
    be another one by then: clones are lowered.
    """
    left = {
        function
        for remark in remarks.split("remark: ")
        if "is left to" in remark.partition("\n")[0]
        for function in re.findall(r"^  at: .*?\bin (@[^,\s]+)", remark, re.MULTILINE)
    }
    leaked = [problem.op, *(op for _, op in problem.related)]
    return problem.kind is ProblemKind.LEAK and all(
        op is not None and not left.isdisjoint(_functions_for(op)) for op in leaked
    )


def _functions_for(op: Operation) -> Iterator[str]:
    """The function around the op, with the modules around that, and those that it calls."""
    (path, *_) = re.findall(r"\bin (@[^,\s]+)", describe_op(op))
    yield path
    function = outermost_function(op)
    for call in function.walk() if function is not None else ():
        if isinstance(call, CallOp):
            yield "::".join((*path.split("::")[:-1], f"@{call.callee.string_value()}"))


def attempt(
    module: ModuleOp, pipeline: Pipeline, seed: int = 0, *, only: str = ""
) -> Trial:
    """
    Send a copy of the program through the pipeline, and check what comes out; run `only`
    the function of that name, if one is given.
    """
    if pipeline.hides_callees:
        module = with_private_callees(module)
    after = module.clone()
    try:
        remarks = apply(pipeline.passes, after)
        objection = _objection(module, pipeline)
        if objection is not None:
            return objection
    except BufferizationError as error:
        return Trial(Verdict.REFUSED, _reason(str(error)), str(error))
    except VerifyException:
        return Trial(Verdict.FAILED, "invalid", traceback.format_exc())
    except Exception as error:  # whatever is wrong with what is tested
        return Trial(Verdict.FAILED, _kind_of_crash(error), traceback.format_exc())
    frees = pipeline.frees
    return compared(module, after, seed, leaks=frees, remarks=remarks, only=only)


def with_private_callees(module: ModuleOp) -> ModuleOp:
    """A copy of the program in which only the last function can be called from outside."""
    module = module.clone()
    *callees, _ = _functions(module)
    for callee in callees:
        callee.sym_visibility = StringAttr("private")
    return module


def compared(
    before: ModuleOp,
    after: ModuleOp,
    seed: int,
    *,
    leaks: bool,
    remarks: str = "",
    only: str = "",
) -> Trial:
    """
    Run the functions of both programs, or `only` one; whether leaks count is given, but for memory
    that remarks say is left to the program.
    """
    calls = [call for call in _calls(before, seed) if only in ("", call[0])]
    try:
        problem = _problem(before, after, calls, seed, leaks=leaks, remarks=remarks)
    except Exception as error:
        return Trial(Verdict.FAILED, _kind_of_crash(error), traceback.format_exc())
    if problem is None:
        return _compared_within(before, after, seed, leaks=leaks, remarks=remarks)
    if problem.kind is ProblemKind.NO_INPUT:
        return Trial(Verdict.UNDEFINED, problem.kind, str(problem))
    what = "" if problem.kind is ProblemKind.DIFFERENCE else _reason(problem.message)
    kind = ": ".join(filter(None, [problem.kind, what]))
    return Trial(Verdict.FAILED, kind, str(problem), problem.function)


def _compared_within(
    before: ModuleOp, after: ModuleOp, seed: int, *, leaks: bool, remarks: str
) -> Trial:
    """Run the functions of modules within both programs, which nobody calls from outside."""
    modules = (
        [op for op in m.ops if isinstance(op, ModuleOp)] for m in (before, after)
    )
    trials = (
        compared(one.clone(), other.clone(), seed, leaks=leaks, remarks=remarks)
        for one, other in zip(*modules, strict=True)
    )
    failed = (trial for trial in trials if trial.verdict is Verdict.FAILED)
    return next(failed, Trial(Verdict.EQUAL))


def _objection(module: ModuleOp, pipeline: Pipeline) -> Trial | None:
    """What the proof has against the decisions."""
    if pipeline.analysis is None:
        return None
    decided = module.clone()
    apply(pipeline.analysis, decided)
    try:
        problems = check_decisions(
            decided, bufferize_function_boundaries=pipeline.bufferizes_boundaries
        )
    except BufferizationError as error:
        return Trial(Verdict.FAILED, "decisions not followed", str(error))
    if problems:
        return Trial(Verdict.FAILED, "wrong decision", "\n".join(map(str, problems)))
    return None


def _problem(
    before: ModuleOp,
    after: ModuleOp,
    calls: Iterable[Call],
    seed: int,
    *,
    leaks: bool,
    remarks: str,
) -> Problem | None:
    """The first of the problems that the calls have."""
    for name, scalars in calls:
        options = CheckOptions(
            functions=[name],
            seed=seed,
            runs=1,
            searches=0,  # The calls take both branches.
            leaks=leaks,
            # Tensors of unknown size are taken for ones of eight elements.
            inputs=InputOptions(size=8, scalars=scalars),
        )
        problem = check(before, after, options).problem
        if problem is not None and not is_remarked(problem, remarks):
            return problem
    return None


Call: TypeAlias = "tuple[str, dict[int, float]]"
"""A function's name, and its scalars by position."""


def _calls(module: ModuleOp, seed: int) -> Iterator[Call]:
    """
    What to call: conditions hold in one call and not in
    the other, and loops have many iterations in one, and none or some in the other.
    """
    condition = bool(seed % 2)
    functions = _functions(module)
    public = [f for f in functions if f.sym_visibility != StringAttr("private")]
    for function in public or functions:
        types = function.function_type.inputs.data
        for index, taken in ((3, condition), (seed // 2 % 3, not condition)):
            scalars: dict[int, float] = {}
            for position, type in enumerate(types):
                if isinstance(type, IndexType):
                    scalars[position] = index
                elif type == IntegerType(1):
                    scalars[position] = taken
            yield function.sym_name.data, scalars


def _functions(module: ModuleOp) -> list[FuncOp]:
    """Those with a body."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def _reason(message: str) -> str:
    """The message without what differs from program to program."""
    first = message.split("\n", 1)[0]
    return re.sub(r"-?\b\d+(\.\d+)?\b", "N", first)


def _kind_of_crash(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}"
