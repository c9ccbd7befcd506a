"""Semi-affine maps: products, quotients and remainders with symbols, as `d0 * s0`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.mlir_lexer import MLIRToken

_Operator = Callable[[AffineExpr, "AffineExpr | int"], AffineExpr]


def _is_symbolic(expression: AffineExpr) -> bool:
    """Whether it has the same value in all points: no dimension is in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expression.dfs())


def _with_symbols(unchanged: _Operator, kind: AffineBinaryOpKind) -> _Operator:
    """The operator, where xDSL's raises an error unless the right side is constant."""

    def operator(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        if isinstance(other, int) or isinstance(other, AffineConstantExpr):
            return unchanged(self, other)
        left, right = self, other
        if kind is AffineBinaryOpKind.Mul:
            if isinstance(left, AffineConstantExpr):
                return unchanged(right, left)
            if not _is_symbolic(right):
                left, right = right, left
        if not _is_symbolic(right):
            raise NotImplementedError(
                f"{self} {kind.get_token()} {other} is not affine"
            )
        return AffineBinaryOpExpr(kind, left, right)

    return operator


def _create(
    self: AffineParser, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
) -> AffineExpr:
    try:
        return _unchanged_create(self, lhs, rhs, binop)
    except NotImplementedError as error:
        self.raise_error(str(error), binop.span)


_unchanged_create = AffineParser._create_binop_expr  # pyright: ignore[reportPrivateUsage]


def is_broken() -> bool:
    try:
        product = AffineExpr.dimension(0) * AffineExpr.symbol(0)
    except NotImplementedError:
        return True
    return not isinstance(product, AffineBinaryOpExpr)


def mend() -> None:
    for name, kind in (
        ("__mul__", AffineBinaryOpKind.Mul),
        ("__floordiv__", AffineBinaryOpKind.FloorDiv),
        ("ceil_div", AffineBinaryOpKind.CeilDiv),
        ("__mod__", AffineBinaryOpKind.Mod),
    ):
        setattr(AffineExpr, name, _with_symbols(getattr(AffineExpr, name), kind))
    AffineParser._create_binop_expr = _create  # pyright: ignore[reportPrivateUsage]
