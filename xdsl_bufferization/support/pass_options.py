"""
Pass options as mlir-opt takes them, and errors that say what was not understood.

Help on the options of passes and targets: the docstrings after the fields.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.names import did_you_mean
from xdsl_bufferization.support.options import (
    Flag,
    Former,
    Gone,
    Number,
    Renamed,
)
from xdsl_bufferization.support.snapshots import all_or_nothing

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

    def options_as(self, kind: type[OptionsT], **others: object) -> OptionsT:
        """A `kind` with the values of the fields that both this pass and it have, and others."""
        mine = {field.name for field in dataclasses.fields(self)}
        both = (f.name for f in dataclasses.fields(kind) if f.name in mine)
        return kind(**{name: getattr(self, name) for name in both}, **others)

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


@dataclass(frozen=True)
class Option:
    """An option of a pass or target."""

    name: str
    """As it is given to `xdsl-opt`."""
    takes: str
    """Its values, as Markdown."""
    default: str
    """The default value as it is given to `xdsl-opt`, or `none`."""
    meaning: str
    """Its documentation in one line; may be empty."""


def options(kind: type) -> Sequence[Option]:
    """The options of a pass or target, in the order of its fields."""
    types = option_types(kind)
    return [
        Option(
            name=field.name.replace("_", "-"),
            takes=types[field.name].takes,
            default=_written(field.default),
            meaning=_meaning(kind, field.name),
        )
        for field in dataclasses.fields(kind)
    ]


def help_text(kind: type) -> str:
    """The docstring of a pass or target, and what is said of each of its options."""
    lines = [f"{option.name}: {option.meaning}" for option in options(kind)]
    return "\n\n".join([inspect.getdoc(kind) or "", *lines])


def command_line_help(kind: type) -> str:
    """The help on a pass or target, and its options with the values they take, for a terminal."""
    lines = [f"{getattr(kind, 'name', kind.__name__)}:", ""]
    lines += [f"  {line}".rstrip() for line in (inspect.getdoc(kind) or "").split("\n")]
    if further := _further_help(kind):
        lines += ["", *(f"  {line}".rstrip() for line in further.split("\n"))]
        lines += ["", "  Options:"]
    for option in options(kind):
        takes = option.takes.replace("`", "")
        text = f"{option.meaning} ({takes}; default: {option.default})".replace("`", "")
        lines += ["", f"  {option.name}"]
        wrapped = textwrap.wrap(text, 88, break_on_hyphens=False)
        lines += [f"      {line}" for line in wrapped]
    return "\n".join(lines)


def _further_help(kind: type) -> str:
    return kind.further_help() if issubclass(kind, BufferizationPass) else ""


def _meaning(kind: type, field: str) -> str:
    """The docstring of the field in the class, or else in the next one that it is derived from."""
    for base in kind.__mro__:
        if field in inspect.get_annotations(base):
            for name, text in _documented_fields(base):
                if name == field:
                    return " ".join(text.split())
    return ""


def _documented_fields(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of the class with a docstring after them, and the docstrings."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(documentation))),
            ):
                yield name, documentation
            case _:
                pass


def _written(default: object) -> str:
    """The default as it would be given to `xdsl-opt`."""
    if default in ((), ""):
        return "none"
    return str(default).lower() if isinstance(default, bool) else str(default)
