"""
Random tensor programs, well-typed and free of undefined behaviour.

Tensors have 8 or 4 elements, so that any slice of one fits the other and programs are
dense in aliases and conflicts: slices of slices, branches, loops, calls, constants, and
several uses of everything. Every index is in bounds while the argument `%i` is between 0
and 3, and no tensor is read before it is filled.

Besides the ops that each program may have, there are families of them to choose from;
each is a module of this package.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np

LARGE = "tensor<8xf32>"
SMALL = "tensor<4xf32>"
TENSORS = (LARGE, SMALL)
MATRIX = "tensor<4x4xf32>"
DYNAMIC = "tensor<?xf32>"
"""A tensor of 8 elements whose type does not tell."""
SCALARS = "%i: index, %f: f32, %c: i1"
"""The arguments that each function has besides its tensors."""


@dataclass
class Scope:
    """The values that an op may use, by type."""

    tensors: dict[str, list[str]]
    """By type; each has some, as far as a family of the program uses it."""
    scalars: list[str]

    def nested(self) -> Scope:
        """A scope for a region: it sees all of this one, but adds nothing to it."""
        copies = {type: list(names) for type, names in self.tensors.items()}
        return Scope(copies, list(self.scalars))


@dataclass(frozen=True)
class Function:
    """The signature of a function that later ones may call."""

    name: str
    arguments: Sequence[str]
    results: Sequence[str]
    has_body: bool = True

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the tensors that it takes."""
        return [SHAPES[type] for type in self.arguments]


FLOAT: np.dtype[Any] = np.dtype(np.float32)
SHAPES = {LARGE: (8,), SMALL: (4,), MATRIX: (4, 4), DYNAMIC: (8,)}


@dataclass
class Program:
    """The text of a module, and its functions; the last one may call all others."""

    text: str
    functions: Sequence[Function]
    dtype: np.dtype[Any] = FLOAT
    """What tensors consist of."""


Maker: TypeAlias = "Callable[[Generator, Scope, int], None]"
"""Emits something that uses the scope's values, and adds what it defines to them; the
number says how deep regions may nest in it."""


@dataclass(frozen=True)
class Family:
    """Ops to choose from."""

    ops: Sequence[tuple[int, Maker]] = ()
    """Weights, and makers of ops without regions."""
    regions: Sequence[tuple[int, Maker]] = ()
    """Weights, and makers of ops with regions."""
    blocks: Sequence[tuple[int, Maker]] = ()
    """Weights, and makers of control flow between the blocks of a function."""
    functions: Sequence[Callable[[Generator], None]] = ()
    """Each adds functions for others to call."""
    types: Sequence[str] = ()
    """Further types of tensors that functions take and return."""


@dataclass
class Generator:
    """What a program is made of so far, and where the next op goes."""

    random: random.Random
    families: Sequence[Family] = ()
    recursion: bool = False
    """Whether functions may call themselves."""
    lines: list[str] = field(default_factory=list[str])
    functions: list[Function] = field(default_factory=list[Function])
    count: int = 0
    returned: Function = Function("", (), ())
    """The function that ops are emitted into."""
    at_top: bool = True
    """Whether ops are emitted into the region of the function."""

    # Functions --------------------------------------------------------------------------

    def function(self, ops: int) -> None:
        types = self.types()
        arguments = [LARGE, *self.random.choices(types, k=self.random.randint(0, 2))]
        results = self.random.choices(types, k=self.random.randint(1, 2))
        function = Function(f"f{len(self.functions)}", arguments, results)
        scope = self.begin(function)
        self.at_top = True
        if self.recursion and self.random.random() < 0.5:
            self.recursive_body(function, scope, ops)
        else:
            self.ops(scope, 2, ops)
            self.return_from(scope)
        self.emit("}")
        self.functions.append(function)

    def begin(self, function: Function) -> Scope:
        """What the function has in scope; ops are emitted into it from now on."""
        scope = Scope({type: [] for type in SHAPES}, ["%f"])
        signature: list[str] = []
        for i, type in enumerate(function.arguments):
            scope.tensors[type].append(f"%t{i}")
            signature.append(f"%t{i}: {type}")
        types = ", ".join([*function.results, "f32"])
        self.emit(
            f"func.func @{function.name}({', '.join([*signature, SCALARS])}) "
            f"-> ({types}) {{"
        )
        for number in (0, 1, 2, 4, 8):
            self.emit(f"%c{number} = arith.constant {number} : index")
        for type in self.types():
            if not scope.tensors[type]:
                scope.tensors[type].append(self.empty(type))
        self.returned = function
        return scope

    def types(self) -> list[str]:
        """The types of tensors that functions take and return."""
        return [*TENSORS, *(type for family in self.families for type in family.types)]

    def return_from(self, scope: Scope) -> None:
        results = self.returned.results
        values = [self.pick(scope, type) for type in results] + [scope.scalars[-1]]
        self.emit(f"func.return {', '.join(values)} : {', '.join([*results, 'f32'])}")

    def recursive_body(
        self,
        function: Function,
        scope: Scope,
        ops: int,
        callee: Function | None = None,
    ) -> None:
        """Calls itself, or the callee, with a smaller %i, until that is zero."""
        types = [*function.results, "f32"]
        result, ends = self.name(), self.define("arith.cmpi eq, %i, %c0 : index")
        self.emit(f"{result}:{len(types)} = scf.if {ends} -> ({', '.join(types)}) {{")
        for closing in ("} else {", "}"):
            nested = scope.nested()
            self.ops(nested, 1, ops // 2)
            if closing == "}":
                less = self.define("arith.subi %i, %c1 : index")
                self.call_to(callee or function, nested, less)
                self.ops(nested, 1, self.random.randint(0, 2))
            values = [self.pick(nested, type) for type in function.results]
            values.append(nested.scalars[-1])
            self.emit(f"scf.yield {', '.join(values)} : {', '.join(types)}")
            self.emit(closing)
        values = [f"{result}#{i}" for i in range(len(types))]
        self.emit(f"func.return {', '.join(values)} : {', '.join(types)}")

    # Values -----------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def define(self, expression: str) -> str:
        name = self.name()
        self.emit(f"{name} = {expression}")
        return name

    def pick(self, scope: Scope, type: str) -> str:
        """A tensor; every other time the latest, so that chains come about."""
        names = scope.tensors[type]
        return names[-1] if self.random.random() < 0.5 else self.random.choice(names)

    def scalar(self, scope: Scope) -> str:
        return self.random.choice(scope.scalars)

    def type(self) -> str:
        return self.random.choice(TENSORS)

    def offset(self) -> str:
        return self.random.choice(["0", "2", "4", "%i", "%i"])

    def offset_value(self) -> str:
        return self.random.choice(["%c0", "%c1", "%c4", "%i"])

    # Ops --------------------------------------------------------------------------------

    def ops(self, scope: Scope, depth: int, count: int) -> None:
        makers: list[tuple[int, Callable[[Scope], None]]] = [
            (14, self.insert),
            (10, self.extract),
            (12, self.extract_slice),
            (12, self.insert_slice),
            (10, self.fill),
            (12, self.add),
            (3, self.fresh),
            (3, self.constant),
            (4, self.select),
            (2, self.expand),
            (2, self.cast),
            (3, self.concat),
            (2, self.reduce),
        ]
        if depth:
            makers += [
                (4, partial(self.branch, depth=depth)),
                (4, partial(self.loop, depth=depth)),
            ]
        if self.functions:
            makers.append((3, self.call))
        at_top, self.at_top = self.at_top and depth == 2, False
        for family in self.families:
            chosen = [*family.ops]
            if depth:
                chosen += family.regions
            if at_top:
                chosen += family.blocks
            makers += [
                (weight, partial(self.make, maker, depth)) for weight, maker in chosen
            ]
        weights = [weight for weight, _ in makers]
        for _, make in self.random.choices(makers, weights, k=count):
            make(scope)

    def make(self, maker: Maker, depth: int, scope: Scope) -> None:
        maker(self, scope, depth)

    def insert(self, scope: Scope) -> None:
        scope.tensors[LARGE].append(
            self.inserted(scope, self.pick(scope, LARGE), LARGE)
        )

    def inserted(self, scope: Scope, into: str, type: str) -> str:
        return self.define(
            f"tensor.insert {self.scalar(scope)} into {into}[%i] : {type}"
        )

    def extract(self, scope: Scope) -> None:
        type = self.type()
        source = self.pick(scope, type)
        scope.scalars.append(self.define(f"tensor.extract {source}[%i] : {type}"))

    def extract_slice(self, scope: Scope) -> None:
        source = self.pick(scope, LARGE)
        scope.tensors[SMALL].append(self.slice_of(source, self.offset()))

    def slice_of(self, source: str, offset: str) -> str:
        return self.define(
            f"tensor.extract_slice {source}[{offset}][4][1] : {LARGE} to {SMALL}"
        )

    def insert_slice(self, scope: Scope) -> None:
        source, into = self.pick(scope, SMALL), self.pick(scope, LARGE)
        scope.tensors[LARGE].append(self.slice_into(source, into, self.offset()))

    def slice_into(self, source: str, into: str, offset: str) -> str:
        return self.define(
            f"tensor.insert_slice {source} into {into}[{offset}][4][1] : "
            f"{SMALL} into {LARGE}"
        )

    def fill(self, scope: Scope) -> None:
        type = self.type()
        name = self.filled(self.scalar(scope), self.pick(scope, type), type)
        scope.tensors[type].append(name)

    def filled(self, scalar: str, out: str, type: str) -> str:
        return self.define(
            f"linalg.fill ins({scalar} : f32) outs({out} : {type}) -> {type}"
        )

    def add(self, scope: Scope) -> None:
        type = self.type()
        a, b, out = (self.pick(scope, type) for _ in range(3))
        scope.tensors[type].append(self.sum(a, b, out, type))

    def sum(self, a: str, b: str, out: str, type: str) -> str:
        return self.define(
            f"linalg.add ins({a}, {b} : {type}, {type}) outs({out} : {type}) -> {type}"
        )

    def fresh(self, scope: Scope) -> None:
        type = self.type()
        scope.tensors[type].append(self.empty(type))

    def empty(self, type: str) -> str:
        return self.filled("%f", self.undefined(type), type)

    def undefined(self, type: str) -> str:
        return self.define(f"tensor.empty({'%c8' * (type == DYNAMIC)}) : {type}")

    def constant(self, scope: Scope) -> None:
        type = self.type()
        scope.tensors[type].append(self.constant_of(type))

    def constant_of(self, type: str) -> str:
        """One of few, so that equal ones share a buffer."""
        values = [f"{i}.0" for i in range(*self.random.choice([(1, 9), (5, 13)]))]
        elements = values[0] if type == MATRIX else f"[{', '.join(values)}]"
        if type == SMALL:
            elements = f"[{', '.join(values[:4])}]"
        return self.define(f"arith.constant dense<{elements}> : {type}")

    def element(self, index: str) -> str:
        """The index as an element."""
        number = self.define(f"arith.index_cast {index} : index to i64")
        return self.define(f"arith.sitofp {number} : i64 to f32")

    def select(self, scope: Scope) -> None:
        type = self.type()
        a, b = self.pick(scope, type), self.pick(scope, type)
        scope.tensors[type].append(self.define(f"arith.select %c, {a}, {b} : {type}"))

    def expand(self, scope: Scope) -> None:
        square = "tensor<2x4xf32>"
        expanded = self.define(
            f"tensor.expand_shape {self.pick(scope, LARGE)} [[0, 1]] "
            f"output_shape [2, 4] : {LARGE} into {square}"
        )
        row = self.random.choice("01")
        scope.tensors[SMALL].append(
            self.define(
                f"tensor.extract_slice {expanded}[{row}, 0][1, 4][1, 1] : "
                f"{square} to {SMALL}"
            )
        )

    def cast(self, scope: Scope) -> None:
        dynamic = "tensor<?xf32>"
        source = self.pick(scope, LARGE)
        cast = self.define(f"tensor.cast {source} : {LARGE} to {dynamic}")
        scope.tensors[LARGE].append(
            self.define(f"tensor.cast {cast} : {dynamic} to {LARGE}")
        )

    def concat(self, scope: Scope) -> None:
        a, b = self.pick(scope, SMALL), self.pick(scope, SMALL)
        scope.tensors[LARGE].append(
            self.define(
                f"tensor.concat dim(0) {a}, {b} : ({SMALL}, {SMALL}) -> {LARGE}"
            )
        )

    def reduce(self, scope: Scope) -> None:
        """All of the input, added to the first element of the init."""
        source, out = self.pick(scope, SMALL), self.pick(scope, SMALL)
        scope.tensors[SMALL].append(
            self.define(
                "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, "
                "affine_map<(d0) -> (0)>], iterator_types = ["
                f'"reduction"]}} ins({source} : {SMALL}) outs({out} : {SMALL}) {{\n'
                "^bb0(%a: f32, %b: f32):\n"
                "%s = arith.addf %a, %b : f32\n"
                f"linalg.yield %s : f32\n}} -> {SMALL}"
            )
        )

    def branch(self, scope: Scope, depth: int) -> None:
        type, result = self.type(), self.name()
        self.emit(f"{result} = scf.if %c -> ({type}) {{")
        for closing in ("} else {", "}"):
            nested = scope.nested()
            self.ops(nested, depth - 1, self.random.randint(0, 4))
            self.emit(f"scf.yield {self.pick(nested, type)} : {type}")
            self.emit(closing)
        scope.tensors[type].append(result)

    def loop(self, scope: Scope, depth: int) -> None:
        """A loop that yields what it computes in place from its iteration argument."""
        type, result, carried = self.type(), self.name(), self.name()
        index = f"{carried}i"
        self.emit(
            f"{result} = scf.for {index} = %c0 to %i step %c1 "
            f"iter_args({carried} = {self.pick(scope, type)}) -> ({type}) {{"
        )
        nested = scope.nested()
        nested.tensors[type].append(carried)
        self.ops(nested, depth - 1, self.random.randint(0, 3))
        for _ in range(self.random.randint(0, 3)):
            carried = self.step(nested, carried, type, index)
            nested.tensors[type].append(carried)
        self.emit(f"scf.yield {carried} : {type}")
        self.emit("}")
        scope.tensors[type].append(result)

    def step(self, scope: Scope, carried: str, type: str, index: str) -> str:
        """An update of the carried tensor, in destination-passing style."""
        kind = self.random.choice(["insert", "add", "tile"])
        if kind == "insert":
            return self.inserted(scope, carried, type)
        if kind == "add" or type == SMALL:
            a, b = self.pick(scope, type), self.pick(scope, type)
            return self.sum(a, b, carried, type)
        tile = self.slice_of(carried, index)
        new = self.sum(self.pick(scope, SMALL), tile, tile, SMALL)
        return self.slice_into(new, carried, index)

    def call(self, scope: Scope) -> None:
        self.call_to(self.random.choice(self.functions), scope, "%i")

    def call_to(self, callee: Function, scope: Scope, index: str) -> None:
        operands = [self.pick(scope, type) for type in callee.arguments]
        operands += [index, self.scalar(scope), "%c"]
        inputs = ", ".join([*callee.arguments, "index", "f32", "i1"])
        outputs = ", ".join([*callee.results, "f32"])
        name = self.name()
        self.emit(
            f"{name}:{len(callee.results) + 1} = func.call @{callee.name}"
            f"({', '.join(operands)}) : ({inputs}) -> ({outputs})"
        )
        for i, type in enumerate(callee.results):
            scope.tensors[type].append(f"{name}#{i}")
        scope.scalars.append(f"{name}#{len(callee.results)}")


ELEMENTS: Sequence[np.dtype[Any]] = [
    np.dtype(type) for type in (np.float32, np.float16, np.float64, np.int32)
]


def generate(
    seed: int | random.Random,
    families: Sequence[Family] = (),
    *,
    recursion: bool = False,
    elements: bool = False,
    functions: int = 3,
    ops: int = 14,
) -> Program:
    """
    The program of the seed: MLIR's custom syntax, up to so many functions, besides those
    that the families add, each with up to so many ops, besides those in regions; with any
    type of element if `elements`. Whoever wants to choose himself what the seed chooses
    gives his own `random.Random`.
    """
    choices = random.Random(seed) if isinstance(seed, int) else seed
    generator = Generator(choices, families, recursion)
    for family in families:
        for add_functions in family.functions:
            add_functions(generator)
    for _ in range(generator.random.randint(1, functions)):
        generator.function(generator.random.randint(2, ops))
    program = Program("\n".join(generator.lines), generator.functions)
    if elements:
        program.dtype = generator.random.choice(ELEMENTS)
        program.text = _with_elements(program.text, program.dtype)
    return program


def _with_elements(text: str, dtype: np.dtype[Any]) -> str:
    """The program on tensors of f32 on other elements."""
    if dtype.kind == "f":
        return re.sub(r"f32\b", f"f{8 * dtype.itemsize}", text)
    text = re.sub(
        r"(%\w+) = arith.index_cast (\S+) : index to i64\n"
        r"(%\w+) = arith.sitofp \1 : i64 to f32",
        r"\3 = arith.index_cast \2 : index to f32",
        text,
    )
    text = re.sub(r"f32\b", f"i{8 * dtype.itemsize}", text)
    text = re.sub(r"\b(\d+)\.0\b", r"\1", text)
    text = text.replace("arith.maximumf", "arith.maxsi")
    return re.sub(r"(arith\.(?:add|sub|mul))f", r"\1i", text)
