"""Which ops come after which in every order that their operands allow."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.copy_bound.links import LinkKind, Links, Operand

_MANY = 256
"""As many ops are looked at to find one that an op depends on."""


class Dependences:
    """The dependences between the ops of a program."""

    def __init__(self, links: Links):
        self._links = links
        self._positions = {op: position for position, op in enumerate(links.ops)}

    def position(self, op: Operation) -> int:
        """Where the op is in the text."""
        return self._positions[op]

    def must_follow(self, op: Operation, first: Operation) -> bool:
        """
        Whether the op runs after `first` in every order: it ends a block that `first` is in,
        or needs what that computes. No answer that takes long is looked for.
        """
        if op.has_trait(IsTerminator, value_if_unregistered=False):
            block = first.parent
            while block is not None and block is not op.parent:
                block = _block_around(block)
            if block is not None:
                return op is not first
        start = self._positions[first]
        pending = [op]
        seen = {op}
        for _ in range(_MANY):
            if not pending:
                return False
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
        The operands that the op cannot do without. Of tensors of which it needs a part only,
        some other tensor may have that part.
        """
        for index, value in enumerate(op.operands):
            if not is_tensor(value):
                yield value
                continue
            operand = Operand(op, index)
            link = self._links.link(operand)
            if link is not None:
                if link.part is None or link.kind is LinkKind.PART:
                    yield value
            elif self._links.read_parts.get(operand, ...) is None:
                yield value


def _block_around(block: Block) -> Block | None:
    op = block.parent_op()
    return None if op is None else op.parent
