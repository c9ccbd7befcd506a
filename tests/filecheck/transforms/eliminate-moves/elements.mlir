// RUN: xdsl-opt %s -p eliminate-moves | filecheck %s

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// A filled tensor, and one that is filled by a body: the reader has the values in its own.
// CHECK-LABEL: func.func @filled(
// CHECK-NEXT:    %g = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %e = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
// CHECK-NEXT:    ^bb0(%a: f32, %o: f32):
// CHECK-NEXT:      %s = arith.mulf %a, %f : f32
// CHECK-NEXT:      %t = arith.addf %s, %g : f32
// CHECK-NEXT:      linalg.yield %t : f32
func.func @filled(%x: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %g = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %g : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%v, %x, %w : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b: f32, %a: f32, %c: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// A constant, which others may use as it is.
// CHECK-LABEL: func.func @constant(
// CHECK-NEXT:    [[C:%.*]] = arith.constant 1 : i32
// CHECK-NEXT:    %v = arith.constant dense<1> : tensor<8xi32>
// CHECK:           arith.addi %a, [[C]] : i32
func.func @constant(%x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %v = arith.constant dense<1> : tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%v, %x : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%b: i32, %a: i32, %o: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  func.return %r, %v : tensor<8xi32>, tensor<8xi32>
}

// The fill is an init of something else, too, so it stays, and is read.
// CHECK-LABEL: func.func @also_an_init(
// CHECK:         %v = linalg.fill
// CHECK:         %r = linalg.generic {{.*}} ins(%v : tensor<8xf32>)
func.func @also_an_init(%x: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %q = linalg.add ins(%x, %r : tensor<8xf32>, tensor<8xf32>) outs(%v : tensor<8xf32>) -> tensor<8xf32>
  func.return %r, %q : tensor<8xf32>, tensor<8xf32>
}

// Nothing else tells how many elements are to be added.
// CHECK-LABEL: func.func @unbounded(
// CHECK:         %v = linalg.fill
func.func @unbounded(%f: f32, %init: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]} ins(%v : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  func.return %r : tensor<f32>
}

// Without a move nothing changes: linalg.copy asks for a copy.
// CHECK-LABEL: func.func @copy(
// CHECK-NEXT:    %e = tensor.empty()
// CHECK-NEXT:    %c = linalg.copy ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %y = tensor.extract %c[%i]
func.func @copy(%x: tensor<8xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %c = linalg.copy ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.extract %c[%i] : tensor<8xf32>
  func.return %y : f32
}
