// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=copying,returns_argument,returns_constant,in_destination,no_restrict,hands_on_both}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=copying,caller,recursive,no_restrict}' | filecheck %s --check-prefix=OTHER

// Each write works on a copy,
// CHECK-LABEL: func.func @copying(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @copying(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// so that nothing has to be known of other tensors in the same memory.
// CHECK-LABEL: func.func @no_restrict(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @no_restrict(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @returns_argument(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    func.return %t : memref<4xf32, strided<[?], offset: ?>>
func.func @returns_argument(%t: tensor<4xf32>) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func @returns_constant() -> memref<4xf32> {
// CHECK-NEXT:    %c = memref.get_global @__constant_4xf32 : memref<4xf32>
// CHECK-NEXT:    func.return %c : memref<4xf32>
func.func @returns_constant() -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_destination(%s: memref<4xf32, strided<[?], offset: ?>>, %d: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    "memref.copy"(%s, %d) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    func.return %d : memref<4xf32, strided<[?], offset: ?>>
func.func @in_destination(%s: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Callers know that the function does not write its argument, and that its result is
// another buffer.
// CHECK-LABEL: func.func @caller(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %a = func.call @copying(%t, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32>
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %a, %x : memref<4xf32>, f32
// OTHER-LABEL: func.func @caller(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// OTHER-NEXT:    %a = func.call @copying(%t, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32>
// OTHER-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// OTHER-NEXT:    "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// OTHER-NEXT:    memref.store %f, %b[%i] : memref<4xf32>
// OTHER-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// OTHER-NEXT:    func.return %b, %x : memref<4xf32>, f32
func.func @caller(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = func.call @copying(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %b, %x : tensor<4xf32>, f32
}

// The result may be the argument, which is still read.
// CHECK-LABEL: func.func @reads_argument(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %a = func.call @returns_argument(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %b) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %b, %x : memref<4xf32>, f32
func.func @reads_argument(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = func.call @returns_argument(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %b, %x : tensor<4xf32>, f32
}

// A constant must not be written, wherever it comes from.
// CHECK-LABEL: func.func @writes_constant(%f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %a = func.call @returns_constant() : () -> memref<4xf32>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %b : memref<4xf32>
func.func @writes_constant(%f: f32, %i: index) -> tensor<4xf32> {
  %a = func.call @returns_constant() : () -> tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// What can only be done in place writes the argument, which is still read.
// CHECK-LABEL: func.func @reads_destination(%s: memref<4xf32, strided<[?], offset: ?>>, %d: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %r = func.call @in_destination(%s, %1) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %d[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %r, %x : memref<4xf32, strided<[?], offset: ?>>, f32
func.func @reads_destination(%s: tensor<4xf32>, %d: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %r = func.call @in_destination(%s, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %d[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @recursive(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %b = func.call @recursive(%t, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %b : memref<4xf32, strided<[?], offset: ?>>
// OTHER-LABEL: func.func @recursive(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// OTHER-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// OTHER-NEXT:    "memref.copy"(%t, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// OTHER-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// OTHER-NEXT:    %0 = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// OTHER-NEXT:    %b = func.call @recursive(%0, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
// OTHER-NEXT:    func.return %b : memref<4xf32, strided<[?], offset: ?>>
func.func @recursive(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = func.call @recursive(%a, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// Results that a function hands on may be in one buffer, as where they come from.
// CHECK-LABEL: func.func @hands_on_both
// CHECK-LABEL: func.func @writes_one(%f: f32, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r, %s = func.call @hands_on_both(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%r, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %w, %s : memref<4xf32>, memref<4xf32>
func.func @twice(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %w, %w : tensor<4xf32>, tensor<4xf32>
}
func.func @hands_on_both(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = func.call @twice(%f) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}
func.func @writes_one(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = func.call @hands_on_both(%f) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %w = tensor.insert %f into %r[%i] : tensor<4xf32>
  func.return %w, %s : tensor<4xf32>, tensor<4xf32>
}
