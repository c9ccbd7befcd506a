"""
The custom form of ops on elements and slices of tensors, for releases of xDSL without it: they
read no custom form of slices, and no attributes in the custom form of ops on elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.utils import DynamicIndexList
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    IRDLOperation,
    VarConstraint,
)
from xdsl.irdl.declarative_assembly_format import CustomDirective

from xdsl_bufferization.dialects.shared.redefinition import refined, with_custom_form
from xdsl_bufferization.support.xdsl_releases import has_assembly_format

_OpT = TypeVar("_OpT", bound=type[IRDLOperation])
_ELEMENT = VarConstraint("ELEMENT", AnyAttr())
_TENSOR = VarConstraint("TENSOR", TensorType.constr(_ELEMENT))
_LISTS = "".join(
    f"custom<DynamicIndexList>(${name}, $static_{name})"
    for name in ("offsets", "sizes", "strides")
)


def with_later_format(
    assembly_format: str,
    *,
    types: Mapping[str, AttrConstraint] = MappingProxyType({}),
    **directives: type[CustomDirective],
) -> Callable[[_OpT], _OpT]:
    """
    Decorator of an op that has this format in later releases, with operands and the result of
    types from which others can be inferred.
    """

    def decorate(op: _OpT) -> _OpT:
        if has_assembly_format(op):
            return op
        return with_custom_form(assembly_format, **directives)(refined(types)(op))

    return decorate


extract_syntax = with_later_format(
    "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
    types={"tensor": _TENSOR, "result": _ELEMENT},
)
insert_syntax = with_later_format(
    "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
    types={"scalar": _ELEMENT, "dest": _TENSOR, "result": _TENSOR},
)
extract_slice_syntax = with_later_format(
    f"$source ``{_LISTS}attr-dict `:` type($source) `to` type($result)",
    DynamicIndexList=DynamicIndexList,
)
insert_slice_syntax = with_later_format(
    f"$source `into` $dest ``{_LISTS}attr-dict `:` type($source) `into` type($dest)",
    types={"dest": _TENSOR, "result": _TENSOR},
    DynamicIndexList=DynamicIndexList,
)
