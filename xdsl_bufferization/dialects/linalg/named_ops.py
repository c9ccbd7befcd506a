"""
The named structured ops of LLVM 22, with one definition for all, and the syntax of mlir-opt.

Each has inputs, inits and a body that its name implies, and some of the same few properties.
Those that xDSL defines are subclasses of xDSL's.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    ShapedType,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.linalg import Linalg as XdslLinalg
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    PropertyDef,
    irdl_op_definition,
    opt_prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.linalg.indexing import (
    ELEMENTWISE,
    LOOPS,
    maps_of,
)
from xdsl_bufferization.dialects.shared.redefinition import derive
from xdsl_bufferization.dialects.shared.syntax import (
    parse_operands,
    parse_result_types,
    print_attributes,
    print_operands,
    print_result_types,
    written_attributes,
)
from xdsl_bufferization.host.printing import (
    print_in_generic_form_if,
    print_with_defaults,
)
from xdsl_bufferization.host.releases import linalg_abstract_ops, linalg_ops


def default_indexing_maps(
    name: str, operand_types: Sequence[Attribute]
) -> ArrayAttr[AffineMapAttr] | None:
    """The indexing maps of an op without any in its text; `None` if it has to have some."""
    if name == "linalg.elementwise":
        shaped = operand_types[-1]
        rank = shaped.get_num_dims() if isinstance(shaped, ShapedType) else 0
        maps = [AffineMap.identity(rank)] * len(operand_types)
        return ArrayAttr(map(AffineMapAttr, maps))
    return _maps(name.removeprefix("linalg."))


@cache
def _maps(name: str) -> ArrayAttr[AffineMapAttr] | None:
    if name not in _WITH_MAPS or name not in LOOPS:
        return None
    return ArrayAttr(map(AffineMapAttr, maps_of(LOOPS[name])))


def print_named_op(op: Operation, printer: Printer) -> None:
    """Prints everything after the name of the op."""
    maps = op.properties.get("indexing_maps")
    if maps is not None and maps != default_indexing_maps(op.name, op.operand_types):
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(maps)
    print_attributes(printer, op)
    inputs = len(op.operands) - _number_of_outputs(op)
    print_operands(printer, "ins", op.operands[:inputs])
    print_operands(printer, "outs", op.operands[inputs:])
    print_result_types(printer, op.result_types)


def _number_of_outputs(op: Operation) -> int:
    return len(getattr(op, "outputs"))  # noqa: B009 # each of these ops has them


def loses_in_custom_form(op: Operation) -> bool:
    """
    Whether xDSL reads another op from the custom form of a named op: one with another body,
    or without attributes for which the form has no place.

    Those that the analysis writes for readers (`__inplace_operands_attr__`) do not count.
    """
    maps = op.properties.get("indexing_maps")
    if maps is not None and maps != default_indexing_maps(op.name, op.operand_types):
        return True
    if not _has_body_of_xdsl(op):
        return True
    in_front: bool = getattr(op, "PRINT_ATTRS_IN_FRONT", False)
    names = (name for name in written_attributes(op) if not name.startswith("__"))
    return not in_front and any(names)


def _has_body_of_xdsl(op: Operation) -> bool:
    """Whether the body is the one that xDSL makes for an op in custom form."""
    if not isinstance(op, linalg_abstract_ops.NamedOperation):
        return False
    inputs = len(op.operands) - _number_of_outputs(op)
    try:
        region = op.get_hidden_region(op.operands[:inputs], op.operands[inputs:])
    except (AssertionError, NotImplementedError, VerifyException):
        # There is none for elements of these types.
        return False
    return _compute_the_same(op.regions[0].block, region.block)


_COMMUTATIVE = "arith.addf", "arith.addi", "arith.maximumf", "arith.mulf", "arith.muli"


def _compute_the_same(block: Block, other: Block) -> bool:
    """Whether the blocks differ in the order of commutative operands at most."""
    ops, other_ops = [*block.ops], [*other.ops]
    if block.arg_types != other.arg_types or len(ops) != len(other_ops):
        return False
    values: dict[SSAValue, SSAValue] = {
        **dict(zip(block.args, other.args, strict=True))
    }
    for op, other_op in zip(ops, other_ops, strict=True):
        if (op.name, op.properties, op.result_types) != (
            other_op.name,
            other_op.properties,
            other_op.result_types,
        ):
            return False
        operands = [values.get(operand) for operand in op.operands]
        wanted = [*other_op.operands]
        if op.name in _COMMUTATIVE and operands != wanted:
            operands.reverse()
        if operands != wanted:
            return False
        values.update(zip(op.results, other_op.results, strict=True))
    return True


_CONTRACTIONS = ["contract"] + [
    n for n, row in LOOPS.items() if "(" not in row and "transpose" not in n
]
_PLAIN_CONVOLUTIONS = "conv_1d conv_2d conv_3d".split()
_CONVOLUTIONS = [
    n for n, row in LOOPS.items() if "(" in row and n not in _PLAIN_CONVOLUTIONS
]

NAMES = (*ELEMENTWISE, *_CONTRACTIONS, *_PLAIN_CONVOLUTIONS, *_CONVOLUTIONS)
"""The named structured ops, without the prefix `linalg.`."""

_WITH_MAPS = "batch_matmul batch_reduce_matmul contract elementwise matmul".split()
_WITH_PROPERTY: Mapping[str, Sequence[str]] = {
    "strides": _CONVOLUTIONS,
    "dilations": _CONVOLUTIONS,
    "cast": "batch_matmul batch_reduce_matmul contract copy matmul".split(),
    "indexing_maps": _WITH_MAPS,
    "kind": ["elementwise"],
    "operandSegmentSizes": NAMES,
}
"""By property: the ops that have it."""


@irdl_op_definition
class NamedStructuredOp(IRDLOperation):
    """A named structured op. The subclasses differ in their names and properties."""

    name = "linalg.named"

    inputs = var_operand_def()
    outputs = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")

    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    strides = opt_prop_def(Attribute)
    dilations = opt_prop_def(Attribute)
    cast = opt_prop_def(Attribute)
    kind = opt_prop_def(Attribute)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def print(self, printer: Printer) -> None:
        print_named_op(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        # Commands that do not redefine the ops do not wait for the ops in their bodies.
        from xdsl_bufferization.dialects.linalg.bodies import (
            UnsupportedBody,
            named_body,
        )

        written: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("kind"):
            parser.parse_punctuation("=")
            written["kind"] = parser.parse_attribute()
        if parser.parse_optional_keyword("indexing_maps"):
            parser.parse_punctuation("=")
            written["indexing_maps"] = parser.parse_attribute()
        written |= parser.parse_optional_attr_dict()
        position = parser.pos
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        if parser.parse_optional_keyword("attrs"):
            # The syntax that xDSL 0.74 prints.
            parser.parse_punctuation("=")
            written |= parser.parse_optional_attr_dict()
        result_types = parse_result_types(parser)
        known = cls.get_irdl_definition().properties
        properties: dict[str, Attribute] = {
            k: written.pop(k) for k in [*written] if k in known
        }
        types = [operand.type for operand in (*inputs, *outputs)]
        sizes = DenseArrayBase.from_list(i32, [len(inputs), len(outputs)])
        properties = {"operandSegmentSizes": sizes, **properties}
        maps = default_indexing_maps(cls.name, types) if types else None
        if maps is not None:
            properties.setdefault("indexing_maps", maps)
        try:
            body = named_body(cls.name.removeprefix("linalg."), types, properties)
        except (UnsupportedBody, ValueError) as error:
            parser.raise_error(f"{cls.name}: {error}", position, parser.pos)
        return cls.build(
            operands=(inputs, outputs),
            result_types=(result_types,),
            properties=properties,
            attributes=written,
            regions=(body,),
        )


class _WindowedOp(NamedStructuredOp):
    """A convolution or pooling that xDSL knows, too: with two windows."""

    @property
    def strides(self) -> Attribute:
        return self.properties.get("strides", _ONES)

    @property
    def dilations(self) -> Attribute:
        return self.properties.get("dilations", _ONES)


_ONES = DenseIntOrFPElementsAttr.from_list(TensorType(i64, [2]), [1, 1])


_OPS_WITH_DEFAULT_MAPS = linalg_ops.MatmulOp, linalg_ops.QuantizedMatmulOp


def _properties(name: str, base: type[IRDLOperation] | None) -> dict[str, PropertyDef]:
    """The properties that the op has."""
    general = NamedStructuredOp.get_irdl_definition().properties
    properties = {k: v for k, v in general.items() if name in _WITH_PROPERTY[k]}
    if base is not None and issubclass(base, _OPS_WITH_DEFAULT_MAPS):
        properties |= {
            k: v
            for k, v in base.get_irdl_definition().properties.items()
            if k.endswith("indexing_maps")
        }
    return properties


def _verify(op: Operation) -> None:
    if isinstance(op, linalg_abstract_ops.LinalgStructuredOperation):
        linalg_abstract_ops.LinalgStructuredOperation.verify_(op)


def _define(name: str, base: type[IRDLOperation] | None) -> type[Operation]:
    windowed = base is not None and issubclass(
        base, linalg_abstract_ops.ConvOperation | linalg_abstract_ops.PoolingOperation
    )
    return derive(
        _WindowedOp if windowed else NamedStructuredOp,
        f"linalg.{name}",
        f"The structured op `linalg.{name}`; its name implies its body.",
        base=base,
        properties=_properties(name, base),
        verify=_verify,
    )


_XDSL_OPS = {
    op.name: op
    for op in XdslLinalg.operations
    if issubclass(op, linalg_abstract_ops.NamedOperation)
}

NAMED_OPS = [_define(name, _XDSL_OPS.get(f"linalg.{name}")) for name in NAMES]
"""The classes of all named structured ops."""

print_in_generic_form_if(loses_in_custom_form, [op.name for op in NAMED_OPS])
print_with_defaults(
    {"strides": _ONES, "dilations": _ONES},
    [op.name for op in NAMED_OPS if issubclass(op, _WindowedOp)],
)

# For imports by name, and pickle.
globals().update((op.__name__, op) for op in NAMED_OPS)
