// xDSL has no floats of 8 bits before 0.69.
// REQUIRES: xdsl-0.69
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// CHECK-LABEL: func.func @fine(
// CHECK-SAME: memref<2xf8E4M3FN, {{.*}}
func.func @fine(%a: tensor<2xf8E4M3FN>) {
  func.return
}
