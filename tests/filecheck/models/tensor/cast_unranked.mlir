// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s --check-prefix=WITHIN
// RUN: xdsl-opt %s -p 'one-shot-bufferize{analysis-heuristic=top-down}' | filecheck %s --check-prefix=WITHIN
// RUN: xdsl-opt %s -p 'one-shot-bufferize{copy-before-write}' | filecheck %s --check-prefix=WITHIN
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s --check-prefix=BOUNDARIES

// A cast to the same type is none on memrefs; and nothing is written, so nothing is copied.
// WITHIN-LABEL: func.func @same_type(
// WITHIN-NEXT:    %0 = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32>
// WITHIN-NEXT:    %1 = bufferization.to_tensor %0 : memref<*xf32> to tensor<*xf32>
// WITHIN-NEXT:    func.return %1 : tensor<*xf32>
// BOUNDARIES-LABEL: func.func @same_type(
// BOUNDARIES-NEXT:    func.return %t : memref<*xf32>
func.func @same_type(%t: tensor<*xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %t : tensor<*xf32> to tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

func.func private @writes(tensor<*xf32>)

// What a tensor of unknown rank was cast from can be copied.
// BOUNDARIES-LABEL: func.func @calls(
// BOUNDARIES-NEXT:    %0 = "memref.cast"(%t)
// BOUNDARIES-NEXT:    %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// BOUNDARIES-NEXT:    "memref.copy"(%t, %1)
// BOUNDARIES-NEXT:    %2 = "memref.cast"(%1) : (memref<4xf32>) -> memref<*xf32>
// BOUNDARIES-NEXT:    func.call @writes(%2)
// BOUNDARIES-NEXT:    func.call @writes(%0)
func.func @calls(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  func.call @writes(%0) : (tensor<*xf32>) -> ()
  func.call @writes(%0) : (tensor<*xf32>) -> ()
  func.return
}
