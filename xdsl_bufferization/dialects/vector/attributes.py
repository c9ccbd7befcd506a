"""Attributes of vector that xDSL lacks."""

from __future__ import annotations

from enum import auto

from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.syntax import InAngleBrackets
from xdsl_bufferization.support.xdsl_releases import EnumAttribute


class Punctuation(StrEnum):
    """Punctuation that `vector.print` prints at the end."""

    NO_PUNCTUATION = auto()
    NEWLINE = auto()
    COMMA = auto()
    OPEN = auto()
    CLOSE = auto()


class VectorIterator(StrEnum):
    """The loops of `vector.contract`."""

    PARALLEL = auto()
    REDUCTION = auto()


@irdl_attr_definition
class PunctuationAttr(InAngleBrackets, EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"


@irdl_attr_definition
class VectorIteratorAttr(InAngleBrackets, EnumAttribute[VectorIterator]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"
