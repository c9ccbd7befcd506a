"""Ops that put tensors together, as insertions into one destination."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.boxes import Box


class InsertionsOpInterface(OpInterface):
    """
    An op that copies tensors into parts of its one result, a new tensor.

    As insertions, which answer for `SubsetInsertionOpInterface`, the tensors may be
    computed in the result in the first place.
    """

    @abstractmethod
    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        """
        Insert ops that make the same tensor with insertions into an empty tensor.

        Each operand is inserted after all else that its insertion does not depend on, such
        as padding. The result has the type of the op's result; `None` if there are no such
        ops, and nothing has been inserted.
        """

    def parts(self, op: Operation) -> Sequence[Box] | None:
        """
        For each operand that is a tensor the part of the result that it is copied to. `None`, the
        default, if that is not known, or if the parts are not all of the result and there is no
        `padding`.
        """
        return None

    def padding(self, op: Operation) -> SSAValue | None:
        """
        The scalar that all elements of the result are that are in none of the `parts`, if there
        are such. By default there are none.
        """
        return None
