// RUN: xdsl-opt %s -p linalg-bufferize | filecheck %s

// The destination is read, so the contents are copied.
// CHECK-LABEL: func.func @accumulate(%a: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %a : tensor<4x4xf32> to memref<4x4xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %o : tensor<4x4xf32> to memref<4x4xf32>
// CHECK-NEXT:    %2 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    "memref.copy"(%1, %2) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    linalg.matmul ins(%0, %0 : memref<4x4xf32>, memref<4x4xf32>) outs(%2 : memref<4x4xf32>)
// CHECK-NEXT:    %3 = bufferization.to_tensor %2 : memref<4x4xf32> to tensor<4x4xf32>
// CHECK-NEXT:    func.return %3 : tensor<4x4xf32>
func.func @accumulate(%a: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %0 : tensor<4x4xf32>
}

// It is not read; its sizes are those of the buffer.
// CHECK-LABEL: func.func @fill(%f: f32, %o: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %o : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %0, %1 : memref<?xf32>
// CHECK-NEXT:    %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%3 : memref<?xf32>)
// CHECK-NEXT:    %4 = bufferization.to_tensor %3 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    %5 = "test.op"(%4) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:    func.return %5 : tensor<?xf32>
func.func @fill(%f: f32, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %1 = "test.op"(%0) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %1 : tensor<?xf32>
}
