"""
The pass `tensor-copy-insertion` under the name of the test pass of mlir-opt.
"""

from dataclasses import dataclass

from xdsl_bufferization.transforms.tensor_copy_insertion import TensorCopyInsertionPass


@dataclass(frozen=True)
class TestTensorCopyInsertionPass(TensorCopyInsertionPass):
    """`tensor-copy-insertion` under the name that mlir-opt has for it."""

    name = "test-tensor-copy-insertion"
