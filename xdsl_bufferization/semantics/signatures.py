"""
Where a function leaves its results after passes that change what functions return.

A result may stay one; become an argument, after those that there were, whose memory the
caller gives and the function fills; or be gone, if it is in the memory of an argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.boundary import (
    argument_types,
    correspond,
    result_types,
)
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type

_MOST_WAYS = 200


class SignatureError(Exception):
    """The functions before and after do not correspond."""


@dataclass(frozen=True)
class Place:
    """A result or an argument of the function after, by its number."""

    is_argument: bool
    number: int

    def name(self, result: int) -> str:
        """The result of the function before that is there, for messages."""
        where = f", in argument {self.number}," if self.is_argument else ""
        return f"result {result}{where}"


@dataclass(frozen=True)
class Correspondence:
    """One way in which the results before may be what the function after gives."""

    places: Sequence[Sequence[Place]]
    """For each result before, where it is, or may be if it is in an argument's memory."""
    out_params: Sequence[int]
    """For each argument that is new, the result that it is for."""

    @property
    def gone(self) -> Sequence[int]:
        """The results that are neither a result nor a new argument."""
        return [
            i
            for i, places in enumerate(self.places)
            if places[0].is_argument and i not in self.out_params
        ]

    def narrowed(self, result: int, places: Sequence[Place]) -> Correspondence:
        """The same, but that result is in one of these places."""
        return replace(
            self,
            places=[*self.places[:result], places, *self.places[result + 1 :]],
        )


def correspondences(before: Operation, after: Operation) -> Sequence[Correspondence]:
    """
    The ways in which the results may correspond, from the types alone; in each, results
    and new arguments are in the order of the results before.

    Raises `SignatureError` if there are none, or too many to try them.
    """
    old, new = argument_types(before), argument_types(after)
    results, kept = result_types(before), result_types(after)
    added = new[len(old) :]
    gone = len(results) - len(kept) - len(added)
    if (
        len(new) < len(old)
        or not all(map(is_memref_type, added))
        or (added and gone < 0)
    ):
        raise SignatureError(f"{len(old)} arguments before, {len(new)} after")
    for i, pair in enumerate(zip(old, new, strict=False)):
        if not correspond(*pair):
            raise SignatureError(f"argument {i} is {pair[0]} before, {pair[1]} after")
    if gone < 0 or (gone and not any(map(is_memref_type, new))):
        raise SignatureError(f"{len(results)} results before, {len(kept)} after")
    if len(results) == len(kept):
        for i, pair in enumerate(zip(results, kept, strict=True)):
            if not correspond(*pair):
                raise SignatureError(f"result {i} is {pair[0]} before, {pair[1]} after")
    ways = [Correspondence((), ())]
    for i, type in enumerate(results):
        left = len(results) - i - 1
        ways = [
            longer
            for way in ways
            for longer in _longer(way, type, new[: len(old)], added, kept)
            if _left(longer, added, kept, gone) == left
        ]
        if len(ways) > _MOST_WAYS:
            raise SignatureError(
                "too many ways in which the results before may correspond to those after "
                "and to arguments"
            )
    if not ways:
        raise SignatureError(
            f"results {', '.join(map(str, results))} before; after, results "
            f"{', '.join(map(str, kept)) or 'none'} and new arguments "
            f"{', '.join(map(str, added)) or 'none'}"
        )
    return ways


def _longer(
    way: Correspondence,
    type: Attribute,
    arguments: Sequence[Attribute],
    added: Sequence[Attribute],
    kept: Sequence[Attribute],
) -> Iterator[Correspondence]:
    """The ways that begin like this one and tell of another result, of the type."""
    new = len(way.out_params)
    result = sum(not places[0].is_argument for places in way.places)
    if result < len(kept) and correspond(type, kept[result]):
        yield Correspondence([*way.places, [Place(False, result)]], way.out_params)
    if not is_memref_type(type) and not is_tensor_type(type):
        return
    if new < len(added) and correspond(type, added[new]):
        yield Correspondence(
            [*way.places, [Place(True, len(arguments) + new)]],
            [*way.out_params, len(way.places)],
        )
    same = [
        Place(True, i)
        for i, argument in enumerate(arguments)
        if is_memref_type(argument) and correspond(type, argument)
    ]
    if same:
        yield Correspondence([*way.places, same], way.out_params)


def _left(
    way: Correspondence,
    added: Sequence[Attribute],
    kept: Sequence[Attribute],
    gone: int,
) -> int:
    """How many results are still to be told of; negative if too many are gone."""
    results = sum(not places[0].is_argument for places in way.places)
    more_gone = gone - (len(way.places) - results - len(way.out_params))
    if more_gone < 0:
        return -1
    return len(added) - len(way.out_params) + len(kept) - results + more_gone
