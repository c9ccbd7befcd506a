"""
What networks are built of: functions on tensors of 32-bit floats, op by op.

Scalars, splat constants, empty and filled tensors are made once and shared by all ops that
need one of the same shape, as after elimination of common subexpressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import TracebackType
from typing import Any, Self, cast

import numpy as np
from xdsl.builder import Builder, ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    VectorType,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.host.releases import linalg_attrs
from xdsl_bufferization.host.releases import linalg_ops as linalg
from xdsl_bufferization.support.reading import context_of_all_dialects

Shape = tuple[int, ...]

Computed = Operation | SSAValue
"""An op stands for its result."""

Body = (
    Callable[[], Computed]
    | Callable[[SSAValue], Computed]
    | Callable[[SSAValue, SSAValue], Computed]
    | Callable[[SSAValue, SSAValue, SSAValue], Computed]
)
"""What is computed of scalars."""


def floats(*shape: int) -> TensorType[Any]:
    """The type of a tensor."""
    return TensorType(f32, shape)


def shape_of(value: SSAValue) -> Shape:
    """The shape of a tensor."""
    return cast("TensorType[Any]", value.type).get_shape()


class Network:
    """
    A module with one function, to which ops are added while this is the context::

        with Network("double", floats(8)) as network:
            (x,) = network.arguments
            network.returns(network.elementwise(arith.AddfOp, x, x))
        network.module
    """

    def __init__(self, name: str, *arguments: Attribute):
        self._function = func.FuncOp(name, FunctionType.from_lists(arguments, []))
        self.module = ModuleOp([self._function])
        self.arguments: Sequence[BlockArgument] = self._function.args
        self._body = ImplicitBuilder(self._function.body)
        self._shared: dict[tuple[object, ...], SSAValue] = {}

    def __enter__(self) -> Self:
        self._body.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._body.__exit__(kind, error, traceback)

    def returns(self, *results: SSAValue) -> None:
        """The end of the function. Raises `VerifyException` if it is not valid."""
        func.ReturnOp(*results)
        self._function.function_type = FunctionType.from_lists(
            [argument.type for argument in self.arguments],
            [result.type for result in results],
        )
        self.module.verify()

    # Where contents come from

    def number(self, value: float) -> SSAValue:
        """A float."""
        return self._constant(("number", value), FloatAttr(value, f32))

    def index(self, value: int) -> SSAValue:
        """A number of type `index`."""
        attribute = IntegerAttr.from_index_int_value(value)
        return self._constant(("index", value), attribute)

    def splat(self, value: float, shape: Sequence[int]) -> SSAValue:
        """A constant tensor, shared by all who ask for the same."""
        return self._constant(("splat", value, *shape), _dense(value, shape))

    def weights(self, *shape: int, value: float = 0.02) -> SSAValue:
        """
        A constant tensor that is not shared, with the same value everywhere:
        `tests.networks.weights` replaces it by different ones.
        """
        return self._constant(("weights", len(self._shared)), _dense(value, shape))

    def empty(self, shape: Sequence[int]) -> SSAValue:
        """A tensor to write to."""
        return self._share(
            ("empty", *shape), lambda: tensor.EmptyOp((), floats(*shape)).tensor
        )

    def filled(self, value: float, shape: Sequence[int]) -> SSAValue:
        """A tensor that starts with the same value everywhere."""

        def fill() -> SSAValue:
            operands = [self.number(value)], [self.empty(shape)]
            return linalg.FillOp(*operands).results[0]

        return self._share(("filled", value, *shape), fill)

    def zeros(self, shape: Sequence[int]) -> SSAValue:
        """What sums start with."""
        return self.filled(0.0, shape)

    def _constant(
        self,
        key: tuple[object, ...],
        value: FloatAttr[Any] | IntegerAttr[IndexType] | DenseIntOrFPElementsAttr[Any],
    ) -> SSAValue:
        def create() -> SSAValue:
            # In front of all loops, whoever asks first.
            start = InsertPoint.at_start(self._function.body.block)
            with ImplicitBuilder(Builder(start)):
                return arith.ConstantOp(value).result

        return self._share(key, create)

    def _share(
        self, key: tuple[object, ...], create: Callable[[], SSAValue]
    ) -> SSAValue:
        if key not in self._shared:
            self._shared[key] = create()
        return self._shared[key]

    # Structured ops

    def structured(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        init: SSAValue,
        body: Region,
        properties: Mapping[str, Attribute],
    ) -> SSAValue:
        """The result of the `linalg` op with that name."""
        segments = DenseArrayBase.from_list(i32, [len(inputs), 1])
        return (
            _op(f"linalg.{name}")
            .create(
                operands=[*inputs, init],
                result_types=[init.type],
                properties={**properties, "operandSegmentSizes": segments},
                regions=[body],
            )
            .results[0]
        )

    def window(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        init: SSAValue,
        body: Body,
        stride: int = 1,
    ) -> SSAValue:
        """
        The result of a convolution or pooling op; the body takes an element of each input
        and of the init.
        """
        steps = {"strides": _pair(stride), "dilations": _pair(1)}
        return self.structured(name, inputs, init, _region(body, *inputs, init), steps)

    def generic(
        self,
        maps: Sequence[AffineMap],
        inputs: Sequence[SSAValue],
        init: SSAValue,
        body: Region,
    ) -> SSAValue:
        """The result of `linalg.generic`; a loop that the last map lacks is a reduction."""
        kept = maps[-1].results
        kinds = (
            linalg_attrs.IteratorTypeAttr.parallel(),
            linalg_attrs.IteratorTypeAttr.reduction(),
        )
        properties = {
            "indexing_maps": ArrayAttr([AffineMapAttr(map) for map in maps]),
            "iterator_types": ArrayAttr(
                kinds[AffineExpr.dimension(i) not in kept]
                for i in range(maps[-1].num_dims)
            ),
        }
        return self.structured("generic", inputs, init, body, properties)

    def elementwise(self, body: Body, *inputs: SSAValue) -> SSAValue:
        """
        What the body makes of an element of each input. The inputs have the same rank, and
        where they have different sizes one of them is 1 and is repeated.
        """
        shapes = [shape_of(value) for value in inputs]
        shape = np.broadcast_shapes(*shapes)
        init = self.empty(shape)
        maps = [_repeating(own, shape) for own in (*shapes, shape)]
        return self.generic(maps, inputs, init, _region(body, *inputs, unread=[init]))

    def generate(self, body: Callable[[], Computed], shape: Sequence[int]) -> SSAValue:
        """What the body makes of the place of an element, which `linalg.index` tells."""
        init = self.empty(shape)
        map = AffineMap.identity(len(shape))
        return self.generic([map], [], init, _region(body, unread=[init]))

    def contraction(
        self,
        letters: tuple[str, str, str],
        a: SSAValue,
        b: SSAValue,
        init: SSAValue | None = None,
    ) -> SSAValue:
        """
        A sum of products, added to `init`, or else to zeros. Each letter is a loop, as in
        `numpy.einsum`.
        """
        loops = sorted({*letters[0], *letters[1]})
        maps = [
            AffineMap(
                len(loops), 0, tuple(AffineExpr.dimension(loops.index(i)) for i in word)
            )
            for word in letters
        ]
        if init is None:
            sizes = dict(zip(letters[0], shape_of(a), strict=True))
            sizes |= zip(letters[1], shape_of(b), strict=True)
            init = self.zeros([sizes[letter] for letter in letters[2]])
        return self.generic(maps, [a, b], init, _region(multiply_add, a, b, init))

    def reduce(
        self, body: Body, x: SSAValue, dimensions: Sequence[int], start: float
    ) -> SSAValue:
        """What the body makes of all elements along the dimensions, which are gone."""
        kept = [s for i, s in enumerate(shape_of(x)) if i not in dimensions]
        init = self.filled(start, kept)
        dims = DenseArrayBase.from_list(i64, dimensions)
        region = _region(body, x, init)
        return linalg.ReduceOp(x, init, dims, region).results[0]

    def broadcast(self, x: SSAValue, shape: Sequence[int], along: int) -> SSAValue:
        """A vector along one dimension of a larger tensor."""
        others = [i for i in range(len(shape)) if i != along]
        dims = DenseArrayBase.from_list(i64, others)
        return linalg.BroadcastOp(x, self.empty(shape), dims).results[0]

    def transpose(self, x: SSAValue, permutation: Sequence[int]) -> SSAValue:
        """The dimensions in another order."""
        init = self.empty([shape_of(x)[i] for i in permutation])
        order = DenseArrayBase.from_list(i64, permutation)
        return linalg.TransposeOp(x, init, order).results[0]

    def matmul(self, a: SSAValue, b: SSAValue, init: SSAValue) -> SSAValue:
        """The product of two matrices, added to `init`."""
        return linalg.MatmulOp([a, b], [init]).results[0]

    # Ops on shapes

    def pad(self, x: SSAValue, by: int, value: float = 0.0) -> SSAValue:
        """An image with a border."""
        low = [0] * (len(shape_of(x)) - 2) + [by] * 2
        shape = [size + 2 * more for size, more in zip(shape_of(x), low, strict=True)]
        number = self.number(value)
        region = Region(Block(arg_types=[IndexType()] * len(shape)))
        with ImplicitBuilder(region):
            tensor.YieldOp(number)
        return tensor.PadOp(x, [], [], region, low, low, floats(*shape)).result

    def concat(self, *inputs: SSAValue, along: int = 1) -> SSAValue:
        """The tensors side by side: images by their channels, unless said otherwise."""
        shape = [*shape_of(inputs[0])]
        shape[along] = sum(shape_of(x)[along] for x in inputs)
        return tensor.ConcatOp(inputs, along, floats(*shape)).result

    def expand(self, x: SSAValue, *groups: Sequence[int]) -> SSAValue:
        """Each dimension becomes a group of them, with those sizes."""
        shape = [size for group in groups for size in group]
        type = floats(*shape)
        return tensor.ExpandShapeOp(x, [], _reassociation(groups), shape, type).result

    def collapse(self, x: SSAValue, *ranks: int) -> SSAValue:
        """Groups of so many dimensions become one each."""
        sizes = iter(shape_of(x))
        groups = [[next(sizes) for _ in range(rank)] for rank in ranks]
        type = floats(*(int(np.prod(group)) for group in groups))
        properties = {"reassociation": _reassociation(groups)}
        return tensor.CollapseShapeOp.create(
            operands=[x], result_types=[type], properties=properties
        ).result

    def extract(
        self, x: SSAValue, offsets: Sequence[int], sizes: Sequence[int]
    ) -> SSAValue:
        """A slice."""
        return tensor.ExtractSliceOp.from_static_parameters(x, offsets, sizes).result

    def insert(
        self,
        x: SSAValue,
        into: SSAValue,
        offsets: Sequence[int],
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """The tensor with a slice written."""
        return tensor.InsertSliceOp.from_static_parameters(
            x, into, offsets, shape_of(x), strides
        ).result


def multiply_add(a: SSAValue, b: SSAValue, sum: SSAValue) -> Operation:
    """A step of a sum of products."""
    return arith.AddfOp(sum, arith.MulfOp(a, b))


@cache
def _context() -> Context:
    return context_of_all_dialects()


def _op(name: str) -> type[Operation]:
    """The op's class: some exist under their names only."""
    return _context().get_op(name)


def _region(body: Body, *values: SSAValue, unread: Iterable[SSAValue] = ()) -> Region:
    """For the body of an op on those values."""
    types = [_element(value.type) for value in (*values, *unread)]
    with ImplicitBuilder(block := Block(arg_types=types)) as scalars:
        compute = cast("Callable[..., Computed]", body)
        linalg.YieldOp(SSAValue.get(compute(*scalars[: len(values)])))
    return Region(block)


def _repeating(own: Shape, shape: Shape) -> AffineMap:
    """How a tensor is read that is repeated to become as large."""
    indices = (
        AffineExpr.dimension(i) if size == whole else AffineExpr.constant(0)
        for i, (size, whole) in enumerate(zip(own, shape, strict=True))
    )
    return AffineMap(len(shape), 0, (*indices,))


def _dense(value: float, shape: Sequence[int]) -> DenseIntOrFPElementsAttr[Any]:
    return DenseIntOrFPElementsAttr.from_list(floats(*shape), [value])


def _pair(value: int) -> DenseIntElementsAttr:
    return cast(
        "DenseIntElementsAttr",
        DenseIntOrFPElementsAttr.from_list(VectorType(i64, [2]), [value]),
    )


def _element(type: Attribute) -> Attribute:
    return cast("TensorType[Any]", type).element_type


def _reassociation(
    groups: Sequence[Sequence[int]],
) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The numbers of the dimensions in each group."""
    starts = np.cumsum([0, *map(len, groups)])
    return ArrayAttr(
        ArrayAttr(IntegerAttr(int(start) + i, 64) for i in range(len(group)))
        for start, group in zip(starts, groups, strict=False)
    )
