"""xDSL's interpreter: an op is run like one of the class that its own class refines."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, InterpreterFunctions, impl, register_impls
from xdsl.interpreter import _InterpreterFunctionImpls as _Implementations  # pyright: ignore[reportPrivateUsage] # no other access
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError


def mend() -> None:
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


class _RefinedOp(ModuleOp):
    """An op of a class that xDSL does not know."""


@register_impls
class _Nothing(InterpreterFunctions):
    @impl(ModuleOp)
    def run(self, interpreter: Interpreter, op: ModuleOp, args: Any) -> Any:
        return ()


def is_broken() -> bool:
    op = _RefinedOp([])
    interpreter = Interpreter(ModuleOp([]))
    interpreter.register_implementations(_Nothing())
    try:
        interpreter.run_op(op)
    except InterpretationError:
        return True
    return False
