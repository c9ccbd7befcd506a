// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{modify-public-functions=true}' | filecheck %s

// The caller has the first result in the argument. Nothing else becomes of it.
// CHECK-LABEL: func.func @returns(%m: memref<8xf32>, %n: memref<4xf32>, %0: memref<4xf32>) -> f32 {
// CHECK-NEXT:      %f = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      "memref.copy"(%n, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %f : f32
// CHECK-NEXT:    }
func.func @returns(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %n: memref<4xf32>) -> (memref<8xf32>, memref<4xf32>, f32) {
  %f = arith.constant 0.0 : f32
  func.return %m, %n, %f : memref<8xf32>, memref<4xf32>, f32
}

// An unranked memref stays a result, so that its number changes.
// CHECK-LABEL: func.func @unranked(%m: memref<8xf32>, %n: memref<*xf32> {bufferize.aliasing_result = 0 : i64}, %0: memref<8xf32>) -> memref<*xf32> {
// CHECK-NEXT:      "memref.copy"(%m, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %n : memref<*xf32>
// CHECK-NEXT:    }
func.func @unranked(%m: memref<8xf32>, %n: memref<*xf32> {bufferize.aliasing_result = 1 : i64}) -> (memref<8xf32>, memref<*xf32>) {
  func.return %m, %n : memref<8xf32>, memref<*xf32>
}

// CHECK-LABEL: func.func @recursive(%c: i1, %m: memref<8xf32>) {
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %r = scf.if %c -> (memref<8xf32>) {
// CHECK-NEXT:        func.call @recursive(%false, %m) : (i1, memref<8xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<8xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @recursive(%c: i1, %m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<8xf32> {
  %false = arith.constant false
  %r = scf.if %c -> (memref<8xf32>) {
    %s = func.call @recursive(%false, %m) : (i1, memref<8xf32>) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %m : memref<8xf32>
  }
  func.return %r : memref<8xf32>
}

// CHECK-LABEL: func.func @calls(%m: memref<8xf32>, %c: i1, %i: index) -> f32 {
// CHECK-NEXT:      func.call @recursive(%c, %m) : (i1, memref<8xf32>) -> ()
// CHECK-NEXT:      %s = func.call @declared(%m) : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:      %f = memref.load %s[%i] : memref<8xf32>
// CHECK-NEXT:      func.return %f : f32
// CHECK-NEXT:    }
func.func @calls(%m: memref<8xf32>, %c: i1, %i: index) -> f32 {
  %r = func.call @recursive(%c, %m) : (i1, memref<8xf32>) -> memref<8xf32>
  %s = func.call @declared(%r) : (memref<8xf32>) -> memref<8xf32>
  %f = memref.load %s[%i] : memref<8xf32>
  func.return %f : f32
}

// CHECK-LABEL: "func.func"() <{sym_name = "declared", function_type = (memref<8xf32>) -> memref<8xf32>, sym_visibility = "private", arg_attrs = [{bufferize.aliasing_result = 0 : i64}]}> ({
func.func private @declared(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<8xf32>
