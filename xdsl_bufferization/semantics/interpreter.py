"""
xDSL's interpreter for programs on tensors and buffers.

The meaning of an op is a method of one of xDSL's `InterpreterFunctions` classes; the classes of
this package are in `dialects/`. Other packages offer theirs as entry
points of the group `xdsl_bufferization.semantics`, named like the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from math import inf
from pkgutil import resolve_name
from typing import Any, ClassVar, Concatenate, TypeAlias, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import (
    TensorType,
    UnrankedTensorType,
    UnregisteredOp,
    VectorType,
)
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    OpImplResult,
    PythonValues,
    ReturnedValues,
    Successor,
    TerminatorValue,
    register_impls,
)
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.contents import is_elementwise_mappable
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MissingSemanticsError,
    UndefinedBehaviorError,
    diagnosed,
)
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import Buffer, Value
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_tensor_type

_CLASSES: Mapping[str, str] = {
    "affine": "control_flow:AffineFunctions",
    "arith": "arith:ArithFunctions",
    "bufferization": "small:BufferizationFunctions",
    "builtin": "small:BuiltinFunctions",
    "cf": "control_flow:CfFunctions",
    "complex": "math:ComplexFunctions",
    "func": "control_flow:FuncFunctions",
    "linalg": "tensor:TensorFunctions",
    "math": "math:MathFunctions",
    "memref": "memref:MemRefFunctions",
    "ml_program": "small:MlProgramFunctions",
    "scf": "control_flow:ScfFunctions",
    "shape": "small:ShapeFunctions",
    "tensor": "tensor:TensorFunctions",
    "ub": "small:UbFunctions",
    "vector": "vector:VectorFunctions",
}
"""By dialect: the class with its semantics, and the module in `dialects/` that has it."""

ENTRY_POINT_GROUP = "xdsl_bufferization.semantics"

OpFunction: TypeAlias = Callable[Concatenate[Operation, ...], Any]
"""
A function of an op and the values of its operands, each an argument, to the value of its result, a
tuple of those of its results, or `None` if it has none.
"""


class Functions(InterpreterFunctions):
    """
    The semantics of a dialect's ops, in methods and tables. A method is marked by xDSL's
    `@impl`, with the class of an op, whose subclasses and namesakes it covers too; or by
    `@impl_named`, with the name of an op, which then needs no class.
    """

    scalar: ClassVar[Mapping[str, OpFunction]] = {}
    """By op name: ops that work element by element, on scalars, vectors or tensors."""
    pure: ClassVar[Mapping[str, OpFunction]] = {}
    """By op name: other ops whose results are a function of their operands."""


@register_impls
class DialectFunctions(Functions):
    """
    The semantics of a dialect of this package. Methods that are marked by `impl_named` are an
    `OpFunction`, or return a `ReturnedValues` or `Successor`.
    """

    terminators: ClassVar[Sequence[str]] = ()
    """The names of the terminators that return their operands."""
    without_effects: ClassVar[Sequence[str]] = ()
    """The names of the ops that have no results, and no effect on the program's values."""
    interpreter: ReferenceInterpreter
    """The interpreter that they are registered with."""

    @property
    def memory(self) -> Memory:
        """The memory of the program."""
        return self.interpreter.memory

    def run(self, op: Operation, *arguments: Value, region: int = 0) -> PythonValues:
        """Run a region of the op; returns the operands of the terminator that it ends with."""
        return self.interpreter.run_region(op.regions[region], *arguments)


MethodT = TypeVar("MethodT", bound=Callable[..., Any])


def impl_named(*names: str) -> Callable[[MethodT], MethodT]:
    """
    Marks a method as the meaning of the ops of these names, whatever their class. It has to
    return the results or, for a terminator, a `ReturnedValues` or `Successor`.
    """

    def annotate(method: MethodT) -> MethodT:
        setattr(method, _NAMES, names)
        return method

    return annotate


_NAMES = "__impl_names"

_TERMINATOR_VALUES = ReturnedValues, Successor

_Meaning: TypeAlias = Callable[[Operation, PythonValues], Any]


def _returned(op: Operation, operands: PythonValues) -> ReturnedValues:
    return ReturnedValues(operands)


def _nothing(op: Operation, operands: PythonValues) -> PythonValues:
    return ()


_Step: TypeAlias = tuple[
    Operation, _Meaning, tuple[SSAValue, ...], tuple[SSAValue, ...]
]
"""An op, its meaning, its operands and its results."""


@dataclass
class ReferenceInterpreter(Interpreter):
    """
    Runs the functions of a module: tensors are values, each access to memory is checked.

    Raises `ExecutionError`, with the op at which it happened.
    """

    memory: Memory = field(kw_only=True)
    max_steps: float = field(default=inf, kw_only=True)
    """The number of ops that may run."""
    external: Callable[[Operation, PythonValues], PythonValues] | None = field(
        default=None, kw_only=True
    )
    """The meaning of functions without a body: from function and arguments to results."""

    def __post_init__(self) -> None:
        self.indices: list[tuple[Value, ...]] = []
        """The points that the linalg ops around are at, the innermost last."""
        self._values: dict[SSAValue, Value] = {}
        self._meanings: dict[type[Operation] | str, _Meaning] = {}
        self._blocks: dict[Block, Sequence[_Step]] = {}
        """The ops of the blocks that were run; the module must not change in between."""
        self._stacks: list[list[Buffer]] = []
        self._loaded: set[str] = set()
        self._steps = 0
        """The number of ops that were run."""

    @property
    def started(self) -> AbstractSet[Block]:
        """The blocks that were started so far."""
        return self._blocks.keys()

    # Functions

    def call(self, function: Operation, arguments: PythonValues) -> PythonValues:
        """Call the function, with SSA values and a stack of its own; returns its results."""
        body = function.regions[0]
        if not body.blocks:
            if self.external is None:
                raise MissingSemanticsError(
                    "this function has no body, so its results are unknown", function
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
        """A stack frame: at its end, the buffers of `free_with_stack` are freed."""
        self._stacks.append([])
        try:
            yield
        finally:
            for buffer in self._stacks.pop():
                self.memory.release(buffer, scope)

    def free_with_stack(self, buffer: Buffer) -> None:
        """Free the buffer at the end of the innermost `stack`."""
        self._stacks[-1].append(buffer)

    # Regions

    def run_region(self, region: Region, *arguments: Value) -> PythonValues:
        """Run the region; returns the operands of the terminator that it ends with."""
        return self.run_ssacfg_region(region, arguments)

    def run_loop(
        self, op: Operation, indices: Iterable[Value], carried: Sequence[Value]
    ) -> PythonValues:
        """Run the op's region for each index; returns what the last iteration yields."""
        for index in indices:
            with self.stack(op):
                carried = self.run_region(op.regions[0], index, *carried)
        return tuple(carried)

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
        Run the ops of the block; returns where control continues. A block without a
        terminator ends the region, without values.
        """
        values = self._values
        values.update(zip(block.args, arguments, strict=True))
        steps = self._blocks.get(block)
        if steps is None:
            # Looking up operands and meanings is slow, and loops repeat it.
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
        """The current value of the SSA value."""
        return self._values[value]

    def get_values(self, values: Iterable[SSAValue]) -> tuple[Any, ...]:
        return tuple(self._values[value] for value in values)

    def set_values(self, pairs: Iterable[tuple[SSAValue, Any]]) -> None:
        self._values.update(pairs)

    # Ops

    def has_scalar_semantics(self, op: Operation) -> bool:
        """Whether the op works element by element, also if arrays stand for its scalars."""
        return isinstance(self._meaning(op), _Scalar)

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        return self._run_step(op, self._meaning_or_error(op), inputs)

    def _run_step(
        self, op: Operation, meaning: _Meaning, inputs: PythonValues
    ) -> OpImplResult:
        self._steps += 1
        if self._steps > self.max_steps:
            raise ExecutionError(f"the program runs for more than {self.max_steps} ops")
        try:
            result = meaning(op, inputs)
            if isinstance(result, OpImplResult):
                return result
            if isinstance(result, _TERMINATOR_VALUES):
                return OpImplResult((), result)
            return OpImplResult(tuple(result), None)
        except RecursionError:
            raise  # `call` tells.
        except Exception as error:
            raise diagnosed(error, op)  # noqa: B904 # it has its cause

    def _meaning_or_error(self, op: Operation) -> _Meaning:
        """The meaning of the op; for an op without one, an error once it is run."""
        try:
            meaning = self._meaning(op)
        except MissingSemanticsError as error:
            return _missing(error)
        if is_elementwise_mappable(op) and any(map(is_tensor_type, op.result_types)):
            meaning = _elementwise(meaning)
        return _of_arrays(meaning) if any(map(_is_array, op.result_types)) else meaning

    def _meaning(self, op: Operation) -> _Meaning:
        """The meaning of the op, by its class or else by its name."""
        unregistered = isinstance(op, UnregisteredOp)
        key = op.op_name.data if unregistered else type(op)
        if (meaning := self._meanings.get(key)) is None:
            name = op_name(op)
            self._load(Dialect.split_name(name)[0] if "." in name else name)
            meaning = self._meanings.get(key) or self._meanings.get(name)
            if meaning is None:
                raise MissingSemanticsError(
                    "has no semantics here; register xDSL InterpreterFunctions for it: by "
                    "--semantics of bufferization-check, with the interpreter, or in the "
                    f"entry-point group {ENTRY_POINT_GROUP}",
                    op,
                )
            self._meanings[key] = meaning
        return meaning

    def _load(self, dialect: str) -> None:
        if dialect in self._loaded:
            return
        self._loaded.add(dialect)
        if place := _CLASSES.get(dialect):
            functions = resolve_name(f"xdsl_bufferization.semantics.dialects.{place}")
            self.register_implementations(functions(), override=False)
        for entry_point in _offered(dialect):
            self.register_implementations(entry_point.load()(), override=True)

    def register_implementations(
        self, impls: InterpreterFunctions, /, override: bool = True
    ) -> None:
        """
        Use the semantics in `impls`; if `override`, instead of those known so far.
        """
        meanings: dict[type[Operation] | str, Any] = {}
        for op_type, implementation in type(impls)._impls():  # pyright: ignore[reportPrivateUsage] # there is no public way
            bound = partial(implementation, impls, self)
            meanings[op_type] = meanings[op_type.name] = bound
        if isinstance(impls, Functions):
            for name, function in impls.scalar.items():
                meanings[name] = _Scalar(function)
            for name, function in impls.pure.items():
                meanings[name] = _OfOperands(function)
            for attribute, names in _named_methods(type(impls)):
                method = getattr(impls, attribute)
                meaning = (
                    _OfOperands(method)
                    if isinstance(impls, DialectFunctions)
                    else partial(method, self)
                )
                meanings.update(dict.fromkeys(names, meaning))
        if isinstance(impls, DialectFunctions):
            impls.interpreter = self
            meanings.update(dict.fromkeys(impls.terminators, _returned))
            meanings.update(dict.fromkeys(impls.without_effects, _nothing))
        if override:
            self._meanings.update(meanings)
        else:
            self._meanings = meanings | self._meanings


@cache
def _named_methods(functions: type[Functions]) -> Sequence[tuple[str, Sequence[str]]]:
    """The methods marked by `impl_named`, each with the names of its ops."""
    return [
        (attribute, names)
        for attribute in dir(functions)
        if (names := getattr(getattr(functions, attribute), _NAMES, ()))
    ]


@cache
def _offered(dialect: str) -> Sequence[EntryPoint]:
    """The entry points of other packages for the dialect; slow to find, hence cached."""
    return tuple(entry_points(group=ENTRY_POINT_GROUP, name=dialect))


def _missing(error: MissingSemanticsError) -> _Meaning:
    """The meaning of an op without semantics."""

    def meaning(op: Operation, inputs: PythonValues) -> Any:
        raise error

    return meaning


def _elementwise(meaning: _Meaning) -> _Meaning:
    """The meaning of an op on tensors, which have to be of one shape."""

    def checked(op: Operation, inputs: PythonValues) -> Any:
        typed = zip(inputs, op.operand_types, strict=True)
        shapes = {value.shape for value, type in typed if is_tensor_type(type)}
        if len(shapes) > 1:
            raise UndefinedBehaviorError(f"operands of shapes {sorted(shapes)}")
        return meaning(op, inputs)

    return checked


def _of_arrays(meaning: _Meaning) -> _Meaning:
    """
    The meaning of an op with tensors or vectors of rank 0 among its results: NumPy's
    functions give numbers in their place.
    """

    def with_arrays(op: Operation, inputs: PythonValues) -> PythonValues:
        result = meaning(op, inputs)
        values = result.values if isinstance(result, OpImplResult) else result
        return tuple(
            np.asarray(value) if _is_array(type) else value
            for value, type in zip(values, op.result_types, strict=True)
        )

    return with_arrays


def _is_array(type: Attribute) -> bool:
    """Whether the values of the type are arrays which may have no dimensions."""
    if isinstance(type, TensorType | VectorType):
        return not type.get_num_dims()
    return isinstance(type, UnrankedTensorType)


@dataclass(frozen=True)
class _OfOperands:
    """The meaning of an op by an `OpFunction`."""

    function: OpFunction

    def __call__(self, op: Operation, inputs: PythonValues) -> Any:
        result = self.function(op, *inputs)
        if isinstance(result, tuple):
            # Also what a terminator returns.
            return cast("PythonValues", result)
        return () if result is None else (result,)


class _Scalar(_OfOperands):
    """A pure function that also works if arrays stand for its scalars."""
