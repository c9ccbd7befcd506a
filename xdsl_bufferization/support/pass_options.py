"""Pass options as mlir-opt takes them, and errors that say what was not understood."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from xdsl_bufferization.support.all_or_nothing import all_or_nothing
from xdsl_bufferization.support.collection import reduced_gc
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.former_options import (
    Former,
    Gone,
    Renamed,
)
from xdsl_bufferization.support.names import did_you_mean
from xdsl_bufferization.support.options import Flag, Number

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PassT = TypeVar("PassT", bound=ModulePass)
OptionsT = TypeVar("OptionsT", bound="DataclassInstance")

_TAKES = {
    bool: "true or false",
    int: "an integer",
    str: "a name",
    tuple: "names, separated by commas",
}
"""The values that options of each type take, in words."""


class BufferizationPass(ModulePass):
    """
    A pass whose flags need no value (`{allow-unknown-ops}`), or one of `true`, `false`,
    `1`, `0`. An option that does not exist, or a value that it does not take, is an error.

    Options are fields of the types `bool`, `int`, `str`, `tuple[str, ...]`, of a `StrEnum`,
    of a `Literal` of some members of one, `Annotated[int, Number(...)]`, or
    `Annotated[AStrEnum, Flag(...)]`, which is a flag, too.

    `former_options` are options of earlier releases of MLIR, which are translated to today's.

    `apply` raises `TypeError` for what is no context or module, and `BufferizationError` if it
    fails because of a mistake in a model, or because the module is not valid IR.
    """

    former_options: ClassVar[Mapping[str, Former]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "apply" in vars(cls):
            setattr(cls, "apply", _explained(cls.apply))  # noqa: B010 # pyright's wish

    def __post_init__(self) -> None:
        for field, value in checked_values(self, self.name).items():
            object.__setattr__(self, field, value)  # It is frozen otherwise.

    def options_as(self, kind: type[OptionsT]) -> OptionsT:
        """A `kind` with the values of the fields that both this pass and it have."""
        mine = {field.name for field in dataclasses.fields(self)}
        return kind(
            **{
                field.name: getattr(self, field.name)
                for field in dataclasses.fields(kind)
                if field.name in mine
            }
        )

    @classmethod
    def further_help(cls) -> str:
        """Text that the option `help` prints after the docstring, such as stages of the pass."""
        return ""

    @classmethod
    def invalid(cls, message: str) -> BufferizationError:
        """An error about the options of the pass."""
        return BufferizationError(None, f"{cls.name}: {message}")

    @classmethod
    def unknown(
        cls, option: str, what: str, name: str, names: Iterable[str]
    ) -> BufferizationError:
        """An error about a name that the option is given, where there are only `names`."""
        suggestion = did_you_mean(name, names)
        return cls.invalid(
            f"{option}: there is no {what}" + (f"; {suggestion}" if suggestion else "")
        )

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        types = {_option(field): type for field, type in option_types(cls).items()}
        values: dict[str, Any] = {}
        for name, given in spec.parameters.items():
            for option, value in cls._by_current_name(name, given, types).items():
                field = option.replace("-", "_")
                if field in values:
                    raise cls.invalid(f"'{name}' sets {option}, which is set already")
                cls._check_type(option, value, types[option].python)
                values[field] = value if types[option].python is tuple else value[0]
        return cls(**values)

    @classmethod
    def _by_current_name(
        cls, name: str, value: ParameterListType, types: Mapping[str, OptionType]
    ) -> Mapping[str, ParameterListType]:
        """The option; or those that stand for it today, if it is one of an earlier release."""
        option = _option(name)
        if option in types:
            return {option: types[option].given(value)}
        former = cls.former_options.get(option)
        if former is None:
            known = f"its options are {', '.join(sorted(types))}"
            raise BufferizationError(
                None,
                f"{cls.name} has no option '{name}'; "
                + (did_you_mean(option, types) or (known if types else "it has none")),
            )
        if isinstance(former, Renamed):
            return cls._by_current_name(former.name, value, types)
        value = _flag(value)
        cls._check_type(option, value, bool)
        today = former[bool(value[0])]
        if isinstance(today, Gone):
            raise BufferizationError(
                None, f"{cls.name} has no option '{name}' any more", hint=today.instead
            )
        return {name: (value,) for name, value in today.items()}

    @classmethod
    def _check_type(cls, option: str, value: ParameterListType, wanted: type) -> None:
        given = [type(v) for v in value]
        if given != ([str] * max(1, len(given)) if wanted is tuple else [wanted]):
            raise cls.invalid(
                f"'{','.join(map(str, value))}' is not a value of {option}; it takes "
                + _TAKES[wanted]
            )


def _explained(
    apply: Callable[[PassT, Context, ModuleOp], None],
) -> Callable[[PassT, Context, ModuleOp], None]:
    """The method of a pass, all or nothing, with explanations of what it raises."""

    @wraps(apply)
    def apply_explained(self: PassT, ctx: Context, op: ModuleOp) -> None:
        checked(self.name, ctx, Context)
        with reduced_gc(), explained(self.name, checked(self.name, op, ModuleOp)):
            all_or_nothing(op, lambda before: apply(self, ctx, op))

    return apply_explained


class OptionType(NamedTuple):
    """The values that an option takes."""

    python: type
    """`bool`, `int`, `str`, which choices are, too, or `tuple`, of `str`."""
    choices: tuple[str, ...] = ()
    """The only values, if there are any here."""
    number: Number | None = None
    """Which numbers are taken, if not all."""
    flag: str = ""
    """The choice that the option without a value stands for, if there is one."""

    def given(self, value: ParameterListType) -> ParameterListType:
        """The value that the option gets, for a flag that which the flag stands for."""
        if self.python is bool:
            return _flag(value)
        return (self.flag,) if self.flag and value in ((), (True,)) else value

    @property
    def takes(self) -> str:
        """Its values in words, as Markdown."""
        if self.choices:
            *most, last = [f"`{choice}`" for choice in self.choices]
            return f"{', '.join(most)} or {last}" if most else last
        return _TAKES[self.python]

    def problem(self, value: object) -> str:
        """The error in the value, in words; empty if there is none."""
        if self.choices:
            known = value in self.choices
            return "" if known else f"its values are {', '.join(self.choices)}"
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not (
            is_number
            if self.python is int
            else isinstance(value, self.python)
            and (not isinstance(value, tuple) or _are_names(cast(Any, value)))
        ):
            return f"it takes {_TAKES[self.python]}"
        if self.number is not None and not self.number.holds(cast(int, value)):
            return f"it is {self.number.meaning}"
        return ""


def _are_names(values: tuple[object, ...]) -> bool:
    return all(isinstance(value, str) for value in values)


def checked_values(options: DataclassInstance, name: str) -> Mapping[str, object]:
    """
    The options that are one of several choices, by field: text of the same value as a choice
    becomes that.

    Raises `BufferizationError`, in the name of a pass or a class, for a value that its option
    does not take.
    """
    choices: dict[str, object] = {}
    for field, type in option_types(options.__class__).items():
        value = getattr(options, field)
        if problem := type.problem(value):
            raise BufferizationError(
                None,
                f"{name}: '{value}' is not a value of {_option(field)}; {problem}",
            )
        if type.choices:
            choices[field] = type.choices[type.choices.index(value)]
    return choices


@cache
def option_types(options: type) -> Mapping[str, OptionType]:
    """By name of a field of a dataclass of options: the values that it takes."""
    hints = get_type_hints(options, include_extras=True)
    return {
        field.name: _option_type(hints[field.name])
        for field in dataclasses.fields(options)
    }


def _option_type(hint: Any) -> OptionType:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return OptionType(str, arguments)
    if origin is Annotated:
        python, note = arguments
        if isinstance(note, Flag):
            return _option_type(python)._replace(flag=note.choice.value)
        return OptionType(python, number=note)
    if origin is tuple:
        return OptionType(tuple)
    return OptionType(str, tuple(hint)) if hint not in _TAKES else OptionType(hint)


def _option(field: str) -> str:
    """The name of an option as mlir-opt writes it."""
    return field.replace("_", "-")


def _flag(value: ParameterListType) -> ParameterListType:
    if value == ():
        return (True,)
    if value in ((0,), (1,)):
        return (bool(value[0]),)
    return value
