"""
Bufferization as a dialect conversion: a type converter, patterns for function boundaries,
and the patterns of each partial pass, for those who combine them with their own.

Source: https://mlir.llvm.org/docs/Bufferization/ of LLVM 11 to 18, and
https://mlir.llvm.org/docs/DialectConversion/
"""

from xdsl_bufferization.former.conversion.function_patterns import (
    BufferizeBranchOpConverter,
    BufferizeCallOpConverter,
    BufferizeFuncOpConverter,
    BufferizeOpPattern,
    BufferizeReturnOpConverter,
    apply_bufferization_patterns,
    populate_arith_bufferize_patterns,
    populate_bufferization_bufferize_patterns,
    populate_eliminate_bufferize_materializations_patterns,
    populate_func_bufferize_patterns,
    populate_linalg_bufferize_patterns,
    populate_scf_bufferize_patterns,
    populate_tensor_bufferize_patterns,
    populate_with_bufferize_op_conversion_patterns,
)
from xdsl_bufferization.former.conversion.type_converter import (
    BufferizeTypeConverter,
    ResultConversionKind,
)

__all__ = [
    "BufferizeBranchOpConverter",
    "BufferizeCallOpConverter",
    "BufferizeFuncOpConverter",
    "BufferizeOpPattern",
    "BufferizeReturnOpConverter",
    "BufferizeTypeConverter",
    "ResultConversionKind",
    "apply_bufferization_patterns",
    "populate_arith_bufferize_patterns",
    "populate_bufferization_bufferize_patterns",
    "populate_eliminate_bufferize_materializations_patterns",
    "populate_func_bufferize_patterns",
    "populate_linalg_bufferize_patterns",
    "populate_scf_bufferize_patterns",
    "populate_tensor_bufferize_patterns",
    "populate_with_bufferize_op_conversion_patterns",
]
