"""
The structure of a program, recorded before it changes, to build it again; and clones whose ops are
known by those that they are clones of.

A snapshot costs a fraction of a clone: it has the tuples and attributes that ops already have,
and copies only what passes change in place. Most programs are not refused, and are never built
again.

`all_or_nothing` takes changes to a program back if one of them is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import replace_body, walk_all

_Value: TypeAlias = tuple[SSAValue, Attribute, str | None]
"""A result or block argument, its type and its name."""


class _Block(NamedTuple):
    """A block without what is in it."""

    block: Block
    name_hint: str | None
    arguments: Sequence[tuple[SSAValue, Attribute, str | None, LocationAttr]]


class _Op(NamedTuple):
    """An op without what is in its regions."""

    op: Operation
    operands: Sequence[SSAValue]
    results: Sequence[_Value]
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]
    location: LocationAttr
    parent: Block | None
    successors: Sequence[Block]
    regions: Sequence[Sequence[_Block]]


class Snapshot:
    """An op with all that is in its regions, as it is now."""

    def __init__(self, op: Operation):
        self._ops = [*map(_recorded, walk_all([op]))]
        """In the order of the text."""
        self.built: dict[Operation, Operation] = {}
        """The ops that `build` has made, by the ops that were recorded."""

    def is_of(self, op: Operation) -> bool:
        """Whether the op, the recorded one, has not changed."""
        return self._ops == Snapshot(op)._ops

    def build(self) -> Operation:
        """A new op that is as the recorded one was."""
        blocks: dict[Block, Block] = {}
        values: dict[SSAValue, SSAValue] = {}
        regions = [
            [_built_region(blocks_of, blocks, values) for blocks_of in recorded.regions]
            for recorded in self._ops
        ]
        ops = [
            _built_op(recorded, of_op, blocks, values)
            for recorded, of_op in zip(self._ops, regions, strict=True)
        ]
        # In graph regions, an operand may be defined after its use.
        for recorded, op in zip(self._ops, ops, strict=True):
            if recorded.operands:
                op.operands = [values.get(v, v) for v in recorded.operands]
            if recorded.parent is not None and recorded.parent in blocks:
                blocks[recorded.parent].add_op(op)
            self.built[recorded.op] = op
        return ops[0]


def _recorded(op: Operation) -> _Op:
    return _Op(
        op,
        (*op.operands,),
        [(result, result.type, result.name_hint) for result in op.results],
        op.properties.copy(),
        op.attributes.copy(),
        op.location,
        op.parent,
        (*op.successors,) if op.successors else (),
        [[*map(_recorded_block, region.blocks)] for region in op.regions],
    )


def _recorded_block(block: Block) -> _Block:
    arguments = [(a, a.type, a.name_hint, a.location) for a in block.args]
    return _Block(block, block.name_hint, arguments)


def _built_region(
    recorded: Sequence[_Block],
    blocks: dict[Block, Block],
    values: dict[SSAValue, SSAValue],
) -> Region:
    region = Region()
    for former, block_name, arguments in recorded:
        block = blocks[former] = Block()
        block.name_hint = block_name
        region.add_block(block)
        for index, (argument, type, name_hint, location) in enumerate(arguments):
            new: BlockArgument = block.insert_arg(type, index, location)
            new.name_hint = name_hint
            values[argument] = new
    return region


def _built_op(
    recorded: _Op,
    regions: Sequence[Region],
    blocks: Mapping[Block, Block],
    values: dict[SSAValue, SSAValue],
) -> Operation:
    op = type(recorded.op).create(
        result_types=[type for _, type, _ in recorded.results],
        properties=recorded.properties,
        attributes=recorded.attributes,
        location=recorded.location,
        successors=[blocks.get(block, block) for block in recorded.successors],
        regions=regions,
    )
    for (former, _, name_hint), new in zip(recorded.results, op.results, strict=True):
        new.name_hint = name_hint
        values[former] = new
    return op


_snapshots: dict[Operation, Snapshot] = {}
"""By module that is being changed: as it was before."""


def all_or_nothing(module: Operation, change: Callable[[Snapshot], None]) -> None:
    """
    Call `change` with the module as it is. If that raises anything, also for Ctrl-C, the module
    has the ops and attributes that it had. Called by another such change of the module, it leaves
    that to the other one.

    If the module has changed, the ops in it are new ones. The `op` of a `BufferizationError`
    becomes the op of the module that it is about.
    """
    if (before := _snapshots.get(module)) is not None:
        change(before)
        return
    before = Snapshot(module)
    try:
        _snapshots[module] = before
        change(before)
    except BaseException as error:
        try:
            _take_back(module, before, error)
        except BaseException:
            # Ctrl-C again, or only now: it may have been taken back in part.
            _take_back(module, before, error)
            raise
        raise
    finally:
        _snapshots.pop(module, None)


def _take_back(module: Operation, before: Snapshot, error: BaseException) -> None:
    if before.is_of(module):
        return
    former = before.build()
    if isinstance(error, BufferizationError) and error.op is not None:
        # Most programs are not refused.
        from xdsl_bufferization.support.diagnostics import op_before

        op = op_before(error.op, former, before.built)
        error.op = module if op is former else op
    module.properties = former.properties
    module.attributes = former.attributes
    if former.regions:
        replace_body(module, former.detach_region(0))


class ModuleClone:
    """A clone of a module."""

    def __init__(self, module: ModuleOp):
        self.values: dict[SSAValue, SSAValue] = {}
        """The clones of the values of the module."""
        self.module: ModuleOp = module.clone(self.values)
        self.ops: dict[Operation, Operation] = dict(
            zip(walk_all([module]), walk_all([self.module]), strict=True)
        )
        """The clones of the ops of the module, itself included, in the order of the text."""


class TracedClone(ModuleClone):
    """
    A clone that may be rewritten, whose ops are traced back to the module.

    Ops that passes make have the location of the op whose work they do, that very object.
    Each op of the clone has a location object of its own, so that it tells the op.
    """

    def __init__(self, module: ModuleOp):
        super().__init__(module)
        self._locations: list[LocationAttr] = []
        """Kept, so that no other object gets the identity of one of them."""
        self._origins: dict[int, Operation] = {}
        """The ops of the module by the identity of the location of their clones."""
        for op, cloned in self.ops.items():
            self.trace(cloned, op)

    def trace(self, op: Operation, origin: Operation | None) -> None:
        """Give an op of the clone a location object that tells this op of the module."""
        op.location = copy(op.location)
        self._locations.append(op.location)
        if origin is not None:
            self._origins[id(op.location)] = origin

    def origin(self, op: Operation) -> Operation | None:
        """The op of the module whose work an op of the clone does."""
        return self._origins.get(id(op.location))
