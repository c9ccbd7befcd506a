"""
Where the contents of tensors come from: from arguments of the function, or from nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.verification.sources import Sources


def undefined_tensors(sources: Sources) -> set[SSAValue]:
    """The tensors whose contents are undefined, such as those of `tensor.empty`."""
    undefined: set[SSAValue] = set()

    def update(value: SSAValue) -> bool:
        if value in undefined:
            return False
        found_in = sources.of.get(value, ())
        if found_in:
            found = all(s.keeps_contents and s.value in undefined for s in found_in)
        else:
            found = _is_uninitialized(value, sources)
        if found:
            undefined.add(value)
        return found

    sources.until_stable(update)
    return undefined


def _is_uninitialized(value: SSAValue, sources: Sources) -> bool:
    if not isinstance(value, OpResult):
        return False
    model = sources.model_of(value.op)
    return (
        model is not None
        and model.allocates(value.op, value)
        and model.defines_contents(value.op, value) is False
    )


def arguments_in(sources: Sources) -> Mapping[SSAValue, frozenset[int]]:
    """For each tensor, the indices of the arguments whose contents it may have."""
    arguments: dict[SSAValue, frozenset[int]] = {}

    def update(value: SSAValue) -> bool:
        found_in = sources.of.get(value, ())
        if not found_in and isinstance(value, BlockArgument):
            found = frozenset((value.index,))
        else:
            found = frozenset[int]().union(
                *(
                    arguments.get(source.value, frozenset[int]())
                    for source in found_in
                    if source.keeps_contents
                )
            )
        if found == arguments.get(value, frozenset[int]()):
            return False
        arguments[value] = found
        return True

    sources.until_stable(update)
    return arguments
