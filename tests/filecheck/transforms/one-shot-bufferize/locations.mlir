// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --print-debuginfo %s | filecheck %s

// New ops have the location of the op whose work they do.

func.func @exchange(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32> loc("model.py":3:1)
  %old = tensor.extract %t[%i] : tensor<8xf32> loc("model.py":4:1)
  func.return %set, %old : tensor<8xf32>, f32 loc("model.py":5:1)
} loc("model.py":2:1)

// CHECK:       memref.alloc() {{.*}} loc("model.py":3:1)
// CHECK-NEXT:  "memref.copy"{{.*}} loc("model.py":3:1)
// CHECK-NEXT:  memref.store {{.*}} loc("model.py":3:1)
// CHECK-NEXT:  memref.load {{.*}} loc("model.py":4:1)
// CHECK-NEXT:  func.return {{.*}} loc("model.py":5:1)
// CHECK-NEXT:  } loc("model.py":2:1)

// What a loop hands over is copied for its terminator.
func.func @swap(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (tensor<8xf32>) {
    scf.yield %b : tensor<8xf32> loc("model.py":9:1)
  } loc("model.py":8:1)
  func.return %r : tensor<8xf32>
}

// CHECK:       scf.for
// CHECK:       "memref.copy"{{.*}} loc("model.py":9:1)
// CHECK:       scf.yield {{.*}} loc("model.py":9:1)
// CHECK-NEXT:  } loc("model.py":8:1)
