"""
Definitions: where the contents of each tensor come from.

    %a = tensor.empty()                   // undefined contents: no definition
    %b = linalg.fill ins(%f) outs(%a)     // %b
    %c = tensor.extract_slice %b ...      // %b: forwarded
    %d = tensor.insert %x into %c[%i]     // %d

They are found in post-order, in which those of all sources of a tensor are known before its
own, in time linear in the sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import OpResult, SSAValue

from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.records import (
    OpInfo,
    ValueInfo,
    earliest_per_block,
)
from xdsl_bufferization.support.shaped_types import is_tensor


def find_definitions(part: Components, values: Mapping[SSAValue, ValueInfo]) -> None:
    """Record the definitions of the tensors of the components that are results of ops."""
    for info in part.post_order:
        for result in info.op.results:
            value = values.get(result)
            if value is not None and is_tensor(result) and value in part:
                value.definitions = _definitions(info, result, value)


def _definitions(
    info: OpInfo, result: OpResult, value: ValueInfo
) -> Sequence[ValueInfo]:
    defines = True
    if info.model is not None:
        answer = info.model.defines_contents(info.op, result)
        defines = (
            not value.sources or any(operand.writes for operand, _ in value.sources)
            if answer is None
            else answer
        )
    if defines:
        return (value,)
    if len(value.sources) == 1:
        inherited = value.sources[0][0].value.definitions
    else:
        inherited = earliest_per_block(
            definition
            for operand, _ in value.sources
            for definition in operand.value.definitions
        )
    if info.op.regions and any(
        info.enter < definition.start <= info.exit for definition in inherited
    ):
        return (value,)
    return inherited
