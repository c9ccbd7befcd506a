"""
The users of values and blocks: ops in the program, and none that a pass has taken out of it.

    %c = memref.dim %m, %i : memref<?xf32>    // in no block any more, and still a use of %m

A pass that follows the uses of `%m` would rewrite that op, or count it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from xdsl_bufferization.support.regions import walk_all


def check_users(module: Operation) -> None:
    """
    Raises `AssertionError` if an op outside of the module uses one of its values or blocks. The
    time is linear in the uses.
    """
    ops = dict.fromkeys(walk_all([module]))
    for op in ops:
        blocks = [block for region in op.regions for block in region.blocks]
        arguments = [argument for block in blocks for argument in block.args]
        for used in (*op.results, *arguments, *blocks):
            for user in _users(used):
                if user not in ops:
                    raise AssertionError(
                        f"{used} of '{op.name}' has a user that is not in the module: "
                        f"'{user.name}'"
                    )


def _users(used: SSAValue | Block) -> Iterable[Operation]:
    # Blocks have no uses in older releases of xDSL.
    return (use.operation for use in getattr(used, "uses", ()))


def check_after(passes: Iterable[type[ModulePass]]) -> None:
    """
    From now on, check the users after each of these passes, also where another pass calls it.
    """
    for module_pass in passes:
        setattr(module_pass, "apply", _checked(module_pass.apply))  # noqa: B010 # the type has names


def _checked(
    apply: Callable[[ModulePass, Context, ModuleOp], None],
) -> Callable[[ModulePass, Context, ModuleOp], None]:
    @wraps(apply)
    def apply_and_check(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        apply(self, ctx, op)
        check_users(op)

    return apply_and_check
