"""
Arguments of functions that have the layout that is asked for.

At the boundary of a function the layout of a memref is not known, unless the function says
so, and where a known one is needed, a copy is made. `bufferization.buffer_layout` says so,
and leaves the layout to the caller, who is more likely to know.

With `function-boundary-type-conversion=identity-layout-map` all layouts are known, and slices are
copied for calls:

    %w1 = tensor.extract_slice %w[1, 0] [1, 8] [1, 1]   // a memref with an offset
    %y = func.call @layer(%w1)                          // wants one without: a copy

An argument of a private function that only the module calls gets an unknown layout instead, if
some caller has another one than the identity. Callers outside of the module see no difference.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    TensorType,
)
from xdsl.ir import Attribute, BlockArgument
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.contents import RequiredLayoutOpInterface
from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.rewriting.buffer_types import BufferTypeInference
from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.memref_types import (
    fully_dynamic_type,
    has_identity_layout,
    is_identity_map,
)
from xdsl_bufferization.support.options import LayoutMapOption
from xdsl_bufferization.support.shaped_types import ranked_memref


class ArgumentLayouts:
    """The layouts of the arguments of a module's functions, which can be as they were."""

    def __init__(
        self, functions: Iterable[func.FuncOp], one_shot: OneShotBufferization
    ):
        self._call_graph = one_shot.call_graph
        self._options = one_shot.options
        self._model_of = one_shot.model_of
        self._former = {f: f.arg_attrs for f in functions}

    def choose(self, functions: Container[func.FuncOp]) -> None:
        """
        Give arguments of these functions, and of no others, the identity layout that a user
        in the function, or a function that it calls, requires, or an unknown layout, if they
        say nothing of their layout.
        """
        self.reset()
        components = self._call_graph.callees_first()
        for component in components:
            for function in component:
                if function in functions and function.body.blocks:
                    self._hint(function, _required_identity(function, self._call_graph))
        if self._options.function_boundary_type_conversion is LayoutMapOption.IDENTITY:
            self._follow_callers(functions, components)

    def _follow_callers(
        self,
        functions: Container[func.FuncOp],
        components: Sequence[Sequence[func.FuncOp]],
    ) -> None:
        """Give arguments an unknown layout where that of a call's operand is no identity."""
        graph, recursive = self._call_graph, self._call_graph.recursive
        types = BufferTypeInference(
            self._options, self._model_of, graph.callee, recursive
        )
        # Layouts of a function's arguments are known before those of the calls in it.
        for function in (f for component in reversed(components) for f in component):
            if (
                function in functions
                and function not in recursive
                and is_private(function)
                and graph.may_change(function)
            ):
                self._hint(function, _unknown_layouts(graph.calls[function], types))
            if function.body.blocks:
                types.infer_types(function.body)

    def reset(self) -> None:
        """Let the functions be as they were."""
        for function, attributes in self._former.items():
            function.arg_attrs = attributes

    def _hint(self, function: func.FuncOp, layouts: Mapping[int, Attribute]) -> None:
        """Give arguments these layouts, by index, where they say nothing of it."""
        attributes = list(
            [DictionaryAttr({})] * len(function.args)
            if function.arg_attrs is None
            else function.arg_attrs.data
        )
        for index, layout in layouts.items():
            if BUFFER_LAYOUT not in attributes[index].data:
                attributes[index] = DictionaryAttr(
                    {**attributes[index].data, BUFFER_LAYOUT: layout}
                )
        if layouts:
            function.arg_attrs = ArrayAttr(attributes)


def _required_identity(
    function: func.FuncOp, call_graph: CallGraph
) -> Mapping[int, Attribute]:
    """By index of the arguments that must have it: the identity layout."""
    return {
        argument.index: AffineMapAttr(AffineMap.identity(type.get_num_dims()))
        for argument in function.args
        if isinstance(type := argument.type, TensorType)
        and _is_identity_required(argument, call_graph)
    }


def _unknown_layouts(
    calls: Sequence[func.CallOp], types: BufferTypeInference
) -> Mapping[int, Attribute]:
    """An unknown layout by index of the operands that have no identity layout in some call."""
    return {
        index: _unknown_layout(value.type)
        for call in calls
        for index, value in enumerate(call.operands)
        if isinstance(value.type, TensorType)
        and not has_identity_layout(types.buffer_type(value))
    }


def _unknown_layout(type: TensorType[Attribute]) -> Attribute:
    return ranked_memref(fully_dynamic_type(type)).layout


def _is_identity_required(argument: BlockArgument, call_graph: CallGraph) -> bool:
    for use in argument.uses:
        user, index = use.operation, use.index
        model = RequiredLayoutOpInterface.of(user)
        if model is not None and model.requires_identity(user, index):
            return True
        callee = call_graph.callee(user) if isinstance(user, func.CallOp) else None
        if (
            callee is not None
            and callee.arg_attrs is not None
            and index < len(callee.arg_attrs)
            and is_identity_map(callee.arg_attrs.data[index].data.get(BUFFER_LAYOUT))
        ):
            return True
    return False
