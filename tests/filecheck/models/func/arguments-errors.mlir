// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p bufferize 2>&1 | filecheck %s

// CHECK: error: 'func.func' has attributes of 0 arguments, and 1 arguments
// CHECK: hint: give each argument a dictionary in arg_attrs, which may be empty
"func.func"() <{sym_name = "f", function_type = (tensor<4xf32>) -> (), arg_attrs = []}> ({
^bb0(%t: tensor<4xf32>):
  "func.return"() : () -> ()
}) : () -> ()
