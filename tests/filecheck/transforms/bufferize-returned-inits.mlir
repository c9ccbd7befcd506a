// RUN: xdsl-opt %s -p bufferize | filecheck %s

// Returned: deallocation would copy what is returned in the memory of an argument.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%a
// CHECK-NEXT: %q = memref.alloc()
// CHECK-NEXT: linalg.mul ins(%a, %b : {{.*}}) outs(%q
// CHECK-NEXT: func.return %q
func.func @returned(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.mul ins(%r, %b : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  func.return %q : tensor<8xf32>
}

// Both, of sizes known at run time.
// CHECK-LABEL: func.func @both_returned(
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @both_returned(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %q = linalg.mul ins(%r, %b : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  func.return %r, %q : tensor<?xf32>, tensor<?xf32>
}

// The argument that is donated for the result is where it is returned.
// CHECK-LABEL: func.func @donated(
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%a
func.func @donated(%a: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The caller has the result of a private function.
// CHECK-LABEL: func.func private @held(
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%a
func.func private @held(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// Allocated before the large tensor, which is dead when the result would be copied.
// CHECK-LABEL: func.func @higher_peak(
// CHECK: linalg.add ins(%a, %b : {{.*}}) outs(%a
func.func @higher_peak(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8x64xf32>, %o: tensor<8x64xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.extract %r[%c0] : tensor<8xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %l = linalg.fill ins(%k : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%c, %l : tensor<8x64xf32>, tensor<64x64xf32>) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %x = tensor.extract %m[%c0, %c0] : tensor<8x64xf32>
  func.return %r, %x : tensor<8xf32>, f32
}
