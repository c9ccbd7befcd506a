"""
How an op of any dialect answers the questions of an interface.

An interface is an xDSL trait with methods that take the op. An op class may carry the
interface itself, in its `traits`. For someone else's op, or one that no dialect defines,
an *external model* is registered: for the op's class, for its name, or for all ops of a
dialect (`"linalg.*"`). Of several, the most specific one answers, in that order.

A package, this one too, offers its models in the entry-point group
`xdsl_bufferization.models`. The name of an entry is that of the dialect, its value a
function without parameters that calls `register_model`. The function is called when an op
of the dialect is first asked about, so that models are imported only if they are needed.

Source: MLIR's op interfaces and their external models,
https://mlir.llvm.org/docs/Interfaces/#external-models-for-attribute-operation-and-type-interfaces

Mistakes in what models answer, told by the names of the model and of its method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from inspect import Signature, getattr_static, getdoc, isfunction, signature
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar

from xdsl.dialects.builtin import ShapedType, UnregisteredOp
from xdsl.ir import Dialect, Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import (
    MEANT,
    explain_with,
    is_of_other_package,
    mistake,
    raised,
    verify_op_itself,
)
from xdsl_bufferization.support.names import op_name, similar_to
from xdsl_bufferization.support.regions import exits, walk_all
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor

ENTRY_POINT_GROUP = "xdsl_bufferization.models"

_THIS_PACKAGE = __name__.split(".")[0]


AnswerT = TypeVar("AnswerT")


class OpInterface(OpTrait):
    """
    Base of the interfaces: `Interface.of(op)` is the model that answers for the op, or
    `None`.

    Each direct subclass is an interface, with models of its own. A further subclass is a
    model, or the base of models.
    """

    _models: ClassVar[dict[type[Operation] | str, OpInterface]]
    """External models, by the op or dialect that they are registered for."""
    _answers: ClassVar[dict[type[Operation] | str, OpInterface | None]]
    """Results of `of`, by class, or by name of an op that no dialect defines."""
    questions: ClassVar[Questions] = MappingProxyType({})
    """By method: the answers about any valid op that may be right."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if OpInterface in cls.__bases__:
            cls._models = {}
            cls._answers = {}

    def fits(self, op: Operation) -> bool:
        """Whether a model that is registered for a whole dialect answers for this op."""
        return True

    def verify_answers(self, op: Operation) -> None:
        """
        Ask what may be asked about the op, which is valid.

        Raises `BufferizationError` at the first answer that cannot be right.
        """
        subjects = {
            "operand": [
                index
                for index, value in enumerate(op.operands)
                if is_tensor(value) or is_memref_type(value.type)
            ],
            "result": [r for r in op.results if isinstance(r.type, ShapedType)],
            "region": range(len(op.regions)),
            "source": (op, *exits(op)),
            "successor": range(len(op.successors)),
        }
        for interface in type(self).__mro__:
            if issubclass(interface, OpInterface) and "questions" in vars(interface):
                ask_all(self, interface, interface.questions, op, subjects)

    @classmethod
    def of(cls, op: Operation) -> Self | None:
        """
        The model that answers for `op`; `None` if the op does not have this interface.
        """
        key: type[Operation] | str = type(op)
        try:
            return cls._answers[key]  # pyright: ignore[reportReturnType] # set below
        except KeyError:
            pass
        if isinstance(op, UnregisteredOp):
            key = op.op_name.data
            if key in cls._answers:
                return cls._answers[key]  # pyright: ignore[reportReturnType]
        answer = cls._find(op, op_name(op))
        cls._answers[key] = answer
        return answer

    @classmethod
    def expect(cls, op: Operation) -> Self:
        """The model that answers for `op`, which is known to have this interface."""
        model = cls.of(op)
        assert model is not None
        return model

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The external model registered for ops of that name, if there is one."""
        load_models(Dialect.split_name(name)[0])
        model = cls._models.get(name)
        return model if isinstance(model, cls) else None

    @classmethod
    def named_like(cls, op: Operation) -> str | None:
        """A name very similar to the op's, of its dialect, that a model is registered for."""
        # Only wrong input needs it.
        from difflib import get_close_matches

        dialect, _, name = op_name(op).partition(".")
        names = [n.partition(".") for n in cls._models if isinstance(n, str)]
        names = {
            last: dialect + dot + last for first, dot, last in names if first == dialect
        }
        return next(map(names.get, get_close_matches(name, names, 1, cutoff=0.8)), None)

    @classmethod
    def add_model(cls, op: type[Operation] | str, model: OpInterface) -> None:
        """Register the model for this one interface; see `register_model`."""
        cls._models[op] = model
        cls._answers.clear()

    @classmethod
    def _find(cls, op: Operation, name: str) -> Self | None:
        if isinstance(own := op.get_trait(cls), cls):
            _verify_model(f"'{name}'", own)
            return own
        for trait in type(op).traits:
            if isinstance(trait, type) and issubclass(trait, cls):
                raise _class_for_model(f"'{name}'", trait)
        dialect = Dialect.split_name(name)[0] if "." in name else name
        load_models(dialect)
        for key in (*type(op).__mro__, name, f"{dialect}.*"):
            model = cls._models.get(key)
            if isinstance(model, cls) and model.fits(op):
                return model
        return None


def answering(answer: AnswerT) -> Callable[..., AnswerT]:
    """A method that gives the answer, whatever it is asked: `inits = answering((1,))`."""

    def method(self: object, *_: Any, **__: Any) -> AnswerT:
        return answer

    return method


always = answering(True)
never = answering(False)


def register_model(op: type[Operation] | str, model: OpInterface) -> None:
    """
    Make `model` answer for ops that do not carry the interface themselves.

    `op` is the class of the ops, their name (`"tensor.insert"`), or all ops of a dialect
    (`"linalg.*"`). A model of several interfaces answers for each. A later registration
    replaces an earlier one for the same `op`, so that a package may correct a model.
    """
    _verify_key(op)
    _verify_model(f"'{op if isinstance(op, str) else op.name}'", model)
    for interface in type(model).__mro__:
        if issubclass(interface, OpInterface) and OpInterface in interface.__bases__:
            interface.add_model(op, model)


def _verify_key(op: object) -> None:
    """Raise `BufferizationError` if this says no ops."""
    is_class = isinstance(op, type) and issubclass(op, Operation)
    if not is_class and not (isinstance(op, str) and op):
        given = f"'{op_name(op)}'" if isinstance(op, Operation) else f"{op!r}"
        raise BufferizationError(
            None,
            f"a model is registered for {given}, but is to be registered for a class of ops, "
            "the name of an op, as 'tensor.insert', or all ops of a dialect, as 'linalg.*'",
        )


def _verify_model(op: str, model: object) -> None:
    """Raise `BufferizationError` if the object cannot be a model of the ops."""
    if isinstance(model, type):
        raise _class_for_model(op, model)
    kind = type(model)
    if not isinstance(model, OpInterface):
        raise BufferizationError(
            None,
            f"{model!r} is registered for {op}, but is no model: a model is an object of a "
            "class that is derived from BufferizableOpInterface or another interface",
        )
    for method, meaning in _missing(kind):
        raise BufferizationError(
            None,
            f"{kind.__name__}, the model of {op}, does not define the method {method}: "
            + meaning,
        )
    for method, parameters in _uncallable(kind):
        raise BufferizationError(
            None,
            f"{kind.__name__}, the model of {op}, has a method {method} that cannot be called "
            f"with ({parameters})",
        )


def _class_for_model(op: str, kind: type) -> BufferizationError:
    return BufferizationError(
        None,
        f"{kind.__name__}, given as the model of {op}, is a class: a model is an object, "
        f"{kind.__name__}()",
    )


@cache
def _missing(kind: type) -> Sequence[tuple[str, str]]:
    """The abstract methods that the class does not define, with what they return."""
    return [
        (name, (getdoc(method) or "").split("\n\n")[0].replace("\n", " "))
        for name in dir(kind)
        if getattr(method := getattr(kind, name, None), "__isabstractmethod__", False)
    ]


@cache
def _uncallable(kind: type) -> Sequence[tuple[str, str]]:
    """The methods that do not take what they are called with, with what that is."""
    if not is_of_other_package(kind):
        return ()
    return [
        (name, ", ".join([*expected.parameters][1:]))
        for interface in OpInterface.__subclasses__()
        for name, question in vars(interface).items()
        if issubclass(kind, interface) and isfunction(question)
        if not name.startswith("_")
        if not _takes(getattr_static(kind, name), expected := signature(question))
    ]


def _takes(method: object, expected: Signature) -> bool:
    """Whether the method can be called with the parameters, by their positions."""
    if not isfunction(method):
        return callable(method)  # Such as a static method.
    try:
        signature(method).bind(*expected.parameters)
    except TypeError:
        return False
    return True


_loaded: set[str] = set()


@cache
def _entry_points() -> EntryPoints:
    return entry_points(group=ENTRY_POINT_GROUP)


def dialects_with_models() -> AbstractSet[str]:
    """The dialects that packages offer models for."""
    return _entry_points().names


def entry_point_like(op: Operation) -> str:
    """
    The entry point of another package that is named much like the op's dialect, which has
    none; empty if there is none.
    """
    dialect = op_name(op).partition(".")[0]
    others = {
        entry_point.name
        for entry_point in _entry_points()
        if entry_point.module.split(".")[0] != _THIS_PACKAGE
    }
    return "" if dialect in dialects_with_models() else similar_to(dialect, others)


def load_models(dialect: str) -> None:
    """Call the entry points that register models for the dialect's ops, once."""
    if dialect in _loaded:
        return
    _loaded.add(dialect)
    # This package registers first, so that other packages can replace its models.
    for entry_point in sorted(
        _entry_points().select(name=dialect),
        key=lambda entry_point: entry_point.module.split(".")[0] != _THIS_PACKAGE,
    ):
        try:
            entry_point.load()()
        except BufferizationError:
            # The next question about the dialect raises it again.
            _loaded.discard(dialect)
            raise
        except Exception as error:
            # It is the code of other packages.
            _loaded.discard(dialect)
            raise BufferizationError(
                None,
                f"the models for ops of the dialect {dialect} cannot be loaded from "
                f"{entry_point.value}, which is an entry point in {ENTRY_POINT_GROUP}: "
                f"{type(error).__name__}: {error}",
            ) from error


@explain_with
def _wrong_answer(program: Operation) -> BufferizationError | None:
    """The first answer of another package's model about the program that cannot be right."""
    for op in walk_all([program]):
        for interface in OpInterface.__subclasses__():
            model = interface.of(op)
            if model is not None and is_of_other_package(type(model)):
                try:
                    model.verify_answers(op)
                except BufferizationError as error:
                    return error
    return None


T = TypeVar("T")


class Expected(NamedTuple, Generic[T]):
    """The value that a method has to return."""

    words: str
    holds: Callable[[object], bool]

    def or_none(self) -> Expected[T | None]:
        """The same, or `None`."""

        def holds(value: object) -> bool:
            return value is None or self.holds(value)

        return Expected(f"{self.words} or None", holds)


def instance_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected[T]:
    """An instance of the class that `is_right` is true of."""

    def holds(value: object) -> bool:
        return isinstance(value, kind) and is_right(value)

    return Expected(words, holds)


def sequence_of(
    kind: type[T], words: str, is_right: Callable[[T], bool] = lambda _: True
) -> Expected[Sequence[T]]:
    """A sequence of instances of the class that `is_right` is true of."""
    each = instance_of(kind, words, is_right)

    def holds(value: object) -> bool:
        return isinstance(value, Sequence) and all(map(each.holds, value))

    return Expected(f"a sequence of {words}", holds)


BOOL = instance_of(bool, "True or False")


Question: TypeAlias = Expected[Any] | Callable[..., Expected[Any]]
"""The expected answer, which may depend on the op and on the arguments after it."""

Questions: TypeAlias = Mapping[str, Question]
"""The expected answers by method."""


def operand_index(op: Operation) -> Expected[int]:
    """The index of an operand of the op."""
    return instance_of(
        int,
        f"the index of an operand, {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def operand_indices(op: Operation, *_: object) -> Expected[Sequence[int]]:
    """Indices of operands of the op."""
    return sequence_of(
        int,
        f"indices of operands, each {_indices(op)}",
        lambda index: 0 <= index < len(op.operands),
    )


def ask(
    model: object, method: str, expected: Expected[T], op: Operation, *arguments: object
) -> T:
    """
    The answer of the model's method about the op.

    Raises `BufferizationError` if the method raises anything else than an error of a pass, or
    the answer cannot be right.
    """
    try:
        answer = getattr(model, method)(op, *arguments)
    except MEANT:
        raise
    except Exception as error:
        # Of an invalid op, no model can say what it does.
        verify_op_itself(op)
        raise raised(model, method, op, error) from error
    if not expected.holds(answer):
        raise mistake(
            op,
            f"{type(model).__name__}.{method} returns {answer!r}, but is to return "
            + expected.words,
        )
    return answer


def answers(**questions: Question) -> Questions:
    """The expected answers by the names of the methods."""
    return questions


def ask_all(
    model: OpInterface,
    interface: type[OpInterface],
    questions: Questions,
    op: Operation,
    subjects: Mapping[str, Iterable[object]],
) -> None:
    """
    Ask the model the questions about the op, with the arguments that the methods of the interface
    name: about each `operand`, `result`, ... in turn.
    """
    for method, expected in questions.items():
        names = _parameters(getattr(interface, method))[2:]
        for arguments in product(*map(subjects.__getitem__, names)):
            if not isinstance(expected, Expected):
                ask(model, method, expected(op, *arguments), op, *arguments)
            else:
                ask(model, method, expected, op, *arguments)


@cache
def _parameters(method: Callable[..., object]) -> Sequence[str]:
    return [*signature(method).parameters]


def _indices(op: Operation) -> str:
    last = len(op.operands) - 1
    return f"from 0 to {last}" if last >= 0 else "but there are none"
