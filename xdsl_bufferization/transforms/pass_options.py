"""Pass options as mlir-opt takes them, and errors that say what was not understood."""

from __future__ import annotations

import dataclasses
from typing import Self

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from xdsl_bufferization.diagnostics import BufferizationError


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
        known = {field.name.replace("_", "-") for field in dataclasses.fields(cls)}
        for name in parameters:
            if name.replace("_", "-") not in known:
                raise BufferizationError(
                    None,
                    f"{cls.name} has no option '{name}'; its options are "
                    + ", ".join(sorted(known)),
                )
        try:
            return super().from_spec(ArgSpec(spec.name, parameters))
        except ValueError as error:
            raise BufferizationError(None, f"{cls.name}: {error}") from None


def _flag(value: ParameterListType) -> ParameterListType:
    if value == ():
        return (True,)
    if value in ((0,), (1,)):
        return (bool(value[0]),)
    return value
