"""
xDSL's `gpu` dialect, with the attributes and types that it lacks: memory spaces of memrefs, and
what loops are mapped to.

Source: https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.syntax import InAngleBrackets
from xdsl_bufferization.dialects.shared.text_attributes import text_attributes
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.releases import EnumAttribute


class AddressSpace(StrEnum):
    """The memory of all threads, of a workgroup, or of one thread."""

    GLOBAL = auto()
    WORKGROUP = auto()
    PRIVATE = auto()


class MappingId(StrEnum):
    """A dimension that a loop is mapped to."""

    X = auto()
    Y = auto()
    Z = auto()
    LINEAR_DIM_0 = auto()
    LINEAR_DIM_1 = auto()
    LINEAR_DIM_2 = auto()
    LINEAR_DIM_3 = auto()
    LINEAR_DIM_4 = auto()
    LINEAR_DIM_5 = auto()
    LINEAR_DIM_6 = auto()
    LINEAR_DIM_7 = auto()
    LINEAR_DIM_8 = auto()
    LINEAR_DIM_9 = auto()


@irdl_attr_definition
class AddressSpaceAttr(InAngleBrackets, EnumAttribute[AddressSpace]):
    """`#gpu.address_space<workgroup>`, the memory space of a memref."""

    name = "gpu.address_space"


@irdl_attr_definition
class MemorySpaceMappingAttr(InAngleBrackets, EnumAttribute[AddressSpace]):
    """`#gpu.memory_space<workgroup>`, a memory space that something is mapped to."""

    name = "gpu.memory_space"


@irdl_attr_definition
class ThreadMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.thread<x>`: each iteration is a thread."""

    name = "gpu.thread"


@irdl_attr_definition
class WarpMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.warp<x>`: each iteration is a warp."""

    name = "gpu.warp"


@irdl_attr_definition
class WarpgroupMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.warpgroup<x>`: each iteration is a group of warps."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class BlockMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.block<x>`: each iteration is a block."""

    name = "gpu.block"


@irdl_attr_definition
class LaneMappingAttr(InAngleBrackets, EnumAttribute[MappingId]):
    """`#gpu.lane<x>`: each iteration is a lane of a warp."""

    name = "gpu.lane"


@irdl_attr_definition
class MappingMaskAttr(ParametrizedAttribute):
    """`#gpu.mask<7>`: the processing units that take part, a bit for each of 64."""

    name = "gpu.mask"

    mask: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (IntAttr(parser.parse_integer() % 2**64),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_int(self.mask.data)


EXTENSION = Extension(
    attributes=[
        AddressSpaceAttr,
        BlockMappingAttr,
        LaneMappingAttr,
        MappingMaskAttr,
        MemorySpaceMappingAttr,
        ThreadMappingAttr,
        WarpMappingAttr,
        WarpgroupMappingAttr,
        *text_attributes("gpu"),
    ]
)
