// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// Both branches yield the part of %t into which the result is inserted. mlir-opt copies it.
// CHECK-LABEL: func.func @same_slice(
// CHECK-NOT: memref.copy
func.func @same_slice(%c: i1, %t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %y = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  %u = tensor.insert_slice %r into %t[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %u : tensor<16xf32>
}

// A conditional within one, and more branches.
// CHECK-LABEL: func.func @nested(
// CHECK-NOT: memref.copy
func.func @nested(%c: i1, %k: index, %t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r = scf.index_switch %k -> tensor<4xf32>
  case 0 {
    %p = scf.if %c -> (tensor<4xf32>) {
      %y = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %y : tensor<4xf32>
    } else {
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %p : tensor<4xf32>
  }
  default {
    scf.yield %s : tensor<4xf32>
  }
  %u = tensor.insert_slice %r into %t[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %u : tensor<16xf32>
}

// One branch yields another part, which is copied.
// CHECK-LABEL: func.func @other_slice(
// CHECK: memref.copy
func.func @other_slice(%c: i1, %t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %s = tensor.extract_slice %t[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = tensor.extract_slice %t[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %u = tensor.insert_slice %r into %t[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %u : tensor<16xf32>
}
