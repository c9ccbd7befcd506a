"""Ops of other people's dialects: models that are registered while a test runs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.builder import Builder
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.registry import OpInterface, register_model


@contextmanager
def registered(models: Iterable[tuple[str, OpInterface]]) -> Generator[None]:
    """Within the context, each model answers for the ops of its name; not afterwards."""
    added = [*models]
    for name, model in added:
        register_model(name, model)
    try:
        yield
    finally:
        for name, model in added:
            for interface in type(model).__mro__:
                if issubclass(interface, OpInterface) and (
                    OpInterface in interface.__bases__
                ):
                    interface._models.pop(name, None)  # pyright: ignore[reportPrivateUsage] # nobody else takes models back
                    interface._answers.clear()  # pyright: ignore[reportPrivateUsage] # the same


class PoolAllocation(AllocationOpInterface):
    """`pool.take`, undone by `pool.give`."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        give = UnregisteredOp.with_name("pool.give")
        return builder.insert(give.create(operands=[allocated]))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        return None


class GiveEffects(BufferEffectsOpInterface):
    """`pool.give`"""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        return BufferEffect.FREE


POOL: Iterable[tuple[str, OpInterface]] = (
    ("pool.take", PoolAllocation()),
    ("pool.give", GiveEffects()),
)
"""Memory from a pool: nobody can copy it, and it goes back to where it came from."""
