"""Pass options as mlir-opt takes them, and errors that say what was not understood."""

from __future__ import annotations

import dataclasses
from typing import Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from xdsl_bufferization.diagnostics import BufferizationError

_VALUES = {"bool": "true or false", "int": "an integer", "str": "a name"}
"""What options of each type take, for error messages."""


class BufferizationPass(ModulePass):
    """
    A pass whose flags need no value (`{allow-unknown-ops}`), or one of `true`, `false`,
    `1`, `0`. An option that does not exist, or a value of the wrong type, is an error.
    """

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        flags = {f.name for f in dataclasses.fields(cls) if f.type in ("bool", bool)}
        parameters: dict[str, ParameterListType] = {
            name: _flag(value) if name.replace("-", "_") in flags else value
            for name, value in spec.parameters.items()
        }
        fields = {f.name.replace("_", "-"): f for f in dataclasses.fields(cls)}
        for name, value in parameters.items():
            option = name.replace("_", "-")
            if option not in fields:
                raise BufferizationError(
                    None,
                    f"{cls.name} has no option '{name}'; its options are "
                    + ", ".join(sorted(fields)),
                )
            kind = str(getattr(fields[option].type, "__name__", fields[option].type))
            if [type(v).__name__ for v in value] != [kind]:
                raise BufferizationError(
                    None,
                    f"{cls.name}: '{','.join(map(str, value))}' is not a value of "
                    f"{option}; it takes {_VALUES[kind]}",
                )
        return super().from_spec(ArgSpec(spec.name, parameters))


def _flag(value: ParameterListType) -> ParameterListType:
    if value == ():
        return (True,)
    if value in ((0,), (1,)):
        return (bool(value[0]),)
    return value
