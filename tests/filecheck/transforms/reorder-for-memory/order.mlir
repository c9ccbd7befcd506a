// RUN: xdsl-opt %s -p reorder-for-memory --split-input-file | filecheck %s

// Each of the large tensors is reduced before the other one is computed: 4,004 bytes at the peak
// instead of 8,004.
// CHECK-LABEL: func.func @wide(
// CHECK:         %a = linalg.fill
// CHECK:         %s = linalg.reduce ins(%a
// CHECK:         %b = linalg.fill
// CHECK:         %t = linalg.reduce ins(%b
func.func @wide(%f: f32, %g: f32) -> tensor<f32> {
  %0 = tensor.empty() : tensor<1000xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<1000xf32>) -> tensor<1000xf32>
  %1 = tensor.empty() : tensor<1000xf32>
  %b = linalg.fill ins(%g : f32) outs(%1 : tensor<1000xf32>) -> tensor<1000xf32>
  %2 = tensor.empty() : tensor<f32>
  %3 = linalg.fill ins(%f : f32) outs(%2 : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%a : tensor<1000xf32>) outs(%3 : tensor<f32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  %t = linalg.reduce ins(%b : tensor<1000xf32>) outs(%s : tensor<f32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  func.return %t : tensor<f32>
}

// -----

// No order needs less, so all stays as it is, though %c could be computed earlier.
// CHECK-LABEL: func.func @best(
// CHECK-NEXT:    %0 = tensor.empty()
// CHECK-NEXT:    %a = linalg.fill
// CHECK-NEXT:    %1 = tensor.empty()
// CHECK-NEXT:    %b = linalg.exp
// CHECK-NEXT:    %2 = tensor.empty()
// CHECK-NEXT:    %c = linalg.fill
// CHECK-NEXT:    func.return
func.func @best(%f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<4xf32>
  %c = linalg.fill ins(%f : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// -----

// A buffer of a size that is known at run time only: one after the other is best for all sizes.
// CHECK-LABEL: func.func @run_time_size(
// CHECK:         linalg.fill
// CHECK:         linalg.reduce
// CHECK:         linalg.fill
// CHECK:         linalg.reduce
func.func @run_time_size(%f: f32, %n: index, %z: tensor<f32>) -> tensor<f32> {
  %0 = tensor.empty() : tensor<1000xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<1000xf32>) -> tensor<1000xf32>
  %1 = tensor.empty(%n) : tensor<?xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce ins(%a : tensor<1000xf32>) outs(%z : tensor<f32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  %t = linalg.reduce ins(%b : tensor<?xf32>) outs(%s : tensor<f32>) dimensions = [0]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  func.return %t : tensor<f32>
}

// -----

// The body of a loop is a block of its own.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK:           %a = linalg.fill
// CHECK:           %x = tensor.extract %a
// CHECK:           %b = linalg.fill
// CHECK:           %y = tensor.extract %b
// CHECK:           scf.yield
func.func @loop(%f: f32, %i: index, %j: index, %k: index) -> f32 {
  %r = scf.for %l = %i to %j step %k iter_args(%v = %f) -> (f32) {
    %0 = tensor.empty() : tensor<100xf32>
    %a = linalg.fill ins(%v : f32) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
    %1 = tensor.empty() : tensor<100xf32>
    %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
    %x = tensor.extract %a[%l] : tensor<100xf32>
    %y = tensor.extract %b[%l] : tensor<100xf32>
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  }
  func.return %r : f32
}

// -----

// A conditional moves as a whole, in front of what its results do not need.
// CHECK-LABEL: func.func @conditional(
// CHECK:         %r = scf.if
// CHECK:           tensor.extract %a
// CHECK:         %b = linalg.fill
// CHECK:         %y = tensor.extract %b
func.func @conditional(%f: f32, %c: i1, %i: index) -> f32 {
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  %r = scf.if %c -> (f32) {
    %x = tensor.extract %a[%i] : tensor<100xf32>
    scf.yield %x : f32
  } else {
    scf.yield %f : f32
  }
  %y = tensor.extract %b[%i] : tensor<100xf32>
  %z = arith.addf %r, %y : f32
  func.return %z : f32
}

// -----

// The insertion is in place, so %b, which would take less memory at the end, stays before it; the
// sums move up to what they sum.
// CHECK-LABEL: func.func @after_its_readers(
// CHECK:         %b = linalg.generic
// CHECK:         %y = tensor.insert
// CHECK:         %c1 = linalg.generic
// CHECK:         %s1 = linalg.generic
// CHECK:         %c2 = linalg.generic
// CHECK:         %s2 = linalg.generic
func.func @after_its_readers(%a: tensor<256xf32> {bufferization.writable = false}, %f: tensor<f32>, %z: f32, %i: index) -> (tensor<16384xf32>, tensor<256xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<256xf32>
  %x = linalg.exp ins(%a : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %eb = tensor.empty() : tensor<16384xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 64)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<256xf32>) outs(%eb : tensor<16384xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = math.exp %u : f32
    linalg.yield %w : f32
  } -> tensor<16384xf32>
  %y = tensor.insert %z into %x[%i] : tensor<256xf32>
  %e1 = tensor.empty() : tensor<16384xf32>
  %c1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 64)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<256xf32>) outs(%e1 : tensor<16384xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = math.exp %u : f32
    linalg.yield %w : f32
  } -> tensor<16384xf32>
  %e2 = tensor.empty() : tensor<16384xf32>
  %c2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 64)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<256xf32>) outs(%e2 : tensor<16384xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = math.sin %u : f32
    linalg.yield %w : f32
  } -> tensor<16384xf32>
  %s1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%c1 : tensor<16384xf32>) outs(%f : tensor<f32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  %s2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%c2 : tensor<16384xf32>) outs(%s1 : tensor<f32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  func.return %b, %y, %s2 : tensor<16384xf32>, tensor<256xf32>, tensor<f32>
}
