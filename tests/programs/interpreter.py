"""
What a tensor program computes, by definition: tensors are values.

This is the reference that bufferized programs are compared with. It knows nothing of
buffers, so that no mistake in bufferization can hide in it: a tensor is a NumPy array that
is never changed, and every op makes a new one. Only memrefs, which programs may have at
their boundaries to tensors, are arrays that are written.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    ContainerType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    ShapedType,
    SymbolRefAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tests.peer.numpy_types import Array, dtype_of
from xdsl_bufferization.interfaces.registry import op_name

Value: TypeAlias = Any
"""An array, for a tensor, vector or memref; else a NumPy scalar, or an integer."""

UNDEFINED = 77
"""What an uninitialised tensor holds."""


def attribute(op: Operation, name: str) -> Attribute | None:
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def integers(op: Operation, name: str) -> tuple[int, ...]:
    """The elements of an array attribute; none if it is not there."""
    match attribute(op, name):
        case DenseArrayBase() as dense:
            return tuple(cast("DenseArrayBase[IntegerType]", dense).get_values())
        case DenseIntOrFPElementsAttr() as dense:
            return tuple(cast("Sequence[int]", dense.get_values()))
        case ArrayAttr() as array:
            return tuple(
                cast("IntegerAttr[Any]", element).value.data for element in array.data
            )
        case _:
            return ()


def integer(op: Operation, name: str) -> int:
    return cast("IntegerAttr[Any]", attribute(op, name)).value.data


def segments(op: Operation, values: Sequence[Value]) -> list[Sequence[Value]]:
    """The operands' values by operand group."""
    groups: list[Sequence[Value]] = []
    start = 0
    for size in integers(op, "operandSegmentSizes"):
        groups.append(values[start : start + size])
        start += size
    return groups


def mixed(static: Sequence[int], dynamic: Sequence[Value]) -> list[int]:
    """Static values, with the dynamic ones where they say so."""
    values = iter(dynamic)
    return [int(next(values)) if value == DYNAMIC_INDEX else value for value in static]


def shape_of(value: SSAValue) -> tuple[int, ...]:
    assert isinstance(value.type, ShapedType)
    return value.type.get_shape()


def element_of(value: SSAValue) -> np.dtype[Any]:
    type = value.type
    if isinstance(type, ContainerType):
        return dtype_of(cast("ContainerType[Attribute]", type).get_element_type())
    return dtype_of(type)


@dataclass
class Interpreter:
    """Runs the functions of a module."""

    module: ModuleOp
    external: Callable[[FuncOp, Sequence[Value]], list[Value]] | None = None
    """What a function without a body returns."""
    functions: dict[str, FuncOp] = field(init=False)
    indices: list[tuple[int, ...]] = field(
        default_factory=list[tuple[int, ...]], init=False
    )
    """Where in their iteration space the linalg ops around are."""

    def __post_init__(self) -> None:
        self.functions = {
            op.sym_name.data: op for op in self.module.ops if isinstance(op, FuncOp)
        }

    def call(self, function: str, arguments: Sequence[Value]) -> list[Value]:
        """
        The results of the function. Raises `KeyError` if it has an op that is not known
        here.
        """
        callee = self.functions[function]
        if not callee.body.blocks:
            assert self.external is not None
            return self.external(callee, arguments)
        run = _Run(self, {})
        _, results = run.region(callee.body, arguments)
        return results


@dataclass
class _Run:
    """One call of a function: the values of its SSA values so far."""

    interpreter: Interpreter
    values: dict[SSAValue, Value]

    def region(
        self, region: Region, arguments: Sequence[Value]
    ) -> tuple[Operation, list[Value]]:
        """The terminator that control leaves the region with, and its operands."""
        block: Block | None = region.blocks[0]
        while True:
            assert block is not None
            self.values.update(zip(block.args, arguments, strict=True))
            terminator = block.last_op
            assert terminator is not None
            for op in block.ops:
                if op is not terminator:
                    self.op(op)
            operands = [self.values[operand] for operand in terminator.operands]
            if not terminator.successors:
                return terminator, operands
            block, arguments = successor(terminator, operands)

    def results(self, region: Region, arguments: Sequence[Value] = ()) -> list[Value]:
        return self.region(region, arguments)[1]

    def op(self, op: Operation) -> None:
        operands = [self.values[operand] for operand in op.operands]
        with np.errstate(all="ignore"):
            results = OPS[op_name(op)](self, op, operands)
        self.values.update(zip(op.results, results, strict=True))


Implementation: TypeAlias = Callable[
    [_Run, Operation, Sequence[Value]], "Sequence[Value]"
]
OPS: dict[str, Implementation] = {}


def implements(*names: str) -> Callable[[Implementation], Implementation]:
    def register(implementation: Implementation) -> Implementation:
        OPS.update(dict.fromkeys(names, implementation))
        return implementation

    return register


def successor(
    terminator: Operation, operands: Sequence[Value]
) -> tuple[Block, Sequence[Value]]:
    """The block that the branch goes to, and what it takes along."""
    blocks = terminator.successors
    match op_name(terminator):
        case "cf.br":
            return blocks[0], operands
        case "cf.cond_br":
            (condition,), then, otherwise = segments(terminator, operands)
            return (blocks[0], then) if condition else (blocks[1], otherwise)
        case "cf.switch":
            (flag,), default, cases = segments(terminator, operands)
            start = 0
            for block, value, size in zip(
                blocks[1:],
                integers(terminator, "case_values"),
                integers(terminator, "case_operand_segments"),
                strict=True,
            ):
                if value == flag:
                    return block, cases[start : start + size]
                start += size
            return blocks[0], default
        case name:
            raise KeyError(name)


# arith ----------------------------------------------------------------------------------


@implements("arith.constant")
def _constant(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    match attribute(op, "value"):
        case DenseIntOrFPElementsAttr() as dense:
            elements = np.array(dense.get_values(), element_of(op.results[0]))
            return [np.resize(elements, shape_of(op.results[0]))]
        case IntegerAttr() as number:
            return [_scalar(op, number.value.data)]
        case FloatAttr() as number:
            return [_scalar(op, number.value.data)]
        case other:
            raise KeyError(str(other))


def _scalar(op: Operation, value: Value) -> Value:
    type = op.results[0].type
    return int(value) if isinstance(type, IndexType) else dtype_of(type).type(value)


def _arithmetic(function: Callable[..., Value]) -> Implementation:
    def implementation(
        run: _Run, op: Operation, operands: Sequence[Value]
    ) -> Sequence[Value]:
        return [_scalar(op, function(*operands))]

    return implementation


OPS.update(
    (name, _arithmetic(function))
    for name, function in (
        ("arith.addf", operator.add),
        ("arith.addi", operator.add),
        ("arith.subf", operator.sub),
        ("arith.subi", operator.sub),
        ("arith.mulf", operator.mul),
        ("arith.muli", operator.mul),
        ("arith.maximumf", max),
        ("arith.maxsi", max),
        ("arith.minsi", min),
        ("arith.remui", operator.mod),
        ("arith.index_cast", operator.pos),
        ("arith.sitofp", operator.pos),
    )
)

_COMPARISONS: Mapping[int, Callable[[int, int], bool]] = {
    0: lambda a, b: a == b,
    1: lambda a, b: a != b,
    2: lambda a, b: a < b,
    3: lambda a, b: a <= b,
    4: lambda a, b: a > b,
    5: lambda a, b: a >= b,
}


@implements("arith.cmpi")
def _cmpi(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [_COMPARISONS[integer(op, "predicate")](*operands)]


@implements("arith.select")
def _select(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    condition, true, false = operands
    return [true if condition else false]


# func and scf ---------------------------------------------------------------------------


@implements("func.call")
def _call(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    callee = cast("SymbolRefAttr", attribute(op, "callee"))
    return run.interpreter.call(callee.root_reference.data, operands)


@implements("scf.if")
def _if(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    region = op.regions[0 if operands[0] else 1]
    return run.results(region) if region.blocks else ()


@implements("scf.execute_region")
def _execute(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return run.results(op.regions[0])


@implements("scf.index_switch")
def _switch(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    cases = integers(op, "cases")
    # The first region is the default.
    taken = cases.index(operands[0]) + 1 if operands[0] in cases else 0
    return run.results(op.regions[taken])


@implements("scf.for")
def _for(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    lower, upper, step, *carried = operands
    for i in range(lower, upper, step):
        carried = run.results(op.regions[0], [i, *carried])
    return carried


@implements("scf.while")
def _while(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    while True:
        again, *values = run.results(op.regions[0], operands)
        if not again:
            return values
        operands = run.results(op.regions[1], values)


@implements("scf.forall")
def _forall(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    lower, upper, step, shared = segments(op, operands)
    ranges = map(
        range,
        mixed(integers(op, "staticLowerBound"), lower),
        mixed(integers(op, "staticUpperBound"), upper),
        mixed(integers(op, "staticStep"), step),
    )
    results = list(shared)
    block = op.regions[0].block
    outputs = block.args[len(block.args) - len(shared) :]
    for index in product(*ranges):
        # What a run inserts is not seen by the others.
        terminator, _ = run.region(op.regions[0], [*index, *shared])
        for insertion in terminator.regions[0].block.ops:
            if op_name(insertion) != "tensor.parallel_insert_slice":
                continue
            place = outputs.index(insertion.operands[1])
            values = [run.values[operand] for operand in insertion.operands]
            values[1] = results[place]
            results[place] = _inserted(insertion, values)
    return results


# tensor ---------------------------------------------------------------------------------


def _undefined(value: SSAValue, sizes: Sequence[Value]) -> Array:
    return np.full(mixed(shape_of(value), sizes), UNDEFINED, element_of(value))


@implements("tensor.empty", "memref.alloc")
def _empty(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [_undefined(op.results[0], operands)]


@implements("tensor.cast")
def _same(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return operands


@implements("tensor.dim")
def _dim(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [operands[0].shape[operands[1]]]


@implements("tensor.extract", "memref.load")
def _extract(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    source, *indices = operands
    return [source[_in_bounds(source, indices)]]


@implements("tensor.insert")
def _insert(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    element, into, *indices = operands
    result = into.copy()
    result[_in_bounds(into, indices)] = element
    return [result]


def _in_bounds(array: Array, indices: Sequence[int]) -> tuple[int, ...]:
    assert all(
        0 <= index < size for index, size in zip(indices, array.shape, strict=True)
    )
    return tuple(indices)


@implements("tensor.from_elements")
def _elements(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    result = op.results[0]
    return [np.array(operands, element_of(result)).reshape(shape_of(result))]


@implements("tensor.splat")
def _splat(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    element, *sizes = operands
    result = op.results[0]
    return [np.full(mixed(shape_of(result), sizes), element, element_of(result))]


@implements("tensor.concat")
def _concat(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [np.concatenate(operands, axis=integer(op, "dim"))]


def _slice(op: Operation, shape: Sequence[int], operands: Sequence[Value]) -> Any:
    offsets, sizes, strides = (
        mixed(integers(op, f"static_{name}"), values)
        for name, values in zip(("offsets", "sizes", "strides"), operands, strict=True)
    )
    for offset, size, stride, extent in zip(
        offsets, sizes, strides, shape, strict=True
    ):
        assert offset >= 0
        assert size >= 0
        assert not size or offset + (size - 1) * stride < extent
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1 if size else offset, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )


@implements("tensor.extract_slice")
def _extract_slice(
    run: _Run, op: Operation, operands: Sequence[Value]
) -> Sequence[Value]:
    (source,), *places = segments(op, operands)
    part = source[_slice(op, source.shape, places)]
    return [_without_unit_sizes(part, shape_of(op.results[0])).copy()]


def _without_unit_sizes(part: Array, shape: Sequence[int]) -> Array:
    """Rank-reduced to the shape, in which sizes may be unknown."""
    wanted = list(shape)
    dropped = part.ndim - len(wanted)
    kept: list[int] = []
    for size in part.shape:
        fits = wanted and wanted[0] in (size, DYNAMIC_INDEX)
        if dropped and size == 1 and (not fits or wanted[0] == DYNAMIC_INDEX):
            dropped -= 1
        else:
            assert fits
            wanted.pop(0)
            kept.append(size)
    return part.reshape(kept)


@implements("tensor.insert_slice")
def _insert_slice(
    run: _Run, op: Operation, operands: Sequence[Value]
) -> Sequence[Value]:
    return [_inserted(op, operands)]


def _inserted(op: Operation, operands: Sequence[Value]) -> Array:
    (source,), (into,), *places = segments(op, operands)
    result = into.copy()
    where = _slice(op, into.shape, places)
    result[where] = source.reshape(result[where].shape)
    return result


@implements("tensor.expand_shape")
def _expand(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    source, *sizes = operands
    return [source.reshape(mixed(integers(op, "static_output_shape"), sizes))]


@implements("tensor.collapse_shape")
def _collapse(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    groups = cast(
        "ArrayAttr[ArrayAttr[IntegerAttr[Any]]]", attribute(op, "reassociation")
    )
    (source,) = operands
    return [
        source.reshape(
            [
                math.prod(source.shape[dimension.value.data] for dimension in group)
                for group in groups
            ]
        )
    ]


@implements("tensor.generate")
def _generate(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    result = _undefined(op.results[0], operands)
    for index in np.ndindex(*result.shape):
        (result[index],) = run.results(op.regions[0], index)
    return [result]


@implements("tensor.pad")
def _pad(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    (source,), *widths = segments(op, operands)
    low, high = (
        mixed(integers(op, f"static_{name}"), values)
        for name, values in zip(("low", "high"), widths, strict=True)
    )
    shape = [sum(sizes) for sizes in zip(low, source.shape, high, strict=True)]
    result = np.zeros(shape, source.dtype)
    for index in np.ndindex(*shape):
        (result[index],) = run.results(op.regions[0], index)
    inner = (slice(l, l + size) for l, size in zip(low, source.shape, strict=True))
    result[tuple(inner)] = source
    return [result]


# linalg ---------------------------------------------------------------------------------

Map: TypeAlias = Callable[[tuple[int, ...]], tuple[int, ...]]
"""Which element of an operand takes part in a step of the iteration."""


def _identity(index: tuple[int, ...]) -> tuple[int, ...]:
    return index


def _nowhere(index: tuple[int, ...]) -> tuple[int, ...]:
    return ()


def _picking(dimensions: Sequence[int]) -> Map:
    return lambda index: tuple(index[d] for d in dimensions)


def _dropping(dimensions: Sequence[int]) -> Map:
    return lambda index: tuple(i for d, i in enumerate(index) if d not in dimensions)


def _affine(attribute: AffineMapAttr) -> Map:
    return lambda index: tuple(attribute.data.eval(list(index), []))


def _structured(
    run: _Run,
    op: Operation,
    operands: Sequence[Value],
    sizes: Sequence[int],
    maps: Sequence[Map],
) -> Sequence[Value]:
    """
    The body once for each step, in order, on one element of each operand; it yields the
    new elements of the outputs.
    """
    outputs = [array.copy() for array in operands[len(operands) - len(op.results) :]]
    all_operands = [*operands[: len(operands) - len(outputs)], *outputs]
    block = op.regions[0].block
    for index in np.ndindex(*sizes):
        run.interpreter.indices.append(index)
        elements = [
            operand[map(index)] if isinstance(operand, np.ndarray) else operand
            for operand, map in zip(all_operands, maps, strict=True)
        ]
        yielded = run.results(op.regions[0], elements[: len(block.args)])
        run.interpreter.indices.pop()
        for output, map, element in zip(
            outputs, maps[len(maps) - len(outputs) :], yielded, strict=True
        ):
            output[map(index)] = element
    return outputs


@implements("linalg.generic", "linalg.matmul")
def _generic(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = cast("ArrayAttr[AffineMapAttr]", attribute(op, "indexing_maps"))
    sizes: dict[int, int] = {}
    for map, operand in zip(attributes, operands, strict=True):
        for i, expression in enumerate(map.data.results):
            if isinstance(expression, AffineDimExpr):
                sizes[expression.position] = operand.shape[i]
    domain = [sizes[i] for i in range(attributes.data[0].data.num_dims)]
    return _structured(run, op, operands, domain, [_affine(map) for map in attributes])


@implements("linalg.add", "linalg.sub", "linalg.mul", "linalg.copy", "linalg.map")
def _elementwise(
    run: _Run, op: Operation, operands: Sequence[Value]
) -> Sequence[Value]:
    return _structured(
        run, op, operands, operands[-1].shape, [_identity] * len(operands)
    )


@implements("linalg.fill")
def _fill(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return _structured(run, op, operands, operands[1].shape, [_nowhere, _identity])


@implements("linalg.transpose")
def _transpose(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    permutation = integers(op, "permutation")
    inverse = [permutation.index(d) for d in range(len(permutation))]
    maps = [_picking(inverse), _identity]
    return _structured(run, op, operands, operands[1].shape, maps)


@implements("linalg.broadcast")
def _broadcast(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    maps = [_dropping(integers(op, "dimensions")), _identity]
    return _structured(run, op, operands, operands[1].shape, maps)


@implements("linalg.reduce")
def _reduce(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    inputs = len(operands) - len(op.results)
    maps = [_identity] * inputs
    maps += [_dropping(integers(op, "dimensions"))] * len(op.results)
    return _structured(run, op, operands, operands[0].shape, maps)


@implements("linalg.index")
def _index(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [run.interpreter.indices[-1][integer(op, "dim")]]


# vector ---------------------------------------------------------------------------------


def _elements_of(
    op: Operation, shape: Sequence[int], indices: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each position in the vector, and the position in the tensor that belongs to it."""
    map = cast("AffineMapAttr", attribute(op, "permutation_map")).data
    for position in np.ndindex(*shape):
        element = list(indices)
        for expression, offset in zip(map.results, position, strict=True):
            if isinstance(expression, AffineDimExpr):
                element[expression.position] += offset
        yield position, tuple(element)


def _is_inside(array: Array, index: Sequence[int]) -> bool:
    return all(0 <= i < size for i, size in zip(index, array.shape, strict=True))


@implements("vector.transfer_read")
def _read(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    (source,), indices, (padding,), *mask = segments(op, operands)
    result = np.full(shape_of(op.results[0]), padding)
    for position, element in _elements_of(op, result.shape, indices):
        if _is_inside(source, element) and not (
            mask and mask[0] and not mask[0][0][position]
        ):
            result[position] = source[element]
    return [result]


@implements("vector.transfer_write")
def _write(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    (vector,), (into,), indices, *mask = segments(op, operands)
    result = into.copy()
    for position, element in _elements_of(op, vector.shape, indices):
        if _is_inside(into, element) and not (
            mask and mask[0] and not mask[0][0][position]
        ):
            result[element] = vector[position]
    return [result]


@implements("vector.create_mask")
def _mask(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    result = np.zeros(shape_of(op.results[0]), np.bool_)
    result[tuple(slice(0, max(0, size)) for size in operands)] = True
    return [result]


# bufferization and memref ---------------------------------------------------------------


@implements("bufferization.alloc_tensor")
def _alloc_tensor(
    run: _Run, op: Operation, operands: Sequence[Value]
) -> Sequence[Value]:
    sizes, copied, _ = segments(op, operands)
    return [copied[0] if copied else _undefined(op.results[0], sizes)]


@implements("bufferization.materialize_in_destination")
def _materialize(
    run: _Run, op: Operation, operands: Sequence[Value]
) -> Sequence[Value]:
    source, destination = operands
    if not op.results:
        destination[...] = source
        return []
    return [source]


@implements("bufferization.to_buffer", "bufferization.to_tensor")
def _copy(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return [operands[0].copy()]


@implements("memref.store")
def _store(run: _Run, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    element, into, *indices = operands
    into[_in_bounds(into, indices)] = element
    return []
