"""
xDSL's `llvm` dialect with attributes that it lacks: memory spaces of memrefs, and what later
passes of MLIR say about loops and aliasing. Ops are printed in generic form where their custom
form leaves out a property, or has one that mlir-opt refuses there.

Source: https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xdsl_bufferization.dialects.shared.text_attributes import text_attributes
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import print_in_generic_form_if
from xdsl_bufferization.support.attributes import is_declaration_with_attributes


def _has_visibility(op: Operation) -> bool:
    """Whether `visibility_` would be an attribute; mlir-opt has a keyword for it."""
    return "visibility_" in op.properties


def _has_flags(op: Operation) -> bool:
    flags = op.properties.get("fastmathFlags")
    return isinstance(flags, llvm.FastMathAttr) and bool(flags.data)


def _has_no_wrap_flags(op: Operation) -> bool:
    flags = op.properties.get("noWrapFlags")
    return isinstance(flags, IntegerAttr) and flags.value.data != 0


for _loses, _op in (
    (_has_visibility, llvm.GlobalOp),
    (is_declaration_with_attributes, llvm.FuncOp),
    (_has_flags, llvm.FCmpOp),
    (_has_no_wrap_flags, llvm.GEPOp),
):
    print_in_generic_form_if(_loses, [_op.name])

EXTENSION = Extension(attributes=text_attributes("llvm"))
