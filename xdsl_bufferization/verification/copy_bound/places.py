"""
The place of each tensor if no view is copied: a root, and the path of views that leads to it.

    %s = tensor.extract_slice %t[4] [4] [1]          // root %t, path [4] [4]
    %c = tensor.collapse_shape %s ...                // root %t, path [4] [4], reshaped
    %r = linalg.exp ins(%s) outs(%u)                 // no view: root %r

A path has no more than `MAX_VIEW_STEPS`.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.limits import MAX_VIEW_STEPS
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    ReshapeStep,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.links import (
    LinkKind,
    Links,
    Operand,
)


class Place(NamedTuple):
    """A part of the memory of the tensor `root`, which is no view."""

    root: SSAValue
    path: AccessPath


class Places:
    """The place of each tensor, if no view is copied."""

    def __init__(self, links: Links):
        self._of: dict[SSAValue, Place] = {}
        self._views: dict[SSAValue, tuple[Operand, ...]] = {}
        for op in links.ops:
            for result in op.results:
                (link, *others) = links.to_result.get(result, (None,))
                if others or link is None or link.kind is not LinkKind.VIEW:
                    continue
                source = link.operand.value
                root, path = self.of(source)
                if MAX_VIEW_STEPS.exceeded_by(len(path) + 1):
                    continue
                if link.part is not None:
                    path = (*path, slice_step(link.part))
                elif result.type != source.type:
                    path = (*path, ReshapeStep(result.type))
                self._of[result] = Place(root, path)
                self._views[result] = (*self.views(source), link.operand)

    def of(self, value: SSAValue) -> Place:
        """The place of the tensor."""
        return self._of.get(value) or Place(value, ())

    def views(self, value: SSAValue) -> tuple[Operand, ...]:
        """The operands of views that lead from the root to the tensor."""
        return self._views.get(value, ())


def is_constant(root: SSAValue) -> bool:
    """Whether the tensor is a constant."""
    return isinstance(root, OpResult) and root.op.has_trait(
        ConstantLike, value_if_unregistered=False
    )


def is_given(root: SSAValue) -> bool:
    """Whether the memory of the tensor is given, and not the function's to choose."""
    if isinstance(root, BlockArgument):
        return is_function_argument(root)
    return is_constant(root) or (
        isinstance(root, OpResult) and root.op.name == "bufferization.to_tensor"
    )


def is_writable(root: SSAValue) -> bool:
    """Whether the memory of the tensor may be written."""
    owner = root.owner.parent_op() if isinstance(root.owner, Block) else root.owner
    if owner is None or (
        isinstance(root, BlockArgument) and not is_function_argument(root)
    ):
        return True
    model = BufferizableOpInterface.of(owner)
    return model is None or model.is_writable(owner, root, NOTHING_KNOWN)


def has_contents_of_its_own(root: SSAValue, links: Links) -> bool:
    """
    Whether no other tensor is known to have its contents in whole or in part: an argument of
    a function, or what an op computes in all of its result.
    """
    if isinstance(root, BlockArgument):
        return is_function_argument(root)
    op = defining_op(root)
    if op.regions and DestinationStyleOpInterface.of(op) is None:
        return False
    insertion = SubsetInsertionOpInterface.of(op)
    made_of = links.to_result.get(root, ())
    return insertion is None and all(
        link.kind is LinkKind.UPDATE and link.part is None for link in made_of
    )
