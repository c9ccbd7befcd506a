// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// Nothing is known of a function without a body, but for what `bufferization.access` says.
// (In generic form because xDSL's custom one has no argument attributes without a body.)

// CHECK-LABEL: func.func private @unknown(memref<4xf32, strided<[?], offset: ?>>) -> ()
func.func private @unknown(tensor<4xf32>)

"func.func"() <{sym_name = "read_only", sym_visibility = "private", function_type = (tensor<4xf32>) -> (), arg_attrs = [{bufferization.access = "read"}]}> ({}) : () -> ()

"func.func"() <{sym_name = "write_only", sym_visibility = "private", function_type = (tensor<4xf32>) -> (), arg_attrs = [{bufferization.access = "write"}]}> ({}) : () -> ()

"func.func"() <{sym_name = "no_access", sym_visibility = "private", function_type = (tensor<4xf32>) -> (), arg_attrs = [{bufferization.access = "none"}]}> ({}) : () -> ()

// CHECK-LABEL: func.func private @result() -> memref<?xf32, strided<[?], offset: ?>>
func.func private @result() -> tensor<?xf32>

// CHECK-LABEL: func.func @call_unknown(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.call @unknown(%1) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @call_unknown(%t: tensor<4xf32>, %i: index) -> f32 {
  func.call @unknown(%t) : (tensor<4xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @call_read_only(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:    func.call @read_only(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @call_read_only(%t: tensor<4xf32>, %i: index) -> f32 {
  func.call @read_only(%t) : (tensor<4xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// The callee reads nothing, so its own buffer needs no contents.
// CHECK-LABEL: func.func @call_write_only(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.call @write_only(%1) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @call_write_only(%t: tensor<4xf32>, %i: index) -> f32 {
  func.call @write_only(%t) : (tensor<4xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @call_no_access(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:    func.call @no_access(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @call_no_access(%t: tensor<4xf32>, %i: index) -> f32 {
  func.call @no_access(%t) : (tensor<4xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @call_result() -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %r = func.call @result() : () -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %r : memref<?xf32, strided<[?], offset: ?>>
func.func @call_result() -> tensor<?xf32> {
  %r = func.call @result() : () -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
