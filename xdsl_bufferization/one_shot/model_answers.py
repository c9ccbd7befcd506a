"""Whether what models answer can be right, asked before the program is analysed."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult

from xdsl_bufferization.interfaces.answers import BOOL, ask, instance_of, sequence_of
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingResults,
    AliasingValue,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.nothing_known import MemoizingState
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.failures import is_of_other_package, verify_op_itself
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor

_PART = instance_of(Slice, "a Slice").or_none()
_ALIASING_VALUES = sequence_of(
    AliasingValue,
    "AliasingValue, each of a tensor",
    lambda alias: is_tensor(alias.value),
)
_ALIASING_RESULTS = sequence_of(AliasingResults, "AliasingResults")
_MEMREFS = sequence_of(
    OpResult, "OpResult, each a memref", lambda result: is_memref_type(result.type)
)


class ModelAnswers:
    """
    Verifies the answers of each model about the first op of each kind: ops of one name with
    the same number of operands, results and regions.
    """

    def __init__(self) -> None:
        self._verified: set[tuple[object, ...]] = set()

    def verify(
        self, model: BufferizableOpInterface, op: Operation, options: OneShotOptions
    ) -> None:
        """
        Raise `BufferizationError` if the op cannot be bufferized, whatever is decided, or an
        answer about it cannot be right: a value of another type, or the index of an operand
        that the op does not have.
        """
        kind = (
            type(model),
            op_name(op),
            len(op.operands),
            len(op.results),
            len(op.regions),
        )
        is_new = kind not in self._verified
        # Models rely on it, those of this package on what the first op of a kind shows.
        if is_new or is_of_other_package(type(model)):
            verify_op_itself(op)
        if is_new:
            model.verify_answers(op)
        model.verify_op(op, options)
        if is_new:
            _verify_answers(model, op)
            self._verified.add(kind)


def _verify_answers(model: BufferizableOpInterface, op: Operation) -> None:
    state = MemoizingState()
    for index, value in enumerate(op.operands):
        if is_tensor(value):
            ask(model, "reads", BOOL, op, index, state)
            ask(model, "writes", BOOL, op, index, state)
            ask(model, "aliasing_values", _ALIASING_VALUES, op, index, state)
            ask(model, "memrefs", _MEMREFS, op, index)
            ask(model, "must_be_in_place", BOOL, op, index)
            ask(model, "read_part", _PART, op, index)
            ask(model, "written_part", _PART, op, index)
    for result in op.results:
        if is_tensor(result):
            ask(model, "is_writable", BOOL, op, result, state)
            ask(model, "allocates", BOOL, op, result)
            ask(model, "defines_contents", BOOL.or_none(), op, result)
    ask(model, "aliasing_results", _ALIASING_RESULTS, op, state)
    ask(model, "has_exclusive_regions", BOOL, op)
    ask(model, "takes_copies", BOOL, op)
    for index in range(len(op.regions)):
        ask(model, "is_repetitive", BOOL, op, index)
        ask(model, "is_parallel", BOOL, op, index)
