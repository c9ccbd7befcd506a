"""
xDSL's interpreter for programs on tensors and buffers.

What an op does is a method of an `InterpreterFunctions` class, as xDSL has them: one file a
dialect in `dialects/`. Other packages offer theirs in the entry-point group
`xdsl_bufferization.semantics`: the entry is named like the dialect, its value is such a
class.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar, TypeAlias

import numpy as np
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    OpImpl,
    OpImplResult,
    PythonValues,
    ReturnedValues,
    Successor,
    TerminatorValue,
)
from xdsl.ir import Block, Dialect, Operation, Region, SSAValue

from xdsl_bufferization.semantics.buffers import Buffer
from xdsl_bufferization.semantics.errors import ExecutionError, MissingSemanticsError
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.names import op_name

DIALECTS_WITH_SEMANTICS = frozenset(
    "affine arith bufferization builtin cf complex func linalg math memref ml_program scf "
    "shape tensor test ub vector".split()
)
"""Dialects whose ops' meaning this package knows, in `dialects/` under their names."""

ENTRY_POINT_GROUP = "xdsl_bufferization.semantics"

ScalarFunction = Callable[[Operation, Sequence[Value]], Value]
"""From an op and its operands' values to the value of its one result."""


class Functions(InterpreterFunctions):
    """
    What the ops of a dialect do. Besides xDSL's `@impl` for an op's class, which serves
    its subclasses and other classes of the name too, there is `@impl_named` for an op that
    no class may exist for; and tables.
    """

    scalar: ClassVar[Mapping[str, ScalarFunction]] = {}
    """By op name: ops that take scalars, vectors or tensors, element by element."""
    pure: ClassVar[Mapping[str, ScalarFunction]] = {}
    """By op name: other ops whose one result is a function of their operands."""


Named = Callable[[Any, "ReferenceInterpreter", Operation, PythonValues], Any]


def impl_named(*names: str) -> Callable[[Named], Named]:
    """
    Marks a method as the meaning of ops of these names, whatever their class. It returns
    the results; the method of a terminator, a `ReturnedValues` or `Successor`.
    """

    def annotate(method: Named) -> Named:
        setattr(method, _NAMES, names)
        return method

    return annotate


_NAMES = "__impl_names"

_TERMINATOR_VALUES = ReturnedValues, Successor

_Meaning: TypeAlias = Callable[[Operation, PythonValues], Any]
_Step: TypeAlias = tuple[
    Operation, _Meaning, tuple[SSAValue, ...], tuple[SSAValue, ...]
]
"""An op, what it does, its operands and its results."""


@dataclass
class ReferenceInterpreter(Interpreter):
    """
    Runs a module's functions: tensors are values, memory is checked.

    Raises `ExecutionError`s, which name the op.
    """

    memory: Memory = field(kw_only=True)
    step: Callable[[], None] | None = field(default=None, kw_only=True)
    """Is called before each op."""
    external: Callable[[Operation, PythonValues], PythonValues] | None = field(
        default=None, kw_only=True
    )
    """What a function without a body does."""
    indices: list[tuple[Value, ...]] = field(
        default_factory=list[tuple[Value, ...]], init=False
    )
    """Where in their iteration spaces the linalg ops around are, for `linalg.index`."""
    _values: dict[SSAValue, Value] = field(
        default_factory=dict[SSAValue, Value], init=False
    )
    _meanings: dict[type[Operation] | str, _Meaning] = field(
        default_factory=dict[type[Operation] | str, _Meaning], init=False
    )
    _blocks: dict[Block, Sequence[_Step]] = field(
        default_factory=dict[Block, Sequence[_Step]], init=False
    )
    """The ops of blocks that were run: the module must not change while it runs."""
    _stacks: list[list[Buffer]] = field(default_factory=list[list[Buffer]], init=False)
    _loaded: set[str] = field(default_factory=set[str], init=False)

    # Functions

    def call(self, function: Operation, arguments: PythonValues) -> PythonValues:
        """The results of the function; the call has values and a stack of its own."""
        body = function.regions[0]
        if not body.blocks:
            if self.external is None:
                raise MissingSemanticsError(
                    "nobody says what this function does", function
                )
            return self.external(function, arguments)
        values, indices = self._values, self.indices
        self._values, self.indices = {}, []
        try:
            with self.stack(function), np.errstate(all="ignore"):
                return self.run_ssacfg_region(body, arguments)
        except RecursionError:
            raise ExecutionError("calls are nested too deeply", function) from None
        finally:
            self._values, self.indices = values, indices

    @contextmanager
    def stack(self, scope: Operation) -> Generator[None]:
        """What is allocated on the stack inside is freed at the end."""
        self._stacks.append([])
        try:
            yield
        finally:
            for buffer in self._stacks.pop():
                self.memory.release(buffer, scope)

    def free_with_stack(self, buffer: Buffer) -> None:
        """The buffer lives until the innermost `stack` ends."""
        self._stacks[-1].append(buffer)

    # Regions

    def run_region(self, region: Region, *arguments: Value) -> PythonValues:
        """The operands of the terminator that control leaves the region with."""
        return self.run_ssacfg_region(region, arguments)

    def run_ssacfg_region(
        self, region: Region, args: PythonValues, name: str = "unknown"
    ) -> PythonValues:
        block: Block | None = region.blocks.first
        while block is not None:
            terminator = self.run_block(block, args)
            if not isinstance(terminator, Successor):
                return terminator.values
            block, args = terminator
        return ()

    def run_block(self, block: Block, arguments: PythonValues) -> TerminatorValue:
        """
        Run the ops of the block; where control goes then. A block without a terminator
        returns nothing.
        """
        values = self._values
        values.update(zip(block.args, arguments, strict=True))
        steps = self._blocks.get(block)
        if steps is None:
            # Loops run their bodies often, and asking ops what they use is slow.
            steps = self._blocks[block] = [
                (op, self._meaning_or_error(op), (*op.operands,), (*op.results,))
                for op in block.ops
            ]
        for op, meaning, operands, results in steps:
            result = self._run_step(op, meaning, tuple([values[o] for o in operands]))
            values.update(zip(results, result.values, strict=True))
            if result.terminator_value is not None:
                return result.terminator_value
        return ReturnedValues(())

    def value_of(self, value: SSAValue) -> Value:
        """What the SSA value is now."""
        return self._values[value]

    def get_values(self, values: Iterable[SSAValue]) -> tuple[Any, ...]:
        return tuple(self._values[value] for value in values)

    def set_values(self, pairs: Iterable[tuple[SSAValue, Any]]) -> None:
        self._values.update(pairs)

    # Ops

    def has_scalar_semantics(self, op: Operation) -> bool:
        """Whether the op works element by element, also on arrays in scalars' places."""
        meaning = self._meaning(op)
        return isinstance(meaning, _Scalar)

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        return self._run_step(op, self._meaning_or_error(op), inputs)

    def _run_step(
        self, op: Operation, meaning: _Meaning, inputs: PythonValues
    ) -> OpImplResult:
        if self.step is not None:
            self.step()
        try:
            for listener in self.listeners:
                listener.will_interpret_op(op, inputs)
            result = meaning(op, inputs)
            if not isinstance(result, OpImplResult):
                if isinstance(result, _TERMINATOR_VALUES):
                    result = OpImplResult((), result)
                else:
                    result = OpImplResult(tuple(result), None)
            for listener in self.listeners:
                listener.did_interpret_op(op, result.values)
            return result
        except ExecutionError as error:
            if error.op is None:
                error.op = op
            raise

    def _meaning_or_error(self, op: Operation) -> _Meaning:
        """An op without one is wrong only where it is run."""
        try:
            return self._meaning(op)
        except MissingSemanticsError as error:
            return _Missing(error)

    def _meaning(self, op: Operation) -> _Meaning:
        """Looked up by class, then by name."""
        unregistered = isinstance(op, UnregisteredOp)
        key = op.op_name.data if unregistered else type(op)
        if (meaning := self._meanings.get(key)) is None:
            name = op_name(op)
            self._load(Dialect.split_name(name)[0] if "." in name else name)
            meaning = self._meanings.get(key) or self._meanings.get(name)
            if meaning is None:
                raise MissingSemanticsError(
                    "has no semantics here; register xDSL InterpreterFunctions for it, "
                    f"with the interpreter or in the entry-point group {ENTRY_POINT_GROUP}",
                    op,
                )
            self._meanings[key] = meaning
        return meaning

    def _load(self, dialect: str) -> None:
        if dialect in self._loaded:
            return
        self._loaded.add(dialect)
        if dialect in DIALECTS_WITH_SEMANTICS:
            module = import_module(f"xdsl_bufferization.semantics.dialects.{dialect}")
            self.register_implementations(module.FUNCTIONS(), override=False)
        for entry_point in _offered(dialect):
            self.register_implementations(entry_point.load()(), override=True)

    def register_implementations(
        self, impls: InterpreterFunctions, /, override: bool = True
    ) -> None:
        """
        Take the meaning of ops from `impls`, in place of what was known if `override`.
        """
        meanings: dict[type[Operation] | str, Any] = {}
        for op_type, implementation in type(impls)._impls():  # pyright: ignore[reportPrivateUsage] # xDSL offers no other way to them
            meanings[op_type] = meanings[op_type.name] = _Bound(
                implementation, impls, self
            )
        if isinstance(impls, Functions):
            for name, function in impls.scalar.items():
                meanings[name] = _Scalar(function)
            for name, function in impls.pure.items():
                meanings[name] = _Pure(function)
            for attribute, names in _named_methods(type(impls)):
                method = _Named(getattr(impls, attribute), self)
                meanings.update(dict.fromkeys(names, method))
        if override:
            self._meanings.update(meanings)
        else:
            self._meanings = meanings | self._meanings


@cache
def _named_methods(functions: type[Functions]) -> Sequence[tuple[str, Sequence[str]]]:
    """The methods that are the meaning of ops by name, with the names."""
    return [
        (attribute, names)
        for attribute in dir(functions)
        if (names := getattr(getattr(functions, attribute), _NAMES, ()))
    ]


@cache
def _offered(dialect: str) -> Sequence[EntryPoint]:
    """What other packages offer for the dialect: slow to find out, and once is enough."""
    return tuple(entry_points(group=ENTRY_POINT_GROUP, name=dialect))


@dataclass(frozen=True)
class _Bound:
    """xDSL's way of saying what an op does."""

    implementation: OpImpl[Any, Any]
    functions: InterpreterFunctions
    interpreter: ReferenceInterpreter

    def __call__(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        return self.implementation(self.functions, self.interpreter, op, inputs)


@dataclass(frozen=True)
class _Named:
    method: Callable[[ReferenceInterpreter, Operation, PythonValues], Any]
    interpreter: ReferenceInterpreter

    def __call__(self, op: Operation, inputs: PythonValues) -> Any:
        return self.method(self.interpreter, op, inputs)


@dataclass(frozen=True)
class _Missing:
    error: MissingSemanticsError

    def __call__(self, op: Operation, inputs: PythonValues) -> Any:
        raise self.error


@dataclass(frozen=True)
class _Pure:
    function: ScalarFunction

    def __call__(self, op: Operation, inputs: PythonValues) -> Any:
        return (self.function(op, inputs),)


class _Scalar(_Pure):
    """One that serves arrays in scalars' places."""
