"""
Arguments of functions that have the layout that is asked for.

At the boundary of a function the layout of a memref is not known, unless the function says
so, and where a known one is needed, a copy is made. `bufferization.buffer_layout` says so,
and leaves the layout to the caller, who is more likely to know.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    TensorType,
)
from xdsl.ir import Attribute, BlockArgument
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.dialect_attributes import BUFFER_LAYOUT
from xdsl_bufferization.interfaces.required_layout import RequiredLayoutOpInterface
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.memref_types import is_identity_map


class ArgumentLayouts:
    """The layouts of the arguments of a module's functions, which can be as they were."""

    def __init__(self, functions: Sequence[func.FuncOp], call_graph: CallGraph):
        self._call_graph = call_graph
        self._former = {f: f.arg_attrs for f in functions}

    def choose(self, functions: Container[func.FuncOp]) -> bool:
        """
        Give arguments of these functions, and of no others, the identity layout that a user
        in the function, or a function that it calls, requires, if they say nothing of
        their layout; whether there are such.
        """
        self.reset()
        chosen = False
        for component in self._call_graph.callees_first():
            for function in component:
                if function in functions and function.body.blocks:
                    chosen |= self._choose(function)
        return chosen

    def reset(self) -> None:
        """Let the functions be as they were."""
        for function, attributes in self._former.items():
            function.arg_attrs = attributes

    def _choose(self, function: func.FuncOp) -> bool:
        attributes = list(
            [DictionaryAttr({})] * len(function.args)
            if function.arg_attrs is None
            else function.arg_attrs.data
        )
        changed = False
        for index, argument in enumerate(function.args):
            type = argument.type
            if (
                isinstance(type, TensorType)
                and BUFFER_LAYOUT not in attributes[index].data
                and _is_identity_required(argument, self._call_graph)
            ):
                rank = cast("TensorType[Attribute]", type).get_num_dims()
                layout = AffineMapAttr(AffineMap.identity(rank))
                attributes[index] = DictionaryAttr(
                    {**attributes[index].data, BUFFER_LAYOUT: layout}
                )
                changed = True
        if changed:
            function.arg_attrs = ArrayAttr(attributes)
        return changed


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
