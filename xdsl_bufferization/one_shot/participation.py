"""
Which ops are bufferized, and which programs cannot be.

Other ops stay on tensors. An op takes part if it has a model, its dialect is not filtered out, and
its parent takes part if it forwards tensors to the parent. Functions, calls and returns take part
only if function boundaries are bufferized; then modules within the module do not.

`copy_shared_memory` copies memory that other tensors may share, where it becomes a tensor:

    %m = bufferization.to_buffer %t    // %t may be written in place after this
    %s = arith.select %c, %k, %m
    %u = bufferization.to_tensor %s    // from now on `restrict writable`, of a copy of %s

An earlier bufferization of other dialects leaves `to_tensor` without `restrict`. Local memory is
not copied: all its tensors are made by `to_tensor`, and without `restrict` none is written. For
arguments of functions, callers would have to be known; those are refused.

`verify_bufferizable` refuses programs that cannot be bufferized, whatever is decided, first of
all. Models whose answers cannot be right are refused, too, and tensors that no memref can hold:
sparse ones, and those of certain elements.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import prod

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    UnrankedMemRefType,
    UnregisteredAttr,
    VectorType,
)
from xdsl.ir import Attribute, BuiltinAttribute, Operation, OpResult

from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingResults,
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
    MemoizingState,
    ModelOf,
)
from xdsl_bufferization.interfaces.contents import is_elementwise_mappable
from xdsl_bufferization.interfaces.dialect_attributes import (
    verify_argument_attributes,
    verify_op_attributes,
)
from xdsl_bufferization.interfaces.parallel_combining import (
    belongs_to_parent,
    combines_in_parallel,
)
from xdsl_bufferization.interfaces.registry import (
    BOOL,
    ENTRY_POINT_GROUP,
    Expected,
    answers,
    ask_all,
    entry_point_like,
    instance_of,
    sequence_of,
)
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.memrefs.buffers.buffer_flow import base_of, is_local_memory
from xdsl_bufferization.one_shot.decisions.analysis import options_at
from xdsl_bufferization.one_shot.rewriting.op_builder import BufferOpBuilder
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_function,
    is_function_argument,
    is_return,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import is_of_other_package, verify_op_itself
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
    is_memref_type,
    is_sparse,
    is_static_tensor,
    is_tensor,
    is_tensor_type,
)


def participating_model(
    op: Operation, options: OneShotOptions
) -> BufferizableOpInterface | None:
    """The model by which the op is bufferized; `None` if it stays on tensors."""
    if not options.bufferize_function_boundaries and is_function_boundary(op):
        return None
    model = BufferizableOpInterface.of(op)
    if model is None and op.next_op is None and is_return(op):
        model = BufferizableOpInterface.named("func.return")
    if model is not None and belongs_to_parent(op):
        parent = op.parent_op()
        takes_part = parent is not None and participating_model(parent, options)
        return model if takes_part else None
    if options.dialect_filter and not options.lets_take_part(op_name(op)):
        return None
    return model


def bufferized_functions(module: ModuleOp, options: OneShotOptions) -> CallGraph:
    """The functions that are bufferized, also those in symbol tables within the module."""
    left = left_modules(module, options)
    return CallGraph(module, has_tensor_semantics, without=left)


def left_modules(module: ModuleOp, options: OneShotOptions) -> set[Operation]:
    """The outermost modules within the module that stay as they are."""
    if not options.bufferize_function_boundaries:
        return set()
    return {op for op in module.ops if isinstance(op, ModuleOp)}


def is_function_boundary(op: Operation) -> bool:
    """Whether the op is a function, a call or a return of the func dialect."""
    return op_name(op).startswith("func.")


def copy_shared_memory(module: ModuleOp, options: OneShotOptions) -> None:
    """Copy the memrefs of the `to_tensor` ops that take part, where that is necessary."""
    if options.copy_before_write:
        return
    builder = BufferOpBuilder(options.buffer_alignment)
    for op in walk([module], without=left_modules(module, options)):
        if (
            op.name == ToTensorOp.name
            and "restrict" not in op.properties
            and isinstance((source := op.operands[0]).type, MemRefType)
            and not is_local_memory(source)
            and not is_function_argument(base_of(source))
            and participating_model(op, options) is not None
        ):
            builder.start(op)
            op.operands[0] = builder.copied(source)
            op.properties |= {"restrict": UnitAttr(), "writable": UnitAttr()}


def verify_bufferizable(
    ops: Iterable[Operation],
    options: OneShotOptions,
    model_of: ModelOf,
    *,
    rewritten: bool,
) -> Sequence[Operation]:
    """
    Raise `BufferizationError` if a program of these ops cannot be bufferized, whatever is
    decided; for unknown ops and sparse tensors only if it is to be `rewritten`. Returns the
    ops without tensors and those without a model.

    `model_of` gives the model of an op that takes part.
    """
    verified: set[Hashable] = set()
    defined: set[Operation] = set()
    others: list[Operation] = []
    for op in ops:
        defined.add(op)
        if op.attributes:
            verify_op_attributes(op)
        if is_function(op):
            verify_argument_attributes(op)
        if op.successors:
            _verify_branch(op, model_of)
        if not has_tensor_semantics(op):
            others.append(op)
            continue
        _verify_order(op, defined)
        model = model_of(op)
        if model is not None:
            _verify_model(model, op, options_at(op, options), verified)
            if rewritten:
                _verify_tensor_types(op)
        elif rewritten and not _may_stay_on_tensors(op, options):
            raise BufferizationError(
                op,
                "is not bufferizable: nothing is known of what it does to buffers",
                hint=f"{_way_to_bufferize(op)}, or leave it on tensors with the option "
                "allow-unknown-ops",
            )
        else:
            others.append(op)
    return others


def verify_references(
    ops: Iterable[Operation], call_graph: CallGraph, model_of: ModelOf
) -> None:
    """
    Raise `BufferizationError` if an op that stays as it is refers to a function whose type
    will change, and has types of its own that would have to change with it.
    """
    for op in ops:
        if not _has_types_of_functions(op) or model_of(op) is not None:
            continue
        for function in call_graph.functions_named_by(op):
            if has_tensor_semantics(function) and model_of(function) is not None:
                name = printed_symbol(function.sym_name.data)
                raise BufferizationError(
                    op,
                    f"refers to '{name}', whose type would change",
                    related=[("the function", function)],
                    hint="call the function by func.call, or give it memrefs",
                )


def _has_types_of_functions(op: Operation) -> bool:
    """Whether the op has an operand or a result that is a function or a tensor."""
    return any(
        is_tensor(value) or type(value.type) is FunctionType
        for values in (op.operands, op.results)
        for value in values
    )


def _way_to_bufferize(op: Operation) -> str:
    """The remedy for an op that has no model."""
    if is_elementwise_mappable(op):
        return "run convert-elementwise-to-linalg first"
    if similar := BufferizableOpInterface.named_like(op):
        there_is = f" (there is one for '{similar}')"
    elif similar := entry_point_like(op):
        there_is = f" (there is an entry point '{similar}' in {ENTRY_POINT_GROUP})"
    else:
        there_is = ""
    return f"lower it to ops that are, register a model for it{there_is}"


def _verify_order(op: Operation, defined: Container[Operation]) -> None:
    """Refuse a use of a tensor before its definition, which xDSL does not verify."""
    for value in op.operands:
        if (
            is_tensor(value)
            and isinstance(value, OpResult)
            and (value.op not in defined or _is_within(value.op, op))
        ):
            raise BufferizationError(
                op,
                "uses a tensor before it is defined",
                related=[("it is defined", value.op)],
            )


def _is_within(definition: Operation, user: Operation) -> bool:
    """Whether the op that defines a tensor uses it itself, or in its regions."""
    return user is definition or (
        bool(definition.regions)
        and definition.parent is not user.parent
        and definition.is_ancestor(user)
    )


def _verify_branch(op: Operation, model_of: ModelOf) -> None:
    """Refuse an unknown branch that forwards tensors to blocks that will have buffers."""
    parent = op.parent_op()
    if (
        parent is not None
        and model_of(parent) is not None
        and model_of(op) is None
        and any(is_tensor(a) for block in op.successors for a in block.args)
    ):
        raise BufferizationError(
            op,
            "hands tensors to blocks, and nothing is known of how it does that",
            hint="lower it to cf ops, or register a model for it",
        )


def _may_stay_on_tensors(op: Operation, options: OneShotOptions) -> bool:
    """Whether it is no error that the op does not take part."""
    return (
        options.allow_unknown_ops
        or (is_function_boundary(op) and not options.bufferize_function_boundaries)
        or _branches_in_function(op)
        or not options.lets_take_part(op_name(op))
        or _is_left_to_parent(op)
    )


def _branches_in_function(op: Operation) -> bool:
    """Whether the op is a known branch between blocks of a function."""
    parent = op.parent_op()
    return (
        bool(op.successors)
        and parent is not None
        and is_function_boundary(parent)
        and BufferizableOpInterface.of(op) is not None
    )


def _is_left_to_parent(op: Operation) -> bool:
    """Whether the op combines for a known parent, and stays on tensors as the parent."""
    parent = op.parent_op()
    return (
        combines_in_parallel(op)
        and parent is not None
        and BufferizableOpInterface.of(parent) is not None
    )


def _aliasing_values(
    op: Operation, index: int, _: object
) -> Expected[Sequence[AliasingValue]]:
    """The answers of `aliasing_values` about the operand that may be right."""
    return sequence_of(
        AliasingValue,
        "AliasingValue, each of a tensor, and BufferRelation.UNKNOWN if that is a part",
        lambda alias: (
            is_tensor(alias.value)
            and (
                alias.relation is BufferRelation.UNKNOWN
                or not _is_part(op.operands[index].type, alias.value.type)
            )
        ),
    )


def _is_part(whole: Attribute, part: Attribute) -> bool:
    """Whether tensors of the types cannot be all of one buffer."""
    return (
        is_static_tensor(whole)
        and is_static_tensor(part)
        and whole.element_type == part.element_type
        and prod(whole.get_shape()) != prod(part.get_shape())
    )


def _verify_model(
    model: BufferizableOpInterface,
    op: Operation,
    options: OneShotOptions,
    verified: set[Hashable],
) -> None:
    """
    Raise `BufferizationError` if the op cannot be bufferized, whatever is decided, or an
    answer about it cannot be right: a value of another type, or the index of an operand
    that the op does not have.

    Answers are verified for the first op of each kind: ops of one name with the same number of
    operands, results and regions. `verified` has the kinds so far.
    """
    counts = len(op.operands), len(op.results), len(op.regions)
    kind = type(model), op_name(op), counts
    is_new = kind not in verified
    # Models rely on it, those of this package on what the first op of a kind shows.
    if is_new or is_of_other_package(type(model)):
        verify_op_itself(op)
    if is_new:
        model.verify_answers(op)
    model.verify_op(op, options)
    if is_new:
        _verify_answers(model, op)
        verified.add(kind)


_ASKED_OF_OURS = 32
"""Operands and results of an op about which models of this package are asked to verify them."""


def _verify_answers(model: BufferizableOpInterface, op: Operation) -> None:
    # Models of this package answer alike for the operands of terminators and loops.
    is_ours = not is_of_other_package(type(model))
    asked = _ASKED_OF_OURS if is_ours else None
    tensors = [r for r in op.results[:asked] if is_tensor(r)]
    subjects: Mapping[str, Iterable[object]] = {
        "operand": [i for i, v in enumerate(op.operands[:asked]) if is_tensor(v)],
        "result": tensors,
        "value": tensors,
        "region": range(len(op.regions)),
        "state": (MemoizingState(),),
    }
    ask_all(model, BufferizableOpInterface, _QUESTIONS, op, subjects)


_PART = instance_of(Slice, "a Slice").or_none()

_QUESTIONS = answers(
    reads=BOOL,
    writes=BOOL,
    aliasing_values=_aliasing_values,
    memrefs=sequence_of(
        OpResult, "OpResult, each a memref", lambda result: is_memref_type(result.type)
    ),
    must_be_in_place=BOOL,
    read_part=_PART,
    written_part=_PART,
    is_writable=BOOL,
    allocates=BOOL,
    defines_contents=BOOL.or_none(),
    aliasing_results=sequence_of(AliasingResults, "AliasingResults"),
    has_exclusive_regions=BOOL,
    takes_copies=BOOL,
    is_repetitive=BOOL,
    is_parallel=BOOL,
)


_ELEMENTS = (
    IntegerType
    | IndexType
    | AnyFloat
    | ComplexType
    | VectorType
    | MemRefType
    | UnrankedMemRefType
)

_DIALECTS_WITHOUT = frozenset(("async", "emitc", "llvm", "quant", "shape", "tosa"))
"""
Dialects whose types mlir-opt 22 refuses as element types of a memref. Types of dialects
that it does not know are accepted.
"""


def _verify_tensor_types(op: Operation) -> None:
    """
    Raise `BufferizationError` if one of the op's tensors is sparse, or has elements that no
    memref can have.
    """
    for type in filter(is_tensor_type, _types(op)):
        if is_sparse(type):
            raise BufferizationError(
                op,
                f"has a sparse tensor, which no memref can hold: {type}",
                hint="lower sparse tensors before, with mlir-opt's sparsification-and-"
                "bufferization, or leave the op on tensors with the option dialect-filter",
            )
        if not _can_be_element(type.element_type.__class__):
            element = type.element_type
            unregistered = isinstance(element, UnregisteredAttr)
            name = element.attr_name.data if unregistered else element.name
            if name.split(".")[0] in _DIALECTS_WITHOUT or (
                isinstance(element, BuiltinAttribute) and not unregistered
            ):
                raise BufferizationError(
                    op,
                    f"has a tensor that no memref can hold: {element} cannot be the "
                    "element type of a memref",
                    hint="lower it to an integer or float type before",
                )


@cache
def _can_be_element(kind: type) -> bool:
    """Whether attributes of the class are element types of memrefs."""
    return issubclass(kind, _ELEMENTS)


def _types(op: Operation) -> Sequence[Attribute]:
    """The types of the op's operands, results, block arguments and signature."""
    types = [value.type for values in (op.operands, op.results) for value in values]
    for region in op.regions:
        types += (type for block in region.blocks for type in block.arg_types)
    signature = op.properties.get("function_type")
    if isinstance(signature, FunctionType):
        types += (*signature.inputs, *signature.outputs)
    return types
