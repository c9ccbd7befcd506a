"""The pass `convert-elementwise-to-linalg`: elementwise ops on tensors as `linalg.generic`s."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.host.releases import linalg_attrs, linalg_ops
from xdsl_bufferization.interfaces.contents import is_elementwise_mappable
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import block_of, walk
from xdsl_bufferization.support.shaped_types import ranked_tensor


@dataclass(frozen=True)
class ConvertElementwiseToLinalgPass(BufferizationPass):
    """
    Replace ops of arith and math on ranked tensors, and other ops that work on each element by
    itself, by `linalg.generic`s, which `one-shot-bufferize` bufferizes. The result is computed in
    the buffer of an operand that nothing else uses, or in a new one.

    https://mlir.llvm.org/docs/Passes/#-convert-elementwise-to-linalg
    """

    name = "convert-elementwise-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_elementwise_to_linalg(op)


def convert_elementwise_to_linalg(module: Operation) -> None:
    """
    Replace each elementwise op on ranked tensors by a `linalg.generic` with the op on numbers
    in its body.

    Its init is an operand of the type of the result: one that nothing else uses, if there is one,
    so that the result is computed in its buffer; otherwise the first, whose contents bufferization
    does not copy; or an empty tensor.
    """
    for op in [*walk([module])]:
        if _is_converted(op):
            _convert(op)


def _is_converted(op: Operation) -> bool:
    if not op.results or not is_elementwise_mappable(op):
        return False
    if op_name(op) == "arith.select" and not _is_ranked(op.operands[0].type):
        return False  # It is one of two buffers, and computes nothing.
    return any(map(_is_ranked, op.operand_types)) and all(
        map(_is_ranked, op.result_types)
    )


def _is_ranked(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    return isinstance(type, TensorType)


def _init(op: Operation, type: Attribute) -> SSAValue | None:
    """The operand in whose buffer a result of the type may be; `None` for a new buffer."""
    fitting = [value for value in op.operands if value.type == type]
    # A value from outside of a loop may be used again in the next iteration.
    dying = (v for v in fitting if v.has_one_use() and block_of(v) is op.parent)
    return next(dying, fitting[0] if fitting else None)


def _convert(op: Operation) -> None:
    builder = builder_for(op)
    operands = [*op.operands]
    like = next(value for value in operands if _is_ranked(value.type))
    types = [ranked_tensor(result.type) for result in op.results]
    destinations = [_init(op, type) or _empty(builder, type, like) for type in types]
    rank = len(types[0].get_shape())
    identity = AffineMapAttr(AffineMap.identity(rank))
    scalar = AffineMapAttr(AffineMap(rank, 0, ()))
    generic = builder.insert(
        linalg_ops.GenericOp(
            operands,
            destinations,
            Region(_body(op, types)),
            [
                *(identity if _is_ranked(v.type) else scalar for v in operands),
                *(identity for _ in types),
            ],
            [linalg_attrs.IteratorTypeAttr.parallel()] * rank,
            types,
        )
    )
    for old, new in zip(op.results, generic.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op)


def _body(op: Operation, types: Sequence[TensorType[Attribute]]) -> Block:
    """A block with the op on the elements of its operands."""
    elements = [
        type.element_type if _is_ranked(type) else type for type in op.operand_types
    ]
    results = [type.element_type for type in types]
    block = Block(arg_types=(*elements, *results))
    on_elements = type(op).create(
        operands=block.args[: len(elements)],
        result_types=results,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        location=op.location,
    )
    block.add_ops((on_elements, linalg_ops.YieldOp(*on_elements.results)))
    return block


def _empty(builder: Builder, type: TensorType[Attribute], like: SSAValue) -> SSAValue:
    """Insert an empty tensor of the type, with the sizes of `like`."""
    sizes = [s for s in sizes_of(like, builder) if isinstance(s, SSAValue)]
    return builder.insert(tensor.EmptyOp(sizes, type)).tensor
