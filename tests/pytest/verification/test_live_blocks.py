"""A tensor that may still be used is live, on every path that branches may take."""

import random

import pytest
from xdsl.ir import Block, Region, SSAValue

from tests.peer.runner import parse_module
from xdsl_bufferization.support.regions import blocks_in_order, successors
from xdsl_bufferization.verification.sources import live_blocks

TENSOR = "tensor<4xf32>"


@pytest.mark.parametrize("seed", range(40))
def test_a_tensor_is_live_in_all_blocks_before_a_use(seed: int):
    region, users = _program(random.Random(seed))

    live = live_blocks(region, users)

    for value, blocks in users.items():
        assert all(value in live[block] for block in _live_in(value, blocks))


def test_a_tensor_is_not_live_after_its_last_use():
    region, users = _program_of([(1,), (2,), (3,), ()], uses={0: [1]})
    (value,) = users

    live = live_blocks(region, users)

    entered = [value in live[block] for block in [*region.blocks][2:]]
    assert entered == [True, False, False]


def test_a_tensor_is_live_in_a_loop_that_uses_it():
    # %0 is used at the head of the loop ^1, ^2; in ^3, nothing uses it any more.
    region, users = _program_of([(1,), (2,), (1, 3), ()], uses={0: [1]})
    (value,) = users

    live = live_blocks(region, users)

    entered = [value in live[block] for block in [*region.blocks][2:]]
    assert entered == [True, True, False]


def test_a_tensor_of_one_iteration_is_not_live_in_the_next():
    # ^1 defines %1 again.
    region, users = _program_of([(1,), (2,), (3,), (1, 4), ()], uses={1: [2]})
    (value,) = users

    live = live_blocks(region, users)

    entered = [value in live[block] for block in [*region.blocks][1:]]
    assert entered == [False, True, True, False, False]


def _program(
    random: random.Random,
) -> tuple[Region, dict[SSAValue, list[Block]]]:
    """Blocks that branch at random, and use some of the tensors that dominate them."""
    size = random.randint(3, 9)
    targets = [
        tuple(random.sample(range(1, size), random.randint(1, 2)))
        for _ in range(size - 1)
    ]
    targets.append(())
    uses = {
        block: [
            user
            for user in range(size)
            if user != block
            and _dominates(targets, block, user)
            and random.random() < 0.4
        ]
        for block in range(size)
    }
    return _program_of(targets, {block: of for block, of in uses.items() if of})


def _dominates(targets: list[tuple[int, ...]], a: int, b: int) -> bool:
    """Whether every path from the entry to block `b` goes through block `a`."""
    seen = {0} - {a}
    pending = [*seen]
    while pending:
        for target in targets[pending.pop()]:
            if target not in seen and target != a:
                seen.add(target)
                pending.append(target)
    return b not in seen


def _program_of(
    targets: list[tuple[int, ...]], uses: dict[int, list[int]]
) -> tuple[Region, dict[SSAValue, list[Block]]]:
    lines: list[str] = []
    for block, of in enumerate(targets):
        lines.append(f"^{_name(block)}:")
        lines.append(f"%{block} = tensor.empty() : {TENSOR}")
        match [_name(target) for target in of]:
            case []:
                lines.append("func.return")
            case [one]:
                lines.append(f"cf.br ^{one}")
            case [one, other, *_]:
                lines.append(f"cf.cond_br %c, ^{one}, ^{other}")
            case _:
                raise AssertionError(of)
    module = parse_module(
        "func.func @main(%c: i1) {\ncf.br ^b0\n" + "\n".join(lines) + "\n}"
    )
    function = module.body.block.first_op
    assert function is not None
    region = function.regions[0]
    blocks = [*region.blocks][1:]
    reached = set(blocks_in_order(region))
    users: dict[SSAValue, list[Block]] = {}
    for block, used_in in uses.items():
        if blocks[block] in reached:
            defining = blocks[block].first_op
            assert defining is not None
            users[defining.results[0]] = [blocks[user] for user in used_in]
    return region, users


def _name(block: int) -> str:
    return f"b{block}"


def _live_in(value: SSAValue, users: list[Block]) -> set[Block]:
    """The blocks from which a user can be reached without the definition of the value."""
    defining = value.owner.parent if not isinstance(value.owner, Block) else value.owner
    assert defining is not None
    region = defining.parent
    assert region is not None
    reached = blocks_in_order(region)
    live = set(users) & set(reached)
    changed = True
    while changed:
        changed = False
        for block in reached:
            if block not in live and block is not defining:
                if not live.isdisjoint(successors(block)):
                    live.add(block)
                    changed = True
    return live
