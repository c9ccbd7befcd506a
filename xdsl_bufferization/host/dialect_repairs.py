"""Repairs of arith, math, dlti and the interpreter; each is imported only if it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    ModuleOp,
    TensorType,
    UnrankedTensorType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint
from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import InterpretationError, ParseError

from xdsl_bufferization.host.repairs import Mending

if TYPE_CHECKING:
    from xdsl.dialects.dlti import DataLayoutEntryAttr, DLTIEntryMap
    from xdsl.interpreter import Interpreter


def _refuses(constraint: AttrConstraint) -> bool:
    """Whether no unranked tensor of floats, booleans or integers satisfies the constraint."""
    return not any(
        constraint.verifies(UnrankedTensorType(element)) for element in (f32, i1, i32)
    )


def _accept(constraint: AttrConstraint) -> None:
    """
    Make unranked tensors satisfy the constraint, if ranked ones with their elements do.

    All elementwise ops of a dialect share one constraint, so it gets another class.
    """
    constraint_class: type[Any] = type(constraint)
    verify, get_bases = constraint_class.verify, constraint_class.get_bases

    class _OrUnranked(constraint_class):
        def verify(self, attr: Attribute, constraint_context: Any) -> None:
            if isinstance(attr, UnrankedTensorType):
                attr = TensorType(attr.element_type, ())
            verify(self, attr, constraint_context)

        def get_bases(self) -> set[type[Attribute]] | None:
            bases = get_bases(self)
            return None if bases is None else {*bases, UnrankedTensorType}

    object.__setattr__(constraint, "__class__", _OrUnranked)


def _unranked(dialect: str, *constraints: str) -> Mending:
    """Makes unranked tensors satisfy constraints of elementwise ops of the dialect."""

    def refusing() -> list[AttrConstraint]:
        module = import_module(f"xdsl.dialects.{dialect}")
        return [*filter(_refuses, (getattr(module, name) for name in constraints))]

    def accept_all() -> None:
        for constraint in refusing():
            _accept(constraint)

    return Mending(lambda: bool(refusing()), accept_all)


unranked_arith = _unranked(
    "arith", "boolLike", "floatingPointLike", "signlessIntegerLike"
)
unranked_math = _unranked("math", "floatingPointLike", "signlessIntegerLike")


def _parse_entry(parser: AttrParser) -> DataLayoutEntryAttr:
    from xdsl.dialects.dlti import DataLayoutEntryAttr

    key = parser.parse_attribute()
    if isinstance(key, DataLayoutEntryAttr):
        return key
    parser.parse_punctuation("=")
    return DataLayoutEntryAttr.new((key, parser.parse_attribute()))


def _parse_parameters(
    cls: type[DLTIEntryMap], parser: AttrParser
) -> tuple[ArrayAttr[Attribute]]:
    entries = parser.parse_comma_separated_list(
        parser.Delimiter.ANGLE, lambda: _parse_entry(parser)
    )
    return (ArrayAttr(entries),)


def _reads_no_entries() -> bool:
    from xdsl.dialects.dlti import DLTI

    context = Context()
    context.load_dialect(DLTI)
    try:
        Parser(context, '#dlti.dl_spec<#dlti.dl_entry<"k", 1>>').parse_attribute()
    except ParseError:
        return True
    return False


def _read_entries() -> None:
    from xdsl.dialects.dlti import DLTIEntryMap

    DLTIEntryMap.parse_parameters = cast(Any, classmethod(_parse_parameters))


dlti_entries = Mending(_reads_no_entries, _read_entries)
"""Entries of `#dlti.dl_spec` written as `#dlti.dl_entry<"key", value>`."""


def _run_refined_ops() -> None:
    from xdsl.interpreter import _InterpreterFunctionImpls as _Implementations  # pyright: ignore[reportPrivateUsage] # no other access

    run, call = _Implementations.run, _Implementations.call

    def run_refined(
        self: _Implementations, interpreter: Interpreter, op: Operation, args: Any
    ) -> Any:
        _adopt(self._impl_dict, type(op))  # pyright: ignore[reportPrivateUsage]
        return run(self, interpreter, op, args)

    def call_refined(
        self: _Implementations, interpreter: Interpreter, op: Operation, args: Any
    ) -> Any:
        _adopt(self._callable_impl_dict, type(op))  # pyright: ignore[reportPrivateUsage]
        return call(self, interpreter, op, args)

    _Implementations.run = run_refined
    _Implementations.call = call_refined


def _adopt(known: dict[Any, Any], op: type[Operation]) -> None:
    """Let the class have the implementation of the nearest of its bases that has one."""
    if op not in known:
        base = next((base for base in op.__mro__ if base in known), None)
        if base is not None:
            known[op] = known[base]


def _runs_no_refined_ops() -> bool:
    from xdsl.interpreter import Interpreter, InterpreterFunctions, impl, register_impls

    class RefinedOp(ModuleOp):
        """An op of a class that xDSL does not know."""

    @register_impls
    class Nothing(InterpreterFunctions):
        @impl(ModuleOp)
        def run(self, interpreter: Interpreter, op: ModuleOp, args: Any) -> Any:
            return ()

    interpreter = Interpreter(ModuleOp([]))
    interpreter.register_implementations(Nothing())
    try:
        interpreter.run_op(RefinedOp([]))
    except InterpretationError:
        return True
    return False


interpreter = Mending(_runs_no_refined_ops, _run_refined_ops)
"""xDSL's interpreter: an op is run like one of the class that its own class refines."""
