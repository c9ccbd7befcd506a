"""
Codes of the reasons for copies and moves, each with a sentence, what helps, and a program.

    copy of %t (line 2), 32 bytes: tensor.insert would write it in place, ... [B001]

A reason is an `Explanation`, which takes a code; the reason for a move has that of its obstacle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from textwrap import indent
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.support.call_graph import is_call, is_return
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import escaped
from xdsl_bufferization.support.regions import passes_tensors_to_regions
from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
    Encoded,
    HasDestination,
    LivesLonger,
    MayShareAlready,
    NoSuchMap,
    Obstacle,
    OneMoveEach,
    Overwritten,
    ReaderCallsLibrary,
    ReaderNotStructured,
    ReaderWrites,
    ResultWritten,
    UsedAsMemref,
    UsedInOtherBlock,
)
from xdsl_bufferization.tensors.eliminate_moves.readers import takes_any_map

_ARGUMENTS = {
    "%t": "tensor<8xf32>",
    "%v": "tensor<4xf32>",
    "%m": "tensor<4x4xf32>",
    "%n": "tensor<4x4xf32>",
    "%d": "tensor<8xf32> {bufferize.aliasing_result = 0}",
    "%b": "memref<8xf32>",
    "%h": "memref<4x4xf32>",
    "%x": "f32",
    "%i": "index",
    "%j": "index",
    "%c": "i1",
}
"""The types of the arguments of programs, by name."""


class Code(Enum):
    """A kind of reason, for copies from `B001` on, and for moves from `B101` on."""

    def __init__(
        self,
        label: str,
        about: str,
        helps: str,
        program: str,
        *obstacles: type[Obstacle],
    ):
        self.label = label
        self.about = about
        """The reason, in a sentence."""
        self.helps = helps
        """A change that avoids it, in Markdown; empty if none is known."""
        self.body = program
        """Ops that have a copy or a move for this reason, with options of the report if need be."""
        self.obstacles = obstacles

    @property
    def program(self) -> str:
        """A program with a function that has the `body`."""
        used = {*re.findall(r"%\w+", self.body)}
        arguments = (f"{n}: {type}" for n, type in _ARGUMENTS.items() if n in used)
        returned = re.search(r"func\.return .* : (.*)", self.body)
        results = f" -> ({returned[1]})" if returned else ""
        map = "#id = affine_map<(d0, d1) -> (d0, d1)>\n" * ("#id" in self.body)
        empty = "%e = tensor.empty() : tensor<4x4xf32>\n" * ("%e" in used)
        body = indent(empty + self.body.lstrip(), "  ")
        return f"{map}func.func @f({', '.join(arguments)}){results} {{\n{body}}}\n"

    STILL_READ = (
        "B001",
        "An op would write a tensor in place, but another op still reads the old contents.",
        "Read first; the report names the ops to move, if they can be moved.",
        """
// with eliminate-copies=false
%r = tensor.insert %x into %t[%i] : tensor<8xf32>
%y = tensor.extract %t[%j] : tensor<8xf32>
func.return %r, %y : tensor<8xf32>, f32
""",
    )
    READ_IN_NEXT_RUN = (
        "B002",
        "An op in a loop would write a tensor in place, but the next iteration reads it again.",
        "Carry the tensor through the loop.",
        """
%r = scf.for %k = %i to %j step %j iter_args(%s = %x) -> (f32) {
  %u = tensor.insert %s into %t[%k] : tensor<8xf32>
  %y = tensor.extract %u[%i] : tensor<8xf32>
  scf.yield %y : f32
}
func.return %r : f32
""",
    )
    READ_BY_WRITER = (
        "B003",
        "An op would write a tensor in place while another of its operands reads it.",
        "Give it another destination.",
        """
%r = linalg.matmul ins(%m, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
    )
    NOT_WRITABLE = (
        "B004",
        "An op writes memory that must not be written: a constant, or an argument that the caller "
        "keeps.",
        "Start from `linalg.fill` or `tensor.empty` in place of the constant.",
        """
%a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
%r = tensor.insert %x into %a[%i] : tensor<2xf32>
func.return %r : tensor<2xf32>
""",
    )
    RACE = (
        "B005",
        "Several iterations of a parallel region would write one tensor.",
        "Use `shared_outs` and `tensor.parallel_insert_slice`.",
        """
scf.forall (%k) in (8) {
  %r = tensor.insert %x into %t[%k] : tensor<8xf32>
  %y = tensor.extract %r[%i] : tensor<8xf32>
  memref.store %y, %b[%k] : memref<8xf32>
}
func.return
""",
    )
    NOT_ANALYZED = (
        "B006",
        "The options ask for a copy before each write: `copy-before-write`, or "
        "`no-analysis-func-filter`.",
        "Leave it to the analysis.",
        """
// with copy-before-write=true
%r = tensor.insert %x into %t[%i] : tensor<8xf32>
%y = tensor.extract %r[%j] : tensor<8xf32>
func.return %y : f32
""",
    )
    OTHER_BUFFER = (
        "B007",
        "A loop goes on with the buffer of its own argument, and its terminator hands over "
        "another one.",
        "Yield a tensor that is computed from that argument, in place.",
        """
%r = scf.for %k = %i to %j step %j iter_args(%s = %t) -> (tensor<8xf32>) {
  %a = bufferization.alloc_tensor() copy(%s) : tensor<8xf32>
  scf.yield %a : tensor<8xf32>
}
func.return %r : tensor<8xf32>
""",
    )
    NOT_IN_DONATED = (
        "B008",
        "A result is not in the argument donated for it, or that memory holds another result.",
        "Compute it there, once the old contents are not needed.",
        """
// %d is donated for the result
%r = tensor.insert %x into %t[%i] : tensor<8xf32>
func.return %r : tensor<8xf32>
""",
    )
    RETURNED = (
        "B009",
        "Callers free what they are given, and this memory may be theirs or the program's.",
        "Donate the argument.",
        """
func.return %t : tensor<8xf32>
""",
    )
    OTHER_TYPE = (
        "B010",
        "An op needs a buffer of another type.",
        "Set another layout at function boundaries.",
        """
%s = tensor.extract_slice %t[%i] [4] [2] : tensor<8xf32> to tensor<4xf32>
%q = bufferization.to_buffer %s : tensor<4xf32> to memref<4xf32>
%y = memref.load %q[%j] : memref<4xf32>
func.return %y : f32
""",
    )
    PUT_ELSEWHERE = (
        "B011",
        "An op puts the tensor into another buffer.",
        "Compute it there, with a slice of the destination as destination.",
        """
%r = tensor.concat dim(0) %t, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
func.return %r : tensor<16xf32>
""",
    )
    NO_INDEXING_MAPS = (
        "B101",
        "An op without indexing maps reads the result: a convolution, a padding, a call, a "
        "loop, a return.",
        "Write a named op as `linalg.generic`; hand on the source, and move where it is read.",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
func.return %p : tensor<4x4xf32>
""",
        ReaderNotStructured,
    )
    OTHER_MAPS = (
        "B102",
        "The indexing maps of the reader do not compose with those of the move, or several "
        "readers would move.",
        "Write a matrix product as `linalg.generic`.",
        """
%p = linalg.broadcast ins(%v : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
%r = linalg.matmul ins(%p, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        NoSuchMap,
        OneMoveEach,
    )
    LIBRARY_CALL = (
        "B103",
        "The reader calls a library function.",
        "Leave `library_call` out.",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
%r = linalg.generic {library_call = "double", indexing_maps = [#id, #id], iterator_types =
      ["parallel", "parallel"]} ins(%p : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
^bb0(%a: f32, %o: f32):
  %s = arith.addf %a, %a : f32
  linalg.yield %s : f32
} -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        ReaderCallsLibrary,
    )
    WRITTEN = (
        "B104",
        "An op starts from the result of the move, and writes it, as from a bias.",
        "",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
%r = linalg.matmul ins(%n, %n : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%p : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        ReaderWrites,
        ResultWritten,
    )
    OTHER_BLOCK = (
        "B105",
        "Another block uses the result of the move.",
        "Move it to that block.",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
cf.cond_br %c, ^bb1, ^bb2(%n : tensor<4x4xf32>)
^bb1:
%r = linalg.matmul ins(%p, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
cf.br ^bb2(%r : tensor<4x4xf32>)
^bb2(%q: tensor<4x4xf32>):
func.return %q : tensor<4x4xf32>
""",
        UsedInOtherBlock,
    )
    OVERWRITTEN = (
        "B106",
        "The source may be overwritten before the last read.",
        "Read first.",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
%u = tensor.insert %x into %m[%i, %i] : tensor<4x4xf32>
%r = linalg.matmul ins(%p, %u : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        Overwritten,
    )
    LIVES_LONGER = (
        "B107",
        "The source would have to live longer, and is larger.",
        "",
        """
%l = tensor.empty() : tensor<64x4xf32>
%w = linalg.fill ins(%x : f32) outs(%l : tensor<64x4xf32>) -> tensor<64x4xf32>
%s = tensor.extract_slice %w[%i, 0] [4, 4] [1, 1] : tensor<64x4xf32> to tensor<4x4xf32>
%p = linalg.transpose ins(%s : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
%r = linalg.matmul ins(%p, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        LivesLonger,
    )
    DESTINATION = (
        "B108",
        "The destination is not a `tensor.empty`, or a type has an encoding.",
        "Give it a `tensor.empty`, if the elements need not be there.",
        """
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%n : tensor<4x4xf32>) permutation = [1, 0]
func.return %p : tensor<4x4xf32>
""",
        HasDestination,
        Encoded,
    )
    SHARED_MEMORY = (
        "B109",
        "Ops on memrefs access the source, or it may be in the memory of the result already.",
        "",
        """
%g = bufferization.to_tensor %h restrict writable : memref<4x4xf32> to tensor<4x4xf32>
%p = linalg.transpose ins(%g : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
memref.store %x, %h[%i, %j] : memref<4x4xf32>
%r = linalg.matmul ins(%p, %g : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
        UsedAsMemref,
        MayShareAlready,
    )
    NOT_ELIMINATED = (
        "B110",
        "The options leave `eliminate-moves` out, or a pass after it makes the move.",
        "Set `eliminate-copies=true` and `eliminate-moves=true`.",
        """
// with eliminate-copies=false
%p = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
%r = linalg.matmul ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%n : tensor<4x4xf32>) -> tensor<4x4xf32>
func.return %r : tensor<4x4xf32>
""",
    )

    @classmethod
    def of(cls, obstacle: Obstacle) -> Code:
        """The code of an obstacle."""
        return next(code for code in cls if type(obstacle) in code.obstacles)

    @classmethod
    def explained(cls, label: str) -> str:
        """
        The sentence, the help and the program of a code, for people.

        Raises `BufferizationError` for a code that does not exist.
        """
        codes = {code.label: code for code in cls}
        if (code := codes.get(label.upper())) is None:
            raise BufferizationError(
                None,
                f"bufferization-report: there is no code '{escaped(label)}'",
                hint=f"they are {', '.join(codes)}",
            )
        helps = f"help: {code.helps}\n" * bool(code.helps)
        return f"{code.label}: {code.about}\n\n{code.program}{helps}".replace("`", "")


class Words(NamedTuple):
    """
    Words about an obstacle: `{op}` is the op that the obstacle is about, with its line,
    `{name}` without it, `{value}` the tensor, `{source}` and `{move}` those of the move.
    """

    reason: str
    advice: str = ""
    mark: str = "needed here"
    """The text at the op."""


_WORDS: Mapping[type[Obstacle], Words] = {
    ReaderWrites: Words(
        "{op} starts from it, and writes it: whatever fills its destination writes as many bytes",
        mark="written here",
    ),
    ReaderCallsLibrary: Words(
        "{op} calls a library function, which takes its operands as they are",
        "Without library_call, it reads {source} through an indexing map.",
        "read here",
    ),
    OneMoveEach: Words(
        "several ops read it, and one move for each of them would take its place",
        mark="one of them",
    ),
    UsedInOtherBlock: Words(
        "{op} uses it in another block",
        "Move {move} to the block in which it is used.",
        "used here",
    ),
    Overwritten: Words(
        "the memory of {source} may be overwritten, by {op}, before the result is read for the "
        "last time",
        "Write the ops that read the result before {op}, if they can run before it.",
        "the memory may be written from here on",
    ),
    ResultWritten: Words(
        "{op} writes it, and {source} is needed as it was", mark="written here"
    ),
    LivesLonger: Words(
        "the memory of {source} would have to live longer, and {more} larger"
    ),
    HasDestination: Words(
        "its destination {value} is not a tensor.empty, so the elements are moved to that memory",
        "If they need not be there, give it a tensor.empty as destination.",
    ),
    Encoded: Words(
        "the type of {value} has an encoding, which may say how its elements are in memory"
    ),
    UsedAsMemref: Words("ops on memrefs access the memory of {source}"),
    MayShareAlready: Words("it may be in the memory of {source} already"),
}


_NO_MAPS = "{op} has no indexing maps by which it could read {source}"

_READERS: Mapping[
    type[Obstacle], Sequence[tuple[Callable[[Operation], object], Words]]
] = {
    ReaderNotStructured: (
        (
            is_return,
            Words(
                "{op} returns it",
                "If callers can read {source} in its own order, return that.",
            ),
        ),
        (
            lambda op: op.has_trait(IsTerminator, value_if_unregistered=False),
            Words(
                "{op} hands it on",
                "Hand on {source}, and move the elements where they are read.",
            ),
        ),
        (
            is_call,
            Words(
                "{op} gives it to a function",
                "Let the function take {source}, or inline it.",
            ),
        ),
        (
            passes_tensors_to_regions,
            Words(
                "{op} takes it into its regions",
                "Give it {source}, and move the elements where they are read.",
            ),
        ),
        (
            SubsetInsertionOpInterface.of,
            Words("{op} puts it into another tensor"),
        ),
        (
            DestinationStyleOpInterface.of,
            Words(_NO_MAPS, "Write {name} as a linalg.generic, if it can be one."),
        ),
        (bool, Words(_NO_MAPS)),
    ),
    NoSuchMap: (
        (
            lambda op: DestinationStyleOpInterface.of(op) is None,
            Words(
                "{op} needs dimensions next to each other that are not so in {source}"
            ),
        ),
        (
            takes_any_map,
            Words("the sizes of some loops of {op} follow from this tensor alone"),
        ),
        (
            bool,
            Words(
                "{op} can read {source} only with its dimensions in another order",
                "Write {name} as a linalg.generic.",
            ),
        ),
    ),
}
"""Words for obstacles that depend on the op: the first for which the predicate holds."""


def words_about(obstacle: Obstacle) -> Words:
    """Words for why a move is left."""
    if (words := _WORDS.get(type(obstacle))) is not None:
        return words
    readers = _READERS[type(obstacle)]
    match obstacle:
        case (Operation() as op,):
            return next(words for holds, words in readers if holds(op))
        case _:
            raise AssertionError(obstacle)
