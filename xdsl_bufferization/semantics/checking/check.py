"""
The check that a program computes the same after a pass pipeline as before, and uses memory
correctly.

Each function is run before and after on the same random arguments, twice, with two patterns
in uninitialised memory. What differs between the two runs before is undefined, and not
compared; what differs between the two runs after only is wrong.

Which functions of a program are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.interpreter import InterpreterFunctions
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import PassPipeline
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError

from xdsl_bufferization.semantics.checking.execution import (
    Program,
    Reference,
    Run,
    WrongResultError,
    check_donations,
    check_ownership,
    explained_difference,
    narrowed,
)
from xdsl_bufferization.semantics.checking.inputs import (
    InputError,
    InputOptions,
    Inputs,
    can_be_drawn,
)
from xdsl_bufferization.semantics.checking.report import (
    FunctionReport,
    Problem,
    ProblemKind,
    Report,
    coverage_of,
)
from xdsl_bufferization.semantics.checking.signatures import (
    Correspondence,
    SignatureError,
    argument_types,
    correspondences,
)
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MissingSemanticsError,
)
from xdsl_bufferization.semantics.memory import ALL, Garbage, most
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.call_graph import functions_in, qualified_name
from xdsl_bufferization.support.donation import donated_arguments, keep_arguments
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.names import (
    no_such_function,
    no_such_pass,
    op_name,
    printed_symbol,
)
from xdsl_bufferization.support.options import ArgumentAccess
from xdsl_bufferization.support.reading import multiverse

__all__ = [
    "CheckOptions",
    "InputError",
    "NothingToCheckError",
    "check",
    "check_pipeline",
]

_DRAWS = 20
"""How many inputs are tried until the program before does not fail on one."""
_LONG_DRAWS = 2
"""On how many of these, the last ones, it may run for as many ops as are allowed."""
_SHORT, _MIDDLE = 50_000, 1_000_000
"""
How many ops it may run on the others; and on the fifth input, which is drawn like the
first, since some programs run for equally long on all inputs.
"""
_SEARCH_SECONDS, _SEARCH_STEPS = 10.0, 10_000
"""
How long the search for inputs that run other ops may take for a function, and how many ops a call
may run then.
"""
_CONSTANTS = 64
"""How many constants of the program inputs are made from."""


@dataclass(frozen=True)
class CheckOptions:
    """Options of the check."""

    functions: Sequence[str] = ()
    """Names; by default the public functions, or else all, that have random inputs."""
    seed: int = 0
    runs: int = 4
    """The number of inputs that each function is run on."""
    inputs: InputOptions = field(default_factory=InputOptions)
    leaks: bool | None = None
    """
    Whether memory has to be freed; with `None`, only if the program after the passes frees
    any.
    """
    max_steps: int = 10_000_000
    """The number of ops that a call may run."""
    semantics: Sequence[Callable[[], InterpreterFunctions]] = ()
    """Semantics of more ops."""
    searches: int = 24
    """
    How many inputs in a row may run no other ops until the search for inputs that do ends.
    """
    required_coverage: int = 0
    """The least share of the ops of the program before that have to be run, in percent."""
    values: bool = False
    """Whether the report has the arguments and results of the last run of each function."""
    progress: Callable[[int, int], None] = lambda done, all: None
    """Called with the number of inputs that were run, and of all inputs."""

    def __post_init__(self) -> None:
        """Raises `ValueError` for options with which nothing would be checked."""
        if self.runs < 1 or self.seed < 0:
            raise ValueError("at least one run is needed, and a seed of at least 0")
        if not 0 <= self.required_coverage <= 100:
            raise ValueError("the required coverage is a number of percent")


def check(
    before: ModuleOp, after: ModuleOp, options: CheckOptions | None = None
) -> Report:
    """
    Compare the two programs, and report what is wrong.

    Raises `NothingToCheckError` if no function is to be checked, or none of a given name,
    `InputError` if an argument cannot have the value or the sizes that are given, and
    `TypeError` for an argument of another kind.
    """
    options = CheckOptions() if options is None else options
    checked("check", before, ModuleOp)
    checked("check", after, ModuleOp)
    return _Check(before, after, checked("check", options, CheckOptions)).report()


def check_pipeline(
    context: Context,
    module: ModuleOp,
    pipeline: str,
    options: CheckOptions | None = None,
) -> Report:
    """
    Compare the program, which is not changed, with the result of the passes; `pipeline` has
    the syntax of `xdsl-opt -p`.

    Raises `ValueError` for an invalid pipeline, what the passes raise, and what `check`
    raises.
    """
    name = "check_pipeline"
    checked(name, context, Context)
    checked(name, module, ModuleOp)
    options = checked(
        name, CheckOptions() if options is None else options, CheckOptions
    )
    after = module.clone()
    parsed = parse_pipeline(pipeline)
    with explained(name, module):
        parsed.apply(context, after)
    after.verify()
    if options.leaks is None and any("dealloc" in p.name for p in parsed.passes):
        options = replace(options, leaks=True)
    option = "use_encoding_for_memory_space"
    encoded_spaces = any(getattr(p, option, False) for p in parsed.passes)
    if any(
        getattr(p, "arguments", None) is ArgumentAccess.READ_ONLY for p in parsed.passes
    ):
        module = module.clone()
        keep_arguments(module)
    return _Check(module, after, options, encoded_spaces).report()


def parse_pipeline(pipeline: str) -> PassPipeline:
    """The passes. Raises `ValueError` for an invalid pipeline."""
    passes = multiverse().all_passes
    try:
        for spec in parse_specs(pipeline):
            if spec.name not in passes:
                raise ValueError(no_such_pass(spec.name, passes))
        return PassPipeline.parse_spec(passes, pipeline)
    except ArgSpecParseError as error:
        raise ValueError(f"{pipeline}: {error}") from None


class _Check:
    def __init__(
        self,
        before: ModuleOp,
        after: ModuleOp,
        options: CheckOptions,
        encoded_spaces: bool = False,
    ):
        self._options = options
        self._before = Program(before, options.semantics, options.max_steps)
        self._after = Program(after, options.semantics, options.max_steps, self._before)
        self._encoded_spaces = encoded_spaces
        frees = "memref.dealloc", "bufferization.dealloc"
        self._leaks = (
            any(op_name(op) in frees for op in after.walk())
            if options.leaks is None
            else options.leaks
        )
        self._correspondences: Sequence[Correspondence] = ()
        """Those of the function that is checked that all runs so far allow."""
        self._inputs: Sequence[Value] = ()
        """Those that the function is run on."""
        self._ran_before: set[Block] = set()
        """The blocks of the program before that calls without a fault have started."""
        self._ran_after: set[Block] = set()

    def report(self) -> Report:
        report = Report(left_out=left_out(self._before.module))
        names = functions_to_check(self._before.functions, self._options.functions)
        for i, name in enumerate(names):
            function = FunctionReport(name)
            report.functions.append(function)
            try:
                self._check_function(function, i, len(names))
            except ExecutionError as error:
                function.problem = _problem_of(error, name, self._inputs)
                return report
            except InputError as error:
                raise InputError(f"{printed_symbol(name)}: {error}") from None
        report.required_coverage = self._options.required_coverage
        report.before = coverage_of(self._before.functions, names, self._ran_before)
        report.after = coverage_of(self._after.functions, names, self._ran_after)
        return report

    # Functions

    def _check_signature(self, name: str) -> None:
        before, after = self._before.functions[name], self._after.functions.get(name)
        try:
            if after is None or not after.regions[0].blocks:
                raise SignatureError("there is no such function with a body after")
            self._correspondences = correspondences(
                before, after, encoded_spaces=self._encoded_spaces
            )
        except SignatureError as error:
            error.op = after or before
            raise

    # Runs

    def _check_function(self, report: FunctionReport, number: int, all: int) -> None:
        self._inputs = ()
        self._check_signature(report.name)
        options = self._options
        types = argument_types(self._before.functions[report.name])
        # Each function draws its own inputs, whichever functions are checked.
        inputs = Inputs(
            types, options.inputs, options.seed, _constants(self._before.module)
        )
        for i in range(options.runs):
            options.progress(number * options.runs + i, all * options.runs)
            self._check_run(report, self._reference(report, inputs, plain=i == 0))
            report.runs += 1
        if not report.is_long:
            self._search(report, inputs)
        options.progress((number + 1) * options.runs, all * options.runs)

    def _search(self, report: FunctionReport, inputs: Inputs) -> None:
        """
        Run the function on more inputs, those that run ops which were not run before, until
        there are none, or no such input is found for a while.
        """
        in_vain = attempt = 0
        end = monotonic() + _SEARCH_SECONDS
        while in_vain < self._options.searches and monotonic() < end:
            if in_vain == 0:
                covered = coverage_of(
                    self._before.functions, [report.name], self._ran_before
                )
                if covered.ran == covered.ops:
                    return
            self._inputs = values = inputs.draw_other(attempt)
            attempt += 1
            in_vain += 1
            try:
                first, second = self._run_before(report.name, values, _SEARCH_STEPS)
            except ExecutionError:
                continue
            if first.started <= self._ran_before:
                continue
            in_vain = 0
            self._ran_before |= first.started
            self._check_run(report, Reference.of(values, first, second))
            report.searched += 1

    def _reference(
        self, report: FunctionReport, inputs: Inputs, *, plain: bool
    ) -> Reference:
        """The results of the program before, on the next inputs on which it does not fail."""
        fault = ExecutionError("")
        for draw in range(_DRAWS):
            self._inputs = values = inputs.draw(draw, plain=plain)
            # First look for inputs on which it ends soon.
            limit = self._options.max_steps
            if draw < _DRAWS - _LONG_DRAWS and not report.is_long:
                limit = min(limit, _MIDDLE if draw == 4 else _SHORT)
            try:
                first, second = self._run_before(report.name, values, limit)
            except MissingSemanticsError:
                raise
            except ExecutionError as error:
                fault = error
                report.rejected += 1
                continue
            report.is_long = report.is_long or limit > _SHORT
            report.before = most(report.before, first.statistics)
            self._ran_before |= first.started
            if self._options.values:
                report.values = {
                    **{f"argument {i}": value for i, value in enumerate(values)},
                    **{output.name: output.contents for output in first.outputs},
                }
            return Reference.of(values, first, second)
        raise WrongResultError(
            ProblemKind.NO_INPUT,
            f"the program before fails on each of {_DRAWS} inputs, the last time with: "
            + fault.message,
            fault.op,
            fault.related,
        )

    def _run_before(
        self, name: str, values: Sequence[Value], limit: int
    ) -> tuple[Run, Run]:
        """
        The runs of the program before with two patterns in uninitialised memory: the same one
        twice if it has none of that. Raises `ExecutionError` if it fails.
        """
        first = self._before.run(name, values, Garbage(), max_steps=limit)
        if not first.garbage.sources:
            return first, first
        second = self._before.run(name, values, Garbage(ALL), max_steps=limit)
        return first, second

    def _check_run(self, report: FunctionReport, reference: Reference) -> None:
        """Compare, with each correspondence that was right on all inputs so far."""
        right: list[Correspondence] = []
        errors: list[ExecutionError] = []
        for correspondence in self._correspondences:
            try:
                right.append(
                    self._check_correspondence(report, reference, correspondence)
                )
            except ExecutionError as error:
                errors.append(error)
        if not right:
            raise errors[0]
        self._correspondences = right

    def _check_correspondence(
        self,
        report: FunctionReport,
        reference: Reference,
        correspondence: Correspondence,
    ) -> Correspondence:
        """The correspondence, narrowed by the runs. Raises `ExecutionError` if it is wrong."""
        donated = donated_arguments(self._before.functions[report.name])
        for result in correspondence.dropped:
            same = reference.same_memref[result]
            if result in donated:
                same = {donated[result]}
            if same is None:
                continue
            positions = [p for p in correspondence.positions[result] if p in same]
            if not positions:
                raise WrongResultError(
                    ProblemKind.SIGNATURE,
                    f"result {result} is gone, but before it is not the same memref as an "
                    "argument",
                    self._after.functions[report.name],
                )
            correspondence = correspondence.narrowed(result, positions)
        for garbage in (Garbage(), Garbage(ALL)):
            run = self._after.run(
                report.name,
                reference.inputs,
                garbage,
                correspondence=correspondence,
                expected=reference.outputs,
            )
            if not garbage.is_second:
                report.after = most(report.after, run.statistics)
            self._ran_after |= run.started
            correspondence = narrowed(correspondence, run, reference)
            self._check_results(run, reference)
            # There may not be enough memory for two runs.
            del run
            if not garbage.sources:
                break
        return correspondence

    def _check_results(self, run: Run, reference: Reference) -> None:
        for number in range(len(run.outputs)):
            index = reference.difference(number, run.outputs[number])
            if index is not None:
                raise explained_difference(run, reference, number, index)
        for i in run.overflowed:
            raise WrongResultError(
                ProblemKind.OUTSIDE,
                f"memory around the elements of argument {i} was overwritten",
                run.function,
            )
        check_donations(run)
        if self._leaks:
            check_ownership(run)


def _constants(module: ModuleOp) -> Sequence[float]:
    """The first numbers that the program compares others with, each once."""
    numbers: dict[float, None] = {}
    for op in module.walk():
        if op_name(op) in _COMPARISONS:
            numbers.update((n, None) for n in map(_constant, op.operands) if n)
        if len(numbers) >= _CONSTANTS:
            break
    return [number for number in numbers if abs(number) < 1 << 31]


def _constant(value: SSAValue) -> float | None:
    """The number that the value is, if it is a constant."""
    op = value.owner
    if not isinstance(op, Operation) or op_name(op) != "arith.constant":
        return None
    number = op.properties.get("value") or op.attributes.get("value")
    return number.value.data if isinstance(number, IntegerAttr | FloatAttr) else None


_COMPARISONS = frozenset(
    f"arith.{name}"
    for name in "cmpi cmpf minsi minui maxsi maxui minimumf maximumf minnumf maxnumf".split()
)
"""Ops whose constant operands tell which numbers the program takes other paths for."""


def _problem_of(
    fault: ExecutionError, function: str, inputs: Sequence[Value]
) -> Problem:
    message = fault.message
    if isinstance(fault, WrongResultError):
        difference = fault.difference
    else:
        difference = ()
        if fault.op is not None and op_name(fault.op) != "func.func":
            message = f"'{op_name(fault.op)}': {message}"
    kind = ProblemKind(fault.kind)
    return Problem(
        kind, function, message, fault.op, fault.related, inputs, *difference
    )


class NothingToCheckError(Exception):
    """No function is to be checked, or there is none of a given name."""


def functions_to_check(
    functions: Mapping[str, Operation], wanted: Sequence[str]
) -> Sequence[str]:
    """
    The names of the `wanted` functions; if there are none, of the public functions, or else
    of all, that have a body and random inputs.

    Raises `NothingToCheckError` if that leaves none, or a wanted one cannot be checked.
    """
    known = [name for name, f in functions.items() if f.regions[0].blocks]
    for name in wanted:
        if name not in known:
            raise NothingToCheckError(no_such_function(name, known))
        for type in argument_types(functions[name]):
            if not can_be_drawn(type):
                raise NothingToCheckError(
                    f"there are no inputs for {printed_symbol(name)}, which takes {type}"
                )
    if wanted:
        return wanted
    drawable = [
        name
        for name in known
        if all(map(can_be_drawn, argument_types(functions[name])))
    ]
    public = [name for name in drawable if not _is_private(functions[name])]
    names = public or drawable
    if not names:
        raise NothingToCheckError(
            "there is no function with a body that inputs exist for"
        )
    return names


def left_out(module: ModuleOp) -> Sequence[str]:
    """The names of the functions with a body that are in modules within the module."""
    return [
        qualified_name(op)
        for op in functions_in(module)
        if op.parent_op() is not module and op.regions[0].blocks
    ]


def _is_private(function: Operation) -> bool:
    visibility = attribute(function, "sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data != "public"
