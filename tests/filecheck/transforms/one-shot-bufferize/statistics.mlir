// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries statistics}' -o /dev/null %s 2>&1 | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only statistics}' -o /dev/null %s 2>&1 | filecheck %s --check-prefix ANALYSIS
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries copy-before-write statistics}' -o /dev/null %s 2>&1 | filecheck %s --check-prefix COPIES
// RUN: xdsl-opt -p 'bufferize{eliminate-copies=false statistics}' -o /dev/null %s 2>&1 | filecheck %s --check-prefix ALL

func.func @set(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %filled = linalg.fill ins(%x : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  %both = tensor.insert %old into %filled[%i] : tensor<8xf32>
  %new = tensor.extract %both[%i] : tensor<8xf32>
  %again = tensor.insert %new into %set[%i] : tensor<8xf32>
  func.return %again : tensor<8xf32>
}

// CHECK:      one-shot-bufferize
// CHECK-NEXT:   (S) 2 num-buffer-alloc
// CHECK-NEXT:   (S) 6 num-tensor-in-place
// CHECK-NEXT:   (S) 1 num-tensor-out-of-place

// ANALYSIS:      one-shot-bufferize
// ANALYSIS-NEXT:   (S) 0 num-buffer-alloc
// ANALYSIS-NEXT:   (S) 6 num-tensor-in-place
// ANALYSIS-NEXT:   (S) 1 num-tensor-out-of-place

// COPIES:      one-shot-bufferize
// COPIES-NEXT:   (S) 4 num-buffer-alloc
// COPIES-NEXT:   (S) 3 num-tensor-in-place
// COPIES-NEXT:   (S) 4 num-tensor-out-of-place

// ALL:      bufferize
// ALL-NEXT:   (S) 2 num-buffer-alloc
