"""
Bufferize a program from Python and print it before and after.

    python examples/bufferize_from_python.py
"""

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

from xdsl_bufferization import OneShotOptions, bufferize

PROGRAM = """
func.func @scale(%vector: tensor<8xf32>, %factor: f32) -> tensor<8xf32> {
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%factor : f32) outs(%vector : tensor<8xf32>) {
  ^bb0(%f: f32, %element: f32):
    %product = arith.mulf %f, %element : f32
    linalg.yield %product : f32
  } -> tensor<8xf32>
  func.return %scaled : tensor<8xf32>
}
"""


def main() -> None:
    # A context with the dialects of xDSL and of all packages in the environment.
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)

    module = Parser(context, PROGRAM).parse_module()
    print(module)
    bufferize(context, module, OneShotOptions(bufferize_function_boundaries=True))
    print(module)


if __name__ == "__main__":
    main()
