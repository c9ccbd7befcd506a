"""
xDSL's `affine` dialect with the attributes of ops with a map, which xDSL loses, and the dimensions
of their maps, which it takes for symbols; with ops that xDSL lacks; and with `affine.if` and
`affine.parallel`, which it reads in generic form only. These are printed in generic form.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import parse_dynamic_index_list_without_types
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    PropertyDef,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.syntax import (
    AppliedMap,
    MapOfValues,
    ValueExpressions,
    parse_operands_of_map,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
    refined,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    ATOMIC_KINDS,
    PrefetchingOp,
    parse_induction_variables,
    parse_result_types,
    parse_word,
    prefetching,
)
from xdsl_bufferization.host import releases
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if

_ACCESS = "custom<MapOfValues>($map, $indices) attr-dict `:`"


@with_custom_form(
    "custom<AppliedMap>($map, $mapOperands) attr-dict",
    AppliedMap=AppliedMap,
)
class ApplyOp(affine.ApplyOp):
    """
    A map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineapply-affineaffineapplyop
    """


@with_custom_form(
    "custom<AppliedMap>($map, $arguments) attr-dict",
    AppliedMap=AppliedMap,
)
class MinOp(affine.MinOp):
    """
    The least result of a map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemin-affineaffineminop
    """


@with_custom_form(f"$memref {_ACCESS} type($memref)", MapOfValues=MapOfValues)
class LoadOp(affine.LoadOp):
    """
    A load at the results of a map; xDSL's op, whose values are dimensions of the map unless
    they are marked as symbols, and with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineload-affineaffineloadop
    """


@with_custom_form(
    f"$value `,` $memref {_ACCESS} type($memref)", MapOfValues=MapOfValues
)
class StoreOp(affine.StoreOp):
    """
    A store at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinestore-affineaffinestoreop
    """


@with_custom_form(
    f"$memref {_ACCESS} type($memref) `,` type($result)",
    MapOfValues=MapOfValues,
)
class VectorLoadOp(releases.VectorLoadOp):
    """
    A load of a vector at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinevector_load-affineaffinevectorloadop
    """


@with_custom_form(
    f"$value `,` $memref {_ACCESS} type($memref) `,` type($value)",
    MapOfValues=MapOfValues,
)
class VectorStoreOp(releases.VectorStoreOp):
    """
    A store of a vector at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinevector_store-affineaffinevectorstoreop
    """


_ALL = ApplyOp, LoadOp, MinOp, StoreOp, VectorLoadOp, VectorStoreOp
MAP_OPS = [op for op in cast("Sequence[type]", _ALL) if issubclass(op, IRDLOperation)]
"""The redefinitions of this module, without ops that the release lacks."""


def _loses_in_custom_form(op: Operation) -> bool:
    """Whether the access has attributes, or values marked as symbols: xDSL reads neither."""
    map = op.properties["map"]
    return has_attributes(op) or (
        isinstance(map, AffineMapAttr) and map.data.num_symbols > 0
    )


print_in_generic_form_if(has_attributes, [ApplyOp.name, MinOp.name])
print_in_generic_form_if(
    _loses_in_custom_form, [op.name for op in MAP_OPS if op not in (ApplyOp, MinOp)]
)


@irdl_custom_directive
class Basis(CustomDirective):
    """`(2, %n)`, the sizes of a shape."""

    dynamic: VariadicOperandVariable
    static: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        dynamic, static = parse_dynamic_index_list_without_types(
            parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
        )
        self.dynamic.set(state, dynamic)
        self.static.set(state, DenseArrayBase.from_list(i64, static))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """The op is printed in generic form."""


@read_in_custom_form(
    "custom<AppliedMap>($map, $arguments) attr-dict", AppliedMap=AppliedMap
)
@irdl_op_definition
class MaxOp(PureOp):
    """
    The maximum of the results of an affine map.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemax-affineaffinemaxop
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    result = result_def(IndexType())
    map = prop_def(AffineMapAttr)

    def verify_(self) -> None:
        map = self.map.data
        if len(self.arguments) != map.num_dims + map.num_symbols:
            raise VerifyException("expected an operand for each dimension and symbol")


@prefetching("custom<MapOfValues>($map, $indices)", MapOfValues=MapOfValues)
@irdl_op_definition
class PrefetchOp(PrefetchingOp):
    """
    A hint that an element of a memref, at an affine index, will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineprefetch-affineaffineprefetchop
    """

    name = "affine.prefetch"

    map = prop_def(AffineMapAttr)


@irdl_custom_directive
class Disjoint(CustomDirective):
    """`disjoint`, or nothing; MLIR prints the flag as `false` in generic form, too."""

    flag: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("disjoint"):
            self.flag.set(state, UnitAttr())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """The op is printed in generic form."""


@read_in_custom_form(
    "$linear_index `into` custom<Basis>($dynamic_basis, $static_basis) attr-dict `:` "
    "type($multi_index)",
    Basis=Basis,
)
@irdl_op_definition
class DelinearizeIndexOp(PureOp):
    """
    The multi-index of a linear index into a shape, which is the basis.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinedelinearize_index-affineaffinedelinearizeindexop
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())


@read_in_custom_form(
    "custom<Disjoint>($disjoint) `[` $multi_index `]` `by` "
    "custom<Basis>($dynamic_basis, $static_basis) attr-dict `:` type($linear_index)",
    Basis=Basis,
    Disjoint=Disjoint,
)
@irdl_op_definition
class LinearizeIndexOp(PureOp):
    """
    The linear index of a multi-index into a shape, which is the basis.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinelinearize_index-affineaffinelinearizeindexop
    """

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr | BoolAttr)
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)


def with_terminator(region: Region) -> Region:
    """The region, ended by an `affine.yield` that may have been left out."""
    if not region.blocks:
        region.add_block(Block())
    last_op = region.block.last_op
    if not isinstance(last_op, affine.YieldOp):
        region.block.add_op(affine.YieldOp.get())
    return region


class IfOp(affine.IfOp):
    """
    One of two regions, by conditions on indices; xDSL's op, which is read in custom form,
    too, and printed in generic form.
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("affine set expected", position, parser.pos)
        operands = parse_operands_of_map(parser)
        result_types = parse_result_types(parser)
        then_region, else_region = with_terminator(parser.parse_region()), Region()
        if parser.parse_optional_keyword("else"):
            else_region = with_terminator(parser.parse_region())
        return cls.build(
            operands=(_resolved(parser, operands),),
            result_types=(result_types,),
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=(then_region, else_region),
        )


@refined(
    properties={"reductions": PropertyDef(base(ArrayAttr[IntegerAttr[IntegerType]]))}
)
class ParallelOp(affine.ParallelOp):
    """Loops whose iterations may run in parallel; xDSL's op, with reductions."""

    def verify_(self) -> None:
        operands = sum(
            map.data.num_dims + map.data.num_symbols
            for map in (self.lowerBoundsMap, self.upperBoundsMap)
        )
        if len(self.map_operands) != operands:
            raise VerifyException(
                "Expected as many operands as results, lower bound args and upper bound "
                "args."
            )
        if len(self.reductions) != len(self.res):
            raise VerifyException("expected a reduction for each result")
        for role, groups, map in (
            ("a lower", self.lowerBoundsGroups, self.lowerBoundsMap),
            ("an upper", self.upperBoundsGroups, self.upperBoundsMap),
        ):
            if sum(_numbers(groups)) != len(map.data.results):
                raise VerifyException(
                    f"Expected {role} bound group for each {role.split()[-1]} bound"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN
        arguments = parse_induction_variables(parser)
        parser.parse_punctuation("=")
        lower_map, lower_groups, lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper_groups, upper = _parse_bounds(parser, "min")
        steps = [1] * len(arguments)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(paren, parser.parse_integer)
        reductions: Sequence[Attribute] = ()
        if parser.parse_optional_keyword("reduce"):
            reductions = parser.parse_comma_separated_list(
                paren, lambda: parse_word(parser, "operation", ATOMIC_KINDS)
            )
        result_types = parse_result_types(parser)
        body = with_terminator(parser.parse_region(arguments))
        return cls.build(
            operands=((*lower, *upper),),
            result_types=(result_types,),
            properties={
                "lowerBoundsGroups": lower_groups,
                "lowerBoundsMap": lower_map,
                "reductions": ArrayAttr(reductions),
                "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
                "upperBoundsGroups": upper_groups,
                "upperBoundsMap": upper_map,
            },
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )


def _numbers(groups: DenseIntElementsAttr) -> Sequence[int]:
    """The number of results of the map for each bound."""
    return [int(n) for n in groups.get_values()]


def _parse_bounds(
    parser: Parser, prefix: str
) -> tuple[AffineMapAttr, Attribute, Sequence[SSAValue]]:
    """`(0, max(%i, 4))` as a map, how many of its results each bound has, and operands."""
    expressions = ValueExpressions(parser)

    def parse_bound() -> int:
        if not parser.parse_optional_keyword(prefix):
            expressions.parse()
            return 1
        return len(
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, expressions.parse)
        )

    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_bound)
    groups = DenseIntOrFPElementsAttr.from_list(TensorType(i32, [len(sizes)]), sizes)
    map, operands = expressions.result()
    return map, groups, _resolved(parser, operands)


def _resolved(
    parser: Parser, operands: Sequence[UnresolvedOperand]
) -> Sequence[SSAValue]:
    return [parser.resolve_operand(operand, IndexType()) for operand in operands]


EXTENSION = Extension(
    [
        *MAP_OPS,
        DelinearizeIndexOp,
        IfOp,
        LinearizeIndexOp,
        MaxOp,
        ParallelOp,
        PrefetchOp,
    ]
)
