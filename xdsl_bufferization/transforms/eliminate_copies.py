"""Tensor programs changed so that less has to be copied."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.options import NotNegative, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.edits import REWRITES
from xdsl_bufferization.tensors.eliminate_copies.driver import (
    eliminate_copies,
    share_memory,
)


@dataclass(frozen=True)
class EliminateCopiesPass(BufferizationPass):
    """
    Change a program on tensors so that `one-shot-bufferize` copies less.

    Contents that are cheap to compute, such as those of a `linalg.fill`, are computed again
    instead of copied. Ops that write a tensor move after those that read it. Arguments
    get the layout that is asked for. `tensor.pad` and `tensor.concat` of computed values
    become insertions where the values can be computed in the result, as by
    `eliminate-empty-tensors`, which is part of this pass. What does not lower the copies is
    undone: no function has more copies, more bytes copied or a higher peak of a memory space
    than as it came, or returns a result in another memory space.
    """

    name = "eliminate-copies"

    bufferize_function_boundaries: bool = True
    """Bufferize functions' arguments and results, as the `one-shot-bufferize` to come does."""
    allow_return_allocs_from_loops: bool = False
    """Let loops return new buffers, as the `one-shot-bufferize` to come does."""
    max_peak_increase: NotNegative = 0
    """How much higher the peak of a memory space may get if that saves copies, in percent."""
    peak_weight: NotNegative = 0
    """
    How many bytes may be copied for each byte that this saves at the peak; with 0, as few bytes as
    possible are copied, and the peak only decides between equals.
    """
    without: tuple[str, ...] = ()
    """The rewrites that are left out, by name."""

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options_as(OneShotOptions, allow_unknown_ops=True)
        without = rewrites_left_out(type(self), self.without)
        share_memory(
            eliminate_copies(
                op,
                options,
                self.max_peak_increase,
                self.peak_weight,
                without=without,
            )
        )

    @classmethod
    def further_help(cls) -> str:
        return rewrites_help()


def rewrites_left_out(
    kind: type[BufferizationPass], names: Iterable[str]
) -> AbstractSet[str]:
    """
    The names of rewrites that a pass leaves out.

    Raises `BufferizationError` for a name that no rewrite has.
    """
    for name in names:
        if name not in REWRITES:
            raise kind.unknown("without", f"rewrite '{name}'", name, REWRITES)
    return frozenset(names)


def rewrites_help() -> str:
    """The rewrites for a terminal, as `without` names them."""
    lines = ["Rewrites of eliminate-copies, which without=NAME,... leaves out:", ""]
    return "\n".join(
        [*lines, *(f"  {name}: {does}." for name, does in REWRITES.items())]
    )
