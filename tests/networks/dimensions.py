"""
Dimensions of the values of a program: which have the same size, which sizes follow from
others, and smaller sizes for all of them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

Dimension: TypeAlias = tuple[SSAValue | Operation, int]
"""
Of a tensor or memref; the range of a loop, by its induction variable; or what an op has
besides its operands and results: a loop of a structured op, a size of a slice.
"""


class ScalingError(ValueError):
    """Why a program cannot be scaled."""


class Rule(NamedTuple):
    """The size of one dimension follows from those of others."""

    target: Dimension
    sources: Sequence[Dimension]
    compute: Callable[[Sequence[int]], int]
    is_product: bool


@dataclass(frozen=True)
class Scale:
    """How small dimensions become that do not follow from others."""

    factor: int
    least: int = 8
    """What is not larger stays as it is, and nothing becomes smaller."""

    def __call__(self, size: int, multiple: int) -> int:
        """A smaller size, if there is one, that is a multiple of that as well."""
        if size <= self.least:
            return size
        smaller = max(size / self.factor, self.least)
        return min(size, math.ceil(smaller / multiple) * multiple)


class Dimensions:
    """Dimensions in classes of those that are the same, and what relates the classes."""

    def __init__(self) -> None:
        self._parents: dict[Dimension, Dimension] = {}
        """In its class; the one that stands for the class is its own."""
        self._sizes: dict[Dimension, int] = {}
        self._fixed: list[Dimension] = []
        self._multiples: list[tuple[Dimension, int]] = []
        self._rules: list[Rule] = []

    def add(self, dimension: Dimension, size: int) -> None:
        """A dimension, which may be known already."""
        if dimension not in self._parents:
            self._parents[dimension] = dimension
            self._sizes[dimension] = size

    def __contains__(self, dimension: Dimension) -> bool:
        return dimension in self._parents

    def size(self, dimension: Dimension) -> int:
        """The size before."""
        return self._sizes[dimension]

    def unite(self, a: Dimension, b: Dimension) -> None:
        """The two are the same. Raises `ScalingError` if their sizes are not."""
        if self.size(a) != self.size(b):
            raise ScalingError(f"{self.size(a)} and {self.size(b)} should be the same")
        self._parents[self._root(a)] = self._root(b)

    def fix(self, dimension: Dimension) -> None:
        """The size has to stay."""
        self._fixed.append(dimension)

    def require_multiple(self, dimension: Dimension, of: int) -> None:
        """The size has to stay a multiple."""
        self._multiples.append((dimension, of))

    def derive(
        self,
        target: Dimension,
        sources: Iterable[Dimension],
        compute: Callable[[Sequence[int]], int],
    ) -> None:
        """The size of `target` is what is computed from those of `sources`."""
        self._rules.append(Rule(target, (*sources,), compute, is_product=False))

    def derive_product(
        self, target: Dimension, factors: Iterable[Dimension], times: int = 1
    ) -> None:
        """The size of `target` is the product of a number and those of `factors`."""

        def product(sizes: Sequence[int]) -> int:
            return times * math.prod(sizes)

        self._rules.append(Rule(target, (*factors,), product, is_product=True))

    def scaled(self, scale: Scale) -> dict[Dimension, int]:
        """
        The new sizes of all. Raises `ScalingError` if those found do not fit together,
        which another scale may help.
        """
        multiples = self._required_multiples(scale)
        roots = dict.fromkeys(map(self._root, self._parents))
        new = {root: 1 for root in roots if self.size(root) == 1}
        new |= {root: self.size(root) for root in map(self._root, self._fixed)}

        derived = {self._root(rule.target) for rule in self._rules}
        for root in roots:
            if root not in new and root not in derived:
                new[root] = scale(self.size(root), multiples[root])
        self._propagate(new)
        # What is left follows from itself: a convolution's input and output, say.
        for root in sorted(roots, key=self.size, reverse=True):
            if root not in new:
                new[root] = scale(self.size(root), multiples[root])
                self._propagate(new)

        self._check(new, multiples)
        return {dimension: new[self._root(dimension)] for dimension in self._parents}

    def _required_multiples(self, scale: Scale) -> defaultdict[Dimension, int]:
        """By class, what the size has to be a multiple of."""
        multiples: defaultdict[Dimension, int] = defaultdict(lambda: 1)
        for dimension, multiple in self._multiples:
            root = self._root(dimension)
            multiples[root] = math.lcm(multiples[root], multiple)
        for rule in filter(lambda rule: rule.is_product, self._rules):
            # The largest factor has to have what those that stay small do not.
            multiple = multiples[self._root(rule.target)]
            largest = self._root(max(rule.sources, key=self.size))
            stay = [min(self.size(s), scale.least) for s in rule.sources]
            times = rule.compute(stay) // min(self.size(largest), scale.least)
            needed = multiple // math.gcd(multiple, times)
            multiples[largest] = math.lcm(multiples[largest], needed)
        return multiples

    def _computed(self, rule: Rule, new: dict[Dimension, int]) -> int | None:
        """The size by the rule, if that of its sources is known."""
        sources = [new.get(self._root(source)) for source in rule.sources]
        known = [size for size in sources if size is not None]
        return rule.compute(known) if len(known) == len(sources) else None

    def _propagate(self, new: dict[Dimension, int]) -> None:
        """Add the sizes that follow from those known."""
        waiting = self._rules
        found = True
        while found:
            found = False
            waiting = [r for r in waiting if self._root(r.target) not in new]
            for rule in waiting:
                if (size := self._computed(rule, new)) is not None:
                    new[self._root(rule.target)] = size
                    found = True

    def _check(
        self, new: dict[Dimension, int], multiples: dict[Dimension, int]
    ) -> None:
        for root, size in new.items():
            if size < 1 or size % multiples.get(root, 1):
                raise ScalingError(
                    f"a size of {self.size(root)} becomes {size}, and should be a "
                    f"positive multiple of {multiples.get(root, 1)}"
                )
        for rule in self._rules:
            size, computed = new[self._root(rule.target)], self._computed(rule, new)
            if computed != size:
                raise ScalingError(
                    f"a size of {self.size(rule.target)} becomes {size}, and should "
                    f"become {computed}"
                )

    def _root(self, dimension: Dimension) -> Dimension:
        while (parent := self._parents[dimension]) != dimension:
            # Shorten the way for the next time.
            self._parents[dimension] = self._parents[parent]
            dimension = parent
        return dimension
