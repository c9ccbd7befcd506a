// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --print-debuginfo | filecheck %s
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries must-be-in-place}' 2>&1 | filecheck %s --check-prefix=ERROR

// mlir-opt prints the definitions of most locations after the ops that use them.
// CHECK: memref.copy{{.*}} loc("model.py":3:4)
// CHECK: memref.store{{.*}} loc("model.py":3:4)
// CHECK: memref.load{{.*}} loc(callsite("model.py":3:4 at "main.py":1:2))
// ERROR: at: {{.*}}location_aliases.mlir:12:12 (model.py:3:4): in @exchange
#loc1 = loc("main.py":1:2)
module {
  func.func @exchange(%t: tensor<8xf32> loc("main.py":1:5), %i: index loc(#loc1), %x: f32 loc(#loc1)) -> (tensor<8xf32>, f32) {
    %set = tensor.insert %x into %t[%i] : tensor<8xf32> loc(#loc2)
    %old = tensor.extract %t[%i] : tensor<8xf32> loc(#loc3)
    return %set, %old : tensor<8xf32>, f32 loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("model.py":3:4)
#loc3 = loc(callsite(#loc2 at #loc1))
