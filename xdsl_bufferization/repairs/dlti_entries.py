"""Entries of `#dlti.dl_spec` written as `#dlti.dl_entry<"key", value>`."""

from __future__ import annotations

from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.dlti import DLTI, DataLayoutEntryAttr, DLTIEntryMap
from xdsl.ir import Attribute
from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import ParseError


def _parse_entry(parser: AttrParser) -> DataLayoutEntryAttr:
    key = parser.parse_attribute()
    if isinstance(key, DataLayoutEntryAttr):
        return key
    parser.parse_punctuation("=")
    return DataLayoutEntryAttr.new((key, parser.parse_attribute()))


def _parse_parameters(
    cls: type[DLTIEntryMap], parser: AttrParser
) -> tuple[ArrayAttr[Attribute]]:
    entries = parser.parse_comma_separated_list(
        parser.Delimiter.ANGLE, lambda: _parse_entry(parser)
    )
    return (ArrayAttr(entries),)


def is_broken() -> bool:
    context = Context()
    context.load_dialect(DLTI)
    try:
        Parser(context, '#dlti.dl_spec<#dlti.dl_entry<"k", 1>>').parse_attribute()
    except ParseError:
        return True
    return False


def mend() -> None:
    DLTIEntryMap.parse_parameters = cast(Any, classmethod(_parse_parameters))
