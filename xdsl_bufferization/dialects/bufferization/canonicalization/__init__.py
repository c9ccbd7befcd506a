"""
The traits through which xDSL finds the dialect's canonicalization patterns and folders.

They import the patterns on first use: most programs are not canonicalized.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import HasCanonicalizationPatternsTrait, HasFolder

from xdsl_bufferization.dialects.shared.redefinition import canonicalization


def patterns_in(module: str, name: str) -> HasCanonicalizationPatternsTrait:
    """The trait with the patterns of that name in a module of this folder."""
    return canonicalization(
        lambda: getattr(import_module(f"{__name__}.{module}"), name)
    )


class ConversionFolder(HasFolder):
    """`to_buffer` of `to_tensor`, and the reverse."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        from xdsl_bufferization.dialects.bufferization.canonicalization import (
            conversions,
        )

        return conversions.fold(op)
