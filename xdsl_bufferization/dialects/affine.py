"""
xDSL's `affine` dialect with the attributes of ops with a map, which xDSL loses, and the dimensions
of their maps, which it takes for symbols; with ops that xDSL lacks; and with `affine.if` and
`affine.parallel`, which it reads in generic form only. These are printed in generic form.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
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
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
    refined,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    ATOMIC_KINDS,
    PrefetchingOp,
    UnprintedDirective,
    parse_induction_variables,
    parse_result_types,
    parse_word,
    prefetching,
)
from xdsl_bufferization.host import releases
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.support.attributes import known_attribute

_SUM, _PRODUCT, _ATOM = range(3)
"""How tightly an expression binds."""


class ValueExpressions(AffineParser):
    """
    Affine expressions of values, as `%i + symbol(%j) * 2`, whose values are the operands of
    one map. A value that comes again is the dimension or symbol that it was.
    """

    def __init__(self, parser: Parser):
        # Both parsers go on in the same place of the text.
        super().__init__(parser._parser_state)
        self._parser = parser
        self._expressions: list[AffineExpr] = []
        self._known: dict[tuple[str, int], AffineExpr] = {}
        """By name and number of the value."""
        self._dimensions: list[UnresolvedOperand] = []
        self._symbols: list[UnresolvedOperand] = []

    def parse(self) -> None:
        """One expression."""
        self._expressions.append(self._parse_affine_expr(self._parse_optional_value))

    def _parse_optional_value(self) -> AffineExpr | None:
        """A dimension `%i`, or a symbol `symbol(%j)`."""
        parser = self._parser
        if parser.parse_optional_keyword("symbol"):
            with parser.in_parens():
                value = parser.parse_unresolved_operand("value expected")
            return self._expression(value, self._symbols, AffineExpr.symbol)
        value = parser.parse_optional_unresolved_operand()
        if value is None:
            return None
        return self._expression(value, self._dimensions, AffineExpr.dimension)

    def _expression(
        self,
        value: UnresolvedOperand,
        values: list[UnresolvedOperand],
        make: Callable[[int], AffineExpr],
    ) -> AffineExpr:
        key = value.operand_name, value.index
        if key not in self._known:
            self._known[key] = make(len(values))
            values.append(value)
        return self._known[key]

    def result(self) -> tuple[AffineMapAttr, Sequence[UnresolvedOperand]]:
        """The map of what was parsed, and its operands."""
        dimensions, symbols = self._dimensions, self._symbols
        map = AffineMap(len(dimensions), len(symbols), tuple(self._expressions))
        return AffineMapAttr(map), (*dimensions, *symbols)


@irdl_custom_directive
class MapOfValues(CustomDirective):
    """`[%i + 1, symbol(%j) * 2]`."""

    map: AttributeVariable
    operands: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        expressions = ValueExpressions(parser)
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, expressions.parse)
        map, operands = expressions.result()
        self.map.set(state, map)
        self.operands.set(state, operands)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        map = known_attribute(op, self.map.name, AffineMapAttr).data
        with printer.in_square_brackets():
            printer.print_list(
                map.results,
                lambda result: print_expression(
                    printer, result, map.num_dims, self.operands.get(op)
                ),
            )


def print_expression(
    printer: Printer,
    expression: AffineExpr,
    dimensions: int,
    operands: Sequence[SSAValue],
    binding: int = _SUM,
) -> None:
    """Prints an expression of a map whose operands are its dimensions, then its symbols."""

    def print_part(part: AffineExpr, binding: int) -> None:
        print_expression(printer, part, dimensions, operands, binding)

    match expression:
        case AffineConstantExpr(value=value):
            printer.print_string(str(value))
        case AffineDimExpr(position=position):
            printer.print_ssa_value(operands[position])
        case AffineSymExpr(position=position):
            printer.print_string("symbol(")
            printer.print_ssa_value(operands[dimensions + position])
            printer.print_string(")")
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            own = _SUM if kind is AffineBinaryOpKind.Add else _PRODUCT
            needs_parentheses = own < binding
            if needs_parentheses:
                printer.print_string("(")
            print_part(lhs, own)
            negative = _negated(rhs) if own == _SUM else None
            if negative is None:
                printer.print_string(f" {kind.get_token()} ")
                print_part(rhs, own if own == _SUM else _ATOM)
            else:
                printer.print_string(" - ")
                print_part(negative, _PRODUCT)
            if needs_parentheses:
                printer.print_string(")")
        case _:
            raise ValueError(f"{expression} is no affine expression")


def _negated(expression: AffineExpr) -> AffineExpr | None:
    """The negation of a summand such as `-4` or `d0 * -1`; `None` of others."""
    match expression:
        case AffineConstantExpr(value=value) if value < 0:
            return AffineConstantExpr(-value)
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=AffineConstantExpr(value=-1)
        ):
            return lhs
        case _:
            return None


def parse_operands_of_map(parser: Parser) -> Sequence[UnresolvedOperand]:
    """The dimensions and symbols in `(%i)[%j]`; each part is optional."""
    return [
        operand
        for delimiter in (parser.Delimiter.PAREN, parser.Delimiter.SQUARE)
        for operand in parser.parse_optional_comma_separated_list(
            delimiter, parser.parse_unresolved_operand
        )
        or ()
    ]


@irdl_custom_directive
class AppliedMap(CustomDirective):
    """`affine_map<...>(%i)[%j]`."""

    map: AttributeVariable
    operands: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        map = parser.parse_attribute()
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("Expected affine map attr", position, parser.pos)
        self.map.set(state, map)
        self.operands.set(state, parse_operands_of_map(parser))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        map = known_attribute(op, self.map.name, AffineMapAttr)
        dimensions, operands = map.data.num_dims, self.operands.get(op)
        self.map.print(printer, state, op)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(operands[:dimensions], printer.print_operand)
        if len(operands) > dimensions:
            with printer.in_square_brackets():
                printer.print_list(operands[dimensions:], printer.print_operand)


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
class Basis(UnprintedDirective):
    """`(2, %n)`, the sizes of a shape."""

    dynamic: VariadicOperandVariable
    static: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        dynamic, static = parse_dynamic_index_list_without_types(
            parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
        )
        self.dynamic.set(state, dynamic)
        self.static.set(state, DenseArrayBase.from_list(i64, static))


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
class Disjoint(UnprintedDirective):
    """`disjoint`, or nothing; MLIR prints the flag as `false` in generic form, too."""

    flag: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("disjoint"):
            self.flag.set(state, UnitAttr())


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
