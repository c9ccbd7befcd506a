// RUN: not xdsl-opt %s -p bufferize --shrink | filecheck %s
// RUN: not xdsl-opt %s -p 'bufferize{eliminate-copies=false must-be-in-place}' --shrink 2>&1 | filecheck %s --check-prefix=REFUSED

// A program is interesting if a ShrinkException is raised, see test_shrink.py. It is not if all
// is well,
// CHECK:         memref.store
// CHECK:         Failure, can't shrink

// and not if it is refused.
// REFUSED-NOT:   Traceback
// REFUSED:       error: 'tensor.insert' must have operand #1 in place
// REFUSED-NOT:   Success
// REFUSED-NOT:   Failure
func.func @exchange(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  func.return %set, %old : tensor<8xf32>, f32
}
