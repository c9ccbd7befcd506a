"""
Random programs that are about copies: tensors that are needed again behind what overwrites
them, or in several places at once. Few ops are useless.
"""

from __future__ import annotations

from random import Random

_SIZES = (4, 6, 8, 12)
_MAPS = (
    "indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
    'iterator_types = ["parallel"]'
)
_DEEPEST = 2


def copying_program(random: Random) -> str:
    """A function `@f`, in MLIR's custom syntax."""
    return _Generator(random).function()


def _type(size: int) -> str:
    return f"tensor<{size}xf32>"


class _Generator:
    def __init__(self, random: Random):
        self._random = random
        self._lines: list[str] = []
        self._tensors: list[tuple[str, int]] = []
        self._unused: set[str] = set()
        self._names = 0
        self._index: str | None = None
        """The induction variable of the loop around."""

    def function(self) -> str:
        random = self._random
        arguments: list[str] = []
        for _ in range(random.randint(1, 3)):
            size = random.choice(_SIZES)
            writable = random.random() < 0.75
            attribute = "" if writable else " {bufferization.writable = false}"
            arguments.append(f"{self._define(size)}: {_type(size)}{attribute}")
        if random.random() < 0.3:
            size = random.choice(_SIZES)
            elements = ", ".join(f"{i}.0" for i in range(size))
            name = self._define(size)
            self._put(f"{name} = arith.constant dense<[{elements}]> : {_type(size)}")
        for _ in range(random.choice((3, 5, 7, 10))):
            self._op(0)
        results = [t for t in self._tensors if t[0] in self._unused][-4:]
        if random.random() < 0.5 or not results:
            results.append(random.choice(self._tensors))
        names = ", ".join(name for name, _ in results)
        types = ", ".join(_type(size) for _, size in results)
        body = "\n  ".join(self._lines)
        return f"""
func.func @f({", ".join(arguments)}, %i: index, %f: f32, %c: i1) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  {body}
  func.return {names} : {types}
}}
"""

    # Tensors ----------------------------------------------------------------------------

    def _new(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def _define(self, size: int) -> str:
        name = self._new()
        self._tensors.append((name, size))
        self._unused.add(name)
        return name

    def _pick(self, size: int | None = None) -> tuple[str, int]:
        """A tensor that there is, of the size if given; most often one without uses."""
        fits = [t for t in self._tensors if size in (None, t[1])]
        unused = [t for t in fits if t[0] in self._unused]
        few = unused if unused and self._random.random() < 0.6 else fits[-6:]
        picked = self._random.choice(few)
        self._unused.discard(picked[0])
        return picked

    def _put(self, line: str) -> None:
        self._lines.append(line)

    # Ops --------------------------------------------------------------------------------

    def _op(self, depth: int) -> None:
        ops = [
            self._compute,
            self._update,
            self._update,
            self._insert,
            self._insert_slice,
            self._insert_slice,
            self._extract_slice,
            self._pad,
            self._concat,
            self._concat,
            self._move_element,
            *([self._update_element] * 4 if self._index else ()),
        ]
        name, size = self._pick()
        if depth < _DEEPEST and self._random.random() < 0.2:
            self._random.choice((self._loop, self._branch))(name, size, depth)
        else:
            self._random.choice(ops)(name, size)

    def _compute(self, name: str, size: int) -> None:
        other, _ = self._pick(size)
        init, type = self._new(), _type(size)
        self._put(f"{init} = tensor.empty() : {type}")
        result = self._define(size)
        self._put(
            f"{result} = linalg.add ins({name}, {other} : {type}, {type}) "
            f"outs({init} : {type}) -> {type}"
        )

    def _update(self, name: str, size: int) -> None:
        init, _ = self._pick(size)
        result, type = self._define(size), _type(size)
        self._put(
            f"{result} = linalg.generic {{{_MAPS}}} ins({name} : {type}) "
            f"outs({init} : {type}) {{\n"
            "  ^bb0(%a: f32, %b: f32):\n"
            "    %product = arith.mulf %a, %b : f32\n"
            f"    linalg.yield %product : f32\n  }} -> {type}"
        )

    def _insert(self, name: str, size: int) -> None:
        index = self._random.choice(("%i", "%c0", "%c1"))
        self._put(
            f"{self._define(size)} = tensor.insert %f into {name}[{index}] : "
            f"{_type(size)}"
        )

    def _insert_slice(self, name: str, size: int) -> None:
        other, other_size = self._pick()
        if size == other_size:
            return
        if size > other_size:
            name, size, other, other_size = other, other_size, name, size
        offset = self._offset(size, other_size)
        self._put(
            f"{self._define(other_size)} = tensor.insert_slice {name} into "
            f"{other}[{offset}] [{size}] [1] : {_type(size)} into {_type(other_size)}"
        )

    def _extract_slice(self, name: str, size: int) -> None:
        smaller = [s for s in _SIZES if s < size]
        if smaller:
            part = self._random.choice(smaller)
            offset = self._offset(part, size)
            self._put(
                f"{self._define(part)} = tensor.extract_slice {name}[{offset}] [{part}] "
                f"[1] : {_type(size)} to {_type(part)}"
            )

    def _pad(self, name: str, size: int) -> None:
        larger = [s for s in _SIZES if s > size]
        if larger:
            whole = self._random.choice(larger)
            low = self._offset(size, whole)
            self._put(
                f"{self._define(whole)} = tensor.pad {name} low[{low}] "
                f"high[{whole - size - low}] {{\n"
                "  ^bb0(%p: index):\n    tensor.yield %f : f32\n"
                f"  }} : {_type(size)} to {_type(whole)}"
            )

    def _concat(self, name: str, size: int) -> None:
        other, other_size = self._pick()
        whole = size + other_size
        if whole in _SIZES:
            self._put(
                f"{self._define(whole)} = tensor.concat dim(0) {name}, {other} : "
                f"({_type(size)}, {_type(other_size)}) -> {_type(whole)}"
            )

    def _move_element(self, name: str, size: int) -> None:
        other, _ = self._pick(size)
        element, sum = self._new(), self._new()
        self._put(f"{element} = tensor.extract {name}[%c1] : {_type(size)}")
        self._put(f"{sum} = arith.addf {element}, %f : f32")
        result = self._define(size)
        self._put(f"{result} = tensor.insert {sum} into {other}[%c1] : {_type(size)}")

    def _update_element(self, name: str, size: int) -> None:
        """Update one element in each iteration, as a tile, and insert it elsewhere."""
        one, type = _type(1), _type(size)
        other, _ = self._pick(size)
        tile, new = self._new(), self._new()
        place = f"[{self._index}] [1] [1]"
        self._put(f"{tile} = tensor.extract_slice {name}{place} : {type} to {one}")
        self._put(
            f"{new} = linalg.generic {{{_MAPS}}} ins({tile} : {one}) outs({tile} : {one}) {{\n"
            "  ^bb0(%a: f32, %b: f32):\n"
            "    %product = arith.mulf %a, %b : f32\n"
            f"    linalg.yield %product : f32\n  }} -> {one}"
        )
        self._put(
            f"{self._define(size)} = tensor.insert_slice {new} into {other}{place} : "
            f"{one} into {type}"
        )

    def _offset(self, part: int, whole: int) -> int:
        last = whole - part
        return self._random.choice((0, last, self._random.randint(0, last)))

    # Regions ----------------------------------------------------------------------------

    def _loop(self, name: str, size: int, depth: int) -> None:
        end = self._random.choice(("%c1", "%c2", "%c3", "%i"))
        result, index = self._new(), self._new()
        before = [*self._tensors]
        carried = self._define(size)
        self._put(
            f"{result} = scf.for {index} = %c0 to {end} step %c1 "
            f"iter_args({carried} = {name}) -> ({_type(size)}) {{"
        )
        around, self._index = self._index, index
        self._body(size, depth)
        self._index = around
        self._put("}")
        self._leave(before, result, size)

    def _branch(self, _: str, size: int, depth: int) -> None:
        result = self._new()
        before = [*self._tensors]
        self._put(f"{result} = scf.if %c -> ({_type(size)}) {{")
        self._body(size, depth)
        self._tensors = [*before]
        self._put("} else {")
        self._body(size, depth)
        self._put("}")
        self._leave(before, result, size)

    def _body(self, size: int, depth: int) -> None:
        for _ in range(self._random.randint(1, 3)):
            self._op(depth + 1)
        self._put(f"scf.yield {self._pick(size)[0]} : {_type(size)}")

    def _leave(self, before: list[tuple[str, int]], result: str, size: int) -> None:
        self._tensors = [*before, (result, size)]
        self._unused.add(result)
