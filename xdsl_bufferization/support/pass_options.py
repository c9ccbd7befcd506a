"""Pass options as mlir-opt takes them, and errors that say what was not understood."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar, Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.former_options import (
    Former,
    Gone,
    Renamed,
    todays_options,
)

_VALUES = {
    "bool": "true or false",
    "int": "an integer",
    "str": "a name",
    "tuple[str, ...]": "names, separated by commas",
}
"""What options of each type take, for error messages."""


class BufferizationPass(ModulePass):
    """
    A pass whose flags need no value (`{allow-unknown-ops}`), or one of `true`, `false`,
    `1`, `0`. An option that does not exist, or a value of the wrong type, is an error.

    Options of earlier releases of MLIR that the pass names are taken as what they are
    today.
    """

    former_options: ClassVar[Mapping[str, Former]] = {}

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        options = {f.name.replace("_", "-"): f for f in dataclasses.fields(cls)}
        types = {name: _type_name(field.type) for name, field in options.items()}
        parameters: dict[str, ParameterListType] = {}
        for name, value in spec.parameters.items():
            for option, meaning in cls._todays(name, value, types).items():
                if option in parameters:
                    raise BufferizationError(
                        None,
                        f"{cls.name}: '{name}' sets {option}, which is set already",
                    )
                _check_type(cls.name, option, meaning, types[option])
                parameters[option] = meaning
        return super().from_spec(ArgSpec(spec.name, parameters))

    @classmethod
    def _todays(
        cls, name: str, value: ParameterListType, types: Mapping[str, str]
    ) -> Mapping[str, ParameterListType]:
        """The option, or those that it is today, if it is one of an earlier release."""
        option = name.replace("_", "-")
        if option in types:
            return {option: _flag(value) if types[option] == "bool" else value}
        former = cls.former_options.get(option)
        if former is None:
            raise BufferizationError(
                None,
                f"{cls.name} has no option '{name}'; "
                + (
                    f"its options are {', '.join(sorted(types))}"
                    if types
                    else "it has none"
                ),
            )
        if isinstance(former, Renamed):
            return cls._todays(former.name, value, types)
        value = _flag(value)
        _check_type(cls.name, option, value, "bool")
        today = todays_options(former, bool(value[0]))
        if isinstance(today, Gone):
            raise BufferizationError(
                None, f"{cls.name} has no option '{name}' any more", hint=today.instead
            )
        return today


def _type_name(type: object) -> str:
    """The name of an option's type, which may be given by name itself."""
    return str(type) if "[" in str(type) else str(getattr(type, "__name__", type))


def _check_type(
    pass_name: str, option: str, value: ParameterListType, type_name: str
) -> None:
    given = [type(v).__name__ for v in value]
    is_list = type_name == "tuple[str, ...]"
    wanted = ["str"] * max(1, len(given)) if is_list else [type_name]
    if given != wanted:
        raise BufferizationError(
            None,
            f"{pass_name}: '{','.join(map(str, value))}' is not a value of "
            f"{option}; it takes {_VALUES[type_name]}",
        )


def _flag(value: ParameterListType) -> ParameterListType:
    if value == ():
        return (True,)
    if value in ((0,), (1,)):
        return (bool(value[0]),)
    return value
