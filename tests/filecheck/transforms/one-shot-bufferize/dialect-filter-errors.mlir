// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=test}' --verify-diagnostics --split-input-file | filecheck %s

// What is asked for has to be possible.
func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'test.op' is not bufferizable: nothing is known of what it does to buffers
