// RUN: not xdsl-opt %s 2>&1 | filecheck %s
// RUN: env XDSL_BUFFERIZATION_ALWAYS=1 xdsl-opt %s | filecheck %s --check-prefix ALWAYS
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix OURS

// A command that calls no pass of this package reads what xDSL reads, and says how to read more.
// CHECK: ParseError
// CHECK: hint: if mlir-opt reads it, xdsl-bufferization may: call one of its passes, or set XDSL_BUFFERIZATION_ALWAYS=1
// ALWAYS: linalg.generic
// OURS: memref.alloc

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %b = tensor.empty() : tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %x, %x : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
