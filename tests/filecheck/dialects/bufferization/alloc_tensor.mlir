// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @sizes(%m: index, %n: index) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() : tensor<4x8xf32>
// CHECK-NEXT:    %1 = bufferization.alloc_tensor(%m, %n) : tensor<?x8x?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "sizes", function_type = (index, index) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: index, %n: index):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> tensor<4x8xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.alloc_tensor"(%m, %n) <{operandSegmentSizes = array<i32: 2, 0, 0>}> : (index, index) -> tensor<?x8x?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @sizes(%m: index, %n: index) {
  %0 = bufferization.alloc_tensor() : tensor<4x8xf32>
  %1 = bufferization.alloc_tensor(%m, %n) : tensor<?x8x?xf32>
  func.return
}

// CHECK-LABEL: func.func @copy(%t: tensor<?x8xf32>) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() copy(%t) : tensor<?x8xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "copy", function_type = (tensor<?x8xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<?x8xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @copy(%t: tensor<?x8xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<?x8xf32>
  func.return
}

// CHECK-LABEL: func.func @unranked_copy(%t: tensor<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() copy(%t) : tensor<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "unranked_copy", function_type = (tensor<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<*xf32>) -> tensor<*xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @unranked_copy(%t: tensor<*xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<*xf32>
  func.return
}

// CHECK-LABEL: func.func @size_hint(%n: index) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) size_hint = %n : tensor<?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "size_hint", function_type = (index) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%n: index):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"(%n, %n) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (index, index) -> tensor<?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @size_hint(%n: index) {
  %0 = bufferization.alloc_tensor(%n) size_hint=%n : tensor<?xf32>
  func.return
}

// CHECK-LABEL: func.func @memory_space(%n: index, %t: tensor<4xf32>) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?xf32>
// CHECK-NEXT:    %1 = bufferization.alloc_tensor() copy(%t) {memory_space = "scratch"} : tensor<4xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "memory_space", function_type = (index, tensor<4xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%n: index, %t: tensor<4xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"(%n) {memory_space = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.alloc_tensor"(%t) {memory_space = "scratch", operandSegmentSizes = array<i32: 0, 1, 0>} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @memory_space(%n: index, %t: tensor<4xf32>) {
  %0 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) {memory_space = "scratch"} : tensor<4xf32>
  func.return
}

// An encoding, and an attribute that is not the op's own.
// CHECK-LABEL: func.func @extras(%n: index) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) {note = "hot"} : tensor<?xf32, "compressed">
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "extras", function_type = (index) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%n: index):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.alloc_tensor"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>}> {note = "hot"} : (index) -> tensor<?xf32, "compressed">
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @extras(%n: index) {
  %0 = bufferization.alloc_tensor(%n) {note = "hot"} : tensor<?xf32, "compressed">
  func.return
}
