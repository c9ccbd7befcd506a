"""
Where the results of a function are after passes that change its signature.

A result may stay a result; become an out parameter, an argument after the others that the
function fills; or be dropped, if it is in the memory of an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.checking.boundary import (
    arena_size_function,
    arena_types,
    argument_types,
    correspond,
    result_types,
)
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type

_MOST = 200
"""Correspondences that are tried."""


class SignatureError(Exception):
    """The functions before and after do not correspond."""


@dataclass(frozen=True)
class ResultPosition:
    """A result or an argument of the function after, by its index."""

    is_argument: bool
    index: int

    def name(self, result: int) -> str:
        """The name in messages of the result of the function before that is there."""
        where = f", in argument {self.index}," if self.is_argument else ""
        return f"result {result}{where}"


@dataclass(frozen=True)
class Correspondence:
    """A possible correspondence of the results before to results and arguments after."""

    positions: Sequence[Sequence[ResultPosition]]
    """For each result before, where it is; if it was dropped, the arguments it may be in."""
    out_params: Sequence[int]
    """For each out parameter, the result that it is for."""

    @property
    def dropped(self) -> Sequence[int]:
        """The results that are neither a result nor an out parameter after."""
        return [
            i
            for i, positions in enumerate(self.positions)
            if positions[0].is_argument and i not in self.out_params
        ]

    def narrowed(
        self, result: int, positions: Sequence[ResultPosition]
    ) -> Correspondence:
        """The same, but with the result in one of these positions."""
        return replace(
            self,
            positions=[
                *self.positions[:result],
                positions,
                *self.positions[result + 1 :],
            ],
        )


def correspondences(
    before: Operation, after: Operation, *, encoded_spaces: bool = False
) -> Sequence[Correspondence]:
    """
    All possible correspondences, from the types alone; results and out parameters have the
    order of the results before. With `encoded_spaces` buffers are in the memory spaces that
    the encodings of tensors name.

    Raises `SignatureError` if there are none, or too many to try.
    """
    for i, arena in arena_types(after).items():
        if not arena.has_static_shape() and not arena_size_function(after, i):
            raise SignatureError(
                f"argument {i} is an arena of a size that callers in the module compute: "
                "check a public function that calls this one"
            )
    may_be = partial(correspond, encoded_spaces=encoded_spaces)
    old, new = argument_types(before), argument_types(after)
    results, kept = result_types(before), result_types(after)
    added = new[len(old) :]
    dropped = len(results) - len(kept) - len(added)
    if (
        len(new) < len(old)
        or not all(map(is_memref_type, added))
        or (added and dropped < 0)
    ):
        raise SignatureError(f"{len(old)} arguments before, {len(new)} after")
    for i, pair in enumerate(zip(old, new, strict=False)):
        if not may_be(*pair):
            raise SignatureError(f"argument {i} is {pair[0]} before, {pair[1]} after")
    if dropped < 0 or (dropped and not any(map(is_memref_type, new))):
        raise SignatureError(f"{len(results)} results before, {len(kept)} after")
    if len(results) == len(kept):
        for i, pair in enumerate(zip(results, kept, strict=True)):
            if not may_be(*pair):
                raise SignatureError(f"result {i} is {pair[0]} before, {pair[1]} after")
    found = [Correspondence((), ())]
    for i, type in enumerate(results):
        left = len(results) - i - 1
        found = [
            longer
            for start in found
            for longer in _longer(start, type, new[: len(old)], added, kept, may_be)
            if _missing(longer, added, kept) <= left
        ]
        if len(found) > _MOST:
            raise SignatureError(
                "too many ways in which the results before may correspond to those after "
                "and to arguments"
            )
    if not found:
        raise SignatureError(
            f"results {', '.join(map(str, results))} before; after, results "
            f"{', '.join(map(str, kept)) or 'none'} and new arguments "
            f"{', '.join(map(str, added)) or 'none'}"
        )
    return found


def _longer(
    start: Correspondence,
    type: Attribute,
    arguments: Sequence[Attribute],
    added: Sequence[Attribute],
    kept: Sequence[Attribute],
    may_be: Callable[[Attribute, Attribute], bool],
) -> Iterator[Correspondence]:
    """The extensions of a correspondence by one more result, of the type."""
    new = len(start.out_params)
    result = sum(not positions[0].is_argument for positions in start.positions)
    if result < len(kept) and may_be(type, kept[result]):
        yield Correspondence(
            [*start.positions, [ResultPosition(False, result)]], start.out_params
        )
    if not is_memref_type(type) and not is_tensor_type(type):
        return
    if new < len(added) and may_be(type, added[new]):
        yield Correspondence(
            [*start.positions, [ResultPosition(True, len(arguments) + new)]],
            [*start.out_params, len(start.positions)],
        )
    same = [
        ResultPosition(True, i)
        for i, argument in enumerate(arguments)
        if is_memref_type(argument) and may_be(type, argument)
    ]
    if same:
        yield Correspondence([*start.positions, same], start.out_params)


def _missing(
    start: Correspondence, added: Sequence[Attribute], kept: Sequence[Attribute]
) -> int:
    """How many results and out parameters after have no result before yet."""
    results = sum(not positions[0].is_argument for positions in start.positions)
    return len(added) - len(start.out_params) + len(kept) - results
