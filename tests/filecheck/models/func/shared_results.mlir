// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// A tensor that is returned twice is in one buffer.
// CHECK-LABEL: func.func @twice(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:      func.return %e, %e : memref<4xf32>, memref<4xf32>
func.func @twice(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %w, %w : tensor<4xf32>, tensor<4xf32>
}

// So what is written to the one result must not be seen in the other.
// CHECK-LABEL: func.func @caller(%f: f32, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %a, %b = func.call @twice(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%a, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %w, %b : memref<4xf32>, memref<4xf32>
func.func @caller(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %a, %b = func.call @twice(%f) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %f into %a[%i] : tensor<4xf32>
  func.return %w, %b : tensor<4xf32>, tensor<4xf32>
}

// Both are known to be one buffer, of which an elementwise op may read and write each
// element.
// CHECK-LABEL: func.func @adds(%f: f32) -> memref<4xf32> {
// CHECK-NEXT:      %a, %b = func.call @twice(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
// CHECK-NEXT:      func.return %b : memref<4xf32>
func.func @adds(%f: f32) -> tensor<4xf32> {
  %a, %b = func.call @twice(%f) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// Nor must it where the called function is not known.
// CHECK-LABEL: func.func @calls_unknown(%a: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %t = func.call @unknown(%a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%r, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %w, %t : memref<4xf32>, memref<4xf32>
func.func private @unknown(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @calls_unknown(%a: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %t = func.call @unknown(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %f into %r[%i] : tensor<4xf32>
  func.return %w, %t : tensor<4xf32>, tensor<4xf32>
}
