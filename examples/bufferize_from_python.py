"""
Bufferize a program from Python and print it before and after.

    python examples/bufferize_from_python.py
"""

from xdsl_bufferization import bufferize
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

PROGRAM = """
func.func @scale(%vector: tensor<8xf32>, %factor: f32) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %factors = linalg.fill ins(%factor : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %scaled = linalg.mul ins(%vector, %factors : tensor<8xf32>, tensor<8xf32>)
                       outs(%factors : tensor<8xf32>) -> tensor<8xf32>
  func.return %scaled : tensor<8xf32>
}
"""


def main() -> None:
    # A context with the dialects of xDSL and of all packages in the environment.
    context = context_of_all_dialects()
    module = parse_module(context, PROGRAM, "scaled.mlir")
    print(module)
    bufferize(context, module)
    print(module)


if __name__ == "__main__":
    main()
