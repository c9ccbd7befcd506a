// RUN: xdsl-opt -t 'bufferization-report{eliminate-copies=false}' %s | filecheck %s --match-full-lines

// A loop over an argument is returned in the memory of the argument.
// CHECK:      copy of %r (line [[#]]), 32 bytes: callers free what func.return gives them, and this memory belongs to
// CHECK-NEXT: the argument %t [B009]
// CHECK:        help: If callers do not need %t any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 0 on that argument: 32 bytes less copied, 32 bytes less at the peak.
func.func @loop(%t: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (tensor<8xf32>) {
    %set = tensor.insert %x into %s[%i] : tensor<8xf32>
    scf.yield %set : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// A matmul needs all of its operand, so it does not help to take a part of it before.
// CHECK:      @needs_all, {{.*}}
// CHECK:      copy of %s (line [[#]]), 256 bytes: tensor.insert would write it in place, but linalg.matmul (line [[#]])
// CHECK-NEXT: still reads it [B001]
// CHECK:        avoidable: what linalg.fill computes is cheap to compute again.
// CHECK-NEXT:   help: Set eliminate-copies=true: 256 bytes less copied.
func.func @needs_all(%t: tensor<8x8xf32>, %x: f32, %i: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.fill ins(%x : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %set = tensor.insert %x into %s[%i, %i] : tensor<8x8xf32>
  %v = tensor.extract %set[%i, %i] : tensor<8x8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%s, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %set, %m : tensor<8x8xf32>, tensor<8x8xf32>
}

// The function may return either buffer, and writes both before.
// CHECK:      @may_return_either, {{.*}}
// CHECK:      another buffer for %r (line [[#]]), 16 bytes: func.call would write it in place while it also writes it
// CHECK-NEXT: as operand #1 [B003]
// CHECK:        needed: func.call needs memory for each tensor that it writes.
func.func private @write(tensor<8xf32> {bufferization.access = "write"}, tensor<4xf32> {bufferization.access = "write"}) -> tensor<8xf32>
func.func @may_return_either(%t: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %u = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = func.call @write(%t, %u) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// Two ops that write what they are both given.
// CHECK:      @same_tensor, {{.*}}
// CHECK:        unknown: tensor.insert (line [[#]]) and tensor.insert (line [[#]]) both start from %t, so that one of
// CHECK-NEXT:            them needs a copy unless it goes on from the result of the other.
func.func @same_tensor(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = tensor.insert %f into %t[%i] : tensor<8xf32>
  %b = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// The results of a function that is not known may be one buffer.
// CHECK:      @results, {{.*}}
// CHECK:        unknown: tensor.insert (line [[#]]) and tensor.insert (line [[#]]) both write what may be one buffer, so
// CHECK-NEXT:            that one of them needs a copy.
func.func private @unknown() -> (tensor<8xf32>, tensor<8xf32>)
func.func @results(%f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r, %s = func.call @unknown() : () -> (tensor<8xf32>, tensor<8xf32>)
  %a = tensor.insert %f into %r[%i] : tensor<8xf32>
  %b = tensor.insert %f into %s[%i] : tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}
