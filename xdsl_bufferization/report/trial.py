"""
Bufferization tried on a copy of a program, with its ops traced back to those of the program.

Ops that the passes make have the location of the op that they do the work of: that very
object, which is how they are recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.program import TensorOperand
from xdsl_bufferization.report.source import Place, Source
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)

CopyCause = TensorOperand | ForwardedCopy
"""What the analysis wants a copy for: an operand that is out of place, or a terminator's."""


class Trial:
    """
    What `bufferize` makes of a program, and why.

    The program stays as it is. Raises `BufferizationError` if it can not be bufferized.
    """

    analyses: list[BufferizationAnalysis]
    """Of the copy, on tensors."""

    def __init__(
        self, ctx: Context, module: ModuleOp, options: BufferizePass, source: Source
    ):
        self.source = source
        self._ctx = ctx
        self._options = options
        values: dict[SSAValue, SSAValue] = {}
        blocks: dict[Block, Block] = {}
        self.module = module.clone(values, blocks)
        self._values: Mapping[SSAValue, SSAValue] = {v: k for k, v in values.items()}
        self._origins: dict[int, Operation] = {}
        """By the identity of the location: the op of the program."""
        self._causes: dict[int, CopyCause] = {}
        """By the identity of the location: what a copy is for."""
        self._copied: dict[int, SSAValue] = {}
        """By the identity of the location: the value of the program that is copied."""
        self._locations: list[LocationAttr] = []
        for op, twin in zip(module.walk(), self.module.walk(), strict=True):
            twin.location = self._new_location(op)
            self._origins[id(twin.location)] = op
        eliminate_empty_tensors(self.module)
        one_shot = OneShotBufferization(self.module, options.options())
        one_shot.analyze()
        self.analyses = one_shot.analyses
        self._one_shot = one_shot

    @property
    def forwarded_copies(self) -> Sequence[ForwardedCopy]:
        """The copies of what terminators hand over."""
        return self._one_shot.forwarded_copies

    def rewrite(self) -> Iterable[Operation]:
        """Rewrite the copy on buffers, once; the ops that there are then."""
        for op, cause in self._one_shot.insert_copies().items():
            origin = self.origin(op)
            op.location = copy(op.location)
            self._locations.append(op.location)
            if origin is not None:
                self._origins[id(op.location)] = origin
            self._causes[id(op.location)] = cause
            copied = op.copy if isinstance(op, AllocTensorOp) else op.operands[0]
            if copied is not None and (value := self._values.get(copied)) is not None:
                self._copied[id(op.location)] = value
        self._one_shot.rewrite_in_place()
        for module_pass in self._options.passes_on_buffers():
            module_pass.apply(self._ctx, self.module)
        return self.module.walk()

    def origin(self, op: Operation) -> Operation | None:
        """The op of the program that an op of the copy is, or does some work of."""
        return self._origins.get(id(op.location))

    def cause(self, op: Operation) -> CopyCause | None:
        """What an op of the rewritten copy makes or fills a copy for, if it does."""
        return self._causes.get(id(op.location))

    def copied(self, op: Operation) -> SSAValue | None:
        """The value of the program that the copy which `cause` is about is one of."""
        return self._copied.get(id(op.location))

    def place(self, op: Operation) -> Place | None:
        """Where an op of the copy is in the program's text."""
        origin = self.origin(op)
        return None if origin is None else self.source.place(origin)

    def operand_place(self, op: Operation, index: int) -> Place | None:
        """Where an operand of an op of the copy is in the program's text, or else the op."""
        origin = self.origin(op)
        if origin is None:
            return None
        if origin.name == op.name and index < len(origin.operands):
            return self.source.operand_place(origin, index)
        return self.source.place(origin)

    def definition_place(self, value: SSAValue) -> Place | None:
        """Where a value of the copy is defined in the program's text."""
        if isinstance(value, OpResult):
            return self.place(value.op)
        value = self._values.get(value, value)
        return (
            self.source.argument_place(value)
            if isinstance(value, BlockArgument)
            else None
        )

    def value_name(self, value: SSAValue) -> str:
        """A value of the copy as it is written in the program's text."""
        return self.source.value_name(self._values.get(value, value))

    def _new_location(self, op: Operation) -> LocationAttr:
        location = copy(op.location)
        place = self.source.place(op)
        if isinstance(location, UnknownLoc) and place and not self.source.is_printed:
            # Errors can tell it.
            location = FileLineColLoc(
                StringAttr(self.source.name),
                IntAttr(place.line),
                IntAttr(place.column),
            )
        self._locations.append(location)
        return location
