"""Which functions of a program are checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from xdsl_bufferization.semantics.checking.boundary import argument_types
from xdsl_bufferization.semantics.checking.externals import name_of
from xdsl_bufferization.semantics.checking.inputs import can_be_drawn
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.names import printed_symbol


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
    for name in wanted:
        if name not in functions or not functions[name].regions[0].blocks:
            raise NothingToCheckError(
                f"there is no function {printed_symbol(name)} with a body"
            )
        for type in argument_types(functions[name]):
            if not can_be_drawn(type):
                raise NothingToCheckError(
                    f"there are no inputs for {printed_symbol(name)}, which takes {type}"
                )
    if wanted:
        return wanted
    drawable = {
        name: function
        for name, function in functions.items()
        if function.regions[0].blocks
        and all(map(can_be_drawn, argument_types(function)))
    }
    public = [name for name, f in drawable.items() if not _is_private(f)]
    names = public or list(drawable)
    if not names:
        raise NothingToCheckError(
            "there is no function with a body that inputs exist for"
        )
    return names


def left_out(module: ModuleOp) -> Sequence[str]:
    """The names of the functions with a body that are in modules within the module."""
    return [
        "::".join(reversed([name_of(op), *_modules_around(op)]))
        for op in functions_in(module)
        if op.parent_op() is not module and op.regions[0].blocks
    ]


def _modules_around(op: Operation) -> Iterator[str]:
    """The names of the modules around the op, the innermost first."""
    while (op_around := op.parent_op()) is not None:
        op = op_around
        name = attribute(op, "sym_name")
        if isinstance(name, StringAttr):
            yield name.data


def _is_private(function: Operation) -> bool:
    visibility = attribute(function, "sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data != "public"
