"""
Facts about a function: its links, contents, places and dependences.

The place of a tensor, if no view is copied, is a root, and the path of views that leads to it:

    %s = tensor.extract_slice %t[4] [4] [1]          // root %t, path [4] [4]
    %c = tensor.collapse_shape %s ...                // root %t, path [4] [4], reshaped
    %r = linalg.exp ins(%s) outs(%u)                 // no view: root %r

A path has no more than `MAX_VIEW_STEPS`.

Dependences are ops that come after another one in every order that their operands allow:

    %a = linalg.exp ins(%x) outs(%e)
    %b = linalg.exp ins(%a) outs(%e)    // after %a in every order
    %c = linalg.exp ins(%x) outs(%e)    // in either order with %a

The search visits no more than `MAX_DEPENDENT_OPS` ops.

How often ops are executed, where constants tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from math import prod
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    NOTHING_KNOWN,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.region_branch import is_loop
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.limits import MAX_DEPENDENT_OPS, MAX_VIEW_STEPS
from xdsl_bufferization.support.regions import (
    ancestors,
    block_of,
    defining_op,
    terminator_of,
)
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    ReshapeStep,
    loop_of_regions,
    path_after_iteration,
    relation,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.links import (
    Contents,
    LinkKind,
    Links,
    NeededByCallee,
    Operand,
    Sizes,
)


def loops_between(op: Operation, outer: Block) -> list[Operation] | None:
    """
    The loops around the op, from the innermost on, within the block `outer`; `None` if there
    are other ops with regions between, or if the op is not within the block.
    """
    loops: list[Operation] = []
    block = op.parent
    while block is not None and block is not outer:
        around = block.parent_op()
        if around is None or not is_loop(around) or block.parent is None:
            return None
        if block.parent.blocks.first is not block.parent.blocks.last:
            return None
        loops.append(around)
        block = around.parent
    return None if block is None else loops


def loops_around(op: Operation) -> Iterator[Operation]:
    """The loops around the op, from the innermost on."""
    _, *around = ancestors(op)
    yield from filter(is_loop, around)


def executions(op: Operation) -> int:
    """
    How often the op is executed for each execution of its function, as if each branch were
    taken; loops with unknown trip counts are counted once.
    """
    return _times(loops_around(op))


def _times(loops: Iterable[Operation]) -> int:
    """How often loops in one another run their body; those of unknown trip count, once."""
    counts = map(trip_count, loops)
    return prod(count for count in counts if count is not None)


class Place(NamedTuple):
    """A part of the memory of the tensor `root`, which is no view."""

    root: SSAValue
    path: AccessPath


class Places:
    """The place of each tensor, if no view is copied."""

    def __init__(self, links: Links):
        self._of: dict[SSAValue, tuple[Place, tuple[Operand, ...]]] = {}
        for result, (link, *others) in links.to_result.items():
            if others or link.kind is not LinkKind.VIEW:
                continue
            source = link.operand.value
            root, path = self.of(source)
            if MAX_VIEW_STEPS.exceeded_by(len(path) + 1):
                continue
            if link.part is not None:
                path = (*path, slice_step(link.part))
            elif result.type != source.type:
                path = (*path, ReshapeStep(result.type))
            views = (*self.views(source), link.operand)
            self._of[result] = Place(root, path), views

    def of(self, value: SSAValue) -> Place:
        """The place of the tensor."""
        return self._of[value][0] if value in self._of else Place(value, ())

    def views(self, value: SSAValue) -> tuple[Operand, ...]:
        """The operands of views that lead from the root to the tensor."""
        return self._of[value][1] if value in self._of else ()


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


class Program:
    """The ops of one function, or of those outside of functions."""

    def __init__(
        self,
        scope: Iterable[Operation],
        needed_by_callee: NeededByCallee,
        sizes: Sizes,
    ):
        self.sizes = sizes
        self.links = Links(scope)
        self.contents = Contents(self.links, needed_by_callee, sizes)
        self.places = Places(self.links)
        self._positions = {op: position for position, op in enumerate(self.links.ops)}
        self.users_of_all = cache(self._users_of_all)

    def _users_of_all(self, value: SSAValue) -> Collection[Operation]:
        """The ops in the block of the tensor that need all of it at once."""
        return dict.fromkeys(
            use.operation
            for use in value.uses
            if use.operation.parent is block_of(value)
            and self._needs_all(Operand(use.operation, use.index))
        ).keys()

    def _needs_all(self, operand: Operand) -> bool:
        return self.links.link(operand) is None and (
            self.contents.needed_by(operand) == self.sizes.of(operand.value) > 0
        )

    def changes(self, root: SSAValue, path: AccessPath, op: Operation) -> int:
        """
        How often the part of the root's memory is another one, or has other contents, when
        the op is executed; at least.
        """
        outer = block_of(root)
        inner = [
            loop
            for loop in loops_between(op, outer) or ()
            if relation(path_after_iteration(path, loop_of_regions(loop)), path)
            is Relation.DISJOINT
        ]
        return _times(inner) * executions(terminator_of(outer))

    # Dependences

    def one_that_must_follow(
        self, ops: Iterable[Operation], first: Operation
    ) -> Operation | None:
        """
        One of the ops that runs after `first` in every order: it ends a block that `first`
        is in, or needs what that computes. It is not looked for long.
        """
        steps, seen = MAX_DEPENDENT_OPS.steps(), set[Operation]()
        for op in ops:
            if op is not first and (
                _ends(op, first) or self._needs(op, first, seen, steps)
            ):
                return op
        return None

    def _needs(
        self,
        op: Operation,
        first: Operation,
        seen: set[Operation],
        steps: Iterator[int],
    ) -> bool:
        start = self._positions[first]
        pending = [op]
        while pending and next(steps, None) is not None:
            for value in self._needed(pending.pop()):
                owner = value.owner
                if owner is first:
                    return True
                if isinstance(owner, Block):
                    owner = owner.parent_op()
                    if owner is None:
                        continue
                if owner not in seen and self._positions.get(owner, -1) > start:
                    seen.add(owner)
                    pending.append(owner)
        return False

    def _needed(self, op: Operation) -> Iterator[SSAValue]:
        """
        The operands that the op cannot do without. If it needs a part of a tensor only, another
        tensor may have that part.
        """
        for index, value in enumerate(op.operands):
            if not is_tensor(value):
                yield value
                continue
            operand = Operand(op, index)
            link = self.links.link(operand)
            if link is not None:
                if link.part is None or link.kind is LinkKind.PART:
                    yield value
            elif self.links.read_parts.get(operand, ...) is None:
                yield value


def _ends(op: Operation, first: Operation) -> bool:
    """Whether the op ends the block that `first` is in, or one around it."""
    if not op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    return (
        op.parent is not None and op.parent.find_ancestor_op_in_block(first) is not None
    )
