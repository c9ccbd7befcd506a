"""Whether ops of a program on tensors depend on each other through memory."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from xdsl_bufferization.dialects.bufferization import (
    ToBufferOp,
    ToMemrefOp,
    ToTensorOp,
)
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.effects import may_access_memory


class TensorsInMemory:
    """Tells whether ops of an analysed program depend on each other through memory."""

    def __init__(self, analysis: BufferizationAnalysis):
        self._program = analysis.program
        reads = (i.enter for i in self._program.ops if i.op.name == ToTensorOp.name)
        self._first_read = next(reads, None)
        """The position of the first op that makes a memref a tensor."""

    def are_independent(
        self, first: Operation, ops: Iterable[Operation], others: Iterable[Operation]
    ) -> bool:
        """
        Whether the ops can change places with the others, given the first of all of them,
        if they do not use each other's results.
        """
        accesses, other_accesses = self._access(ops), self._access(others)
        if accesses is None or other_accesses is None:
            return False
        info = self._program.info(first)
        # A tensor from before may be in the memory.
        is_tensor_in_memory = self._first_read is not None and (
            info is None or self._first_read < info.enter
        )
        return not (
            (accesses or other_accesses)
            if is_tensor_in_memory
            else (accesses and other_accesses)
        )

    def _access(self, ops: Iterable[Operation]) -> bool | None:
        """
        Whether one of the ops, nested ones included, accesses memory through a memref; `None` if
        that is not known.
        """
        found = False
        for op in walk(ops):
            if isinstance(op, ToBufferOp | ToMemrefOp):
                continue
            has_memrefs = any(is_memref_type(type) for type in op.operand_types)
            if is_call(op) or (not has_memrefs and may_access_memory(op)):
                return None
            found |= has_memrefs
        return found
