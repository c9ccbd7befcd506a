// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --print-debuginfo | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --print-debuginfo | xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries}' --print-debuginfo | filecheck %s
// RUN: bufferization-check %s
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries must-be-in-place}' 2>&1 | filecheck %s --check-prefix=ERROR

// Ranges and metadata of fused locations are read in every place where mlir-opt prints them.
// CHECK: func.func @ranges({{.*}} loc("r.py":1:2 to :5)
// CHECK: memref.copy{{.*}} loc("r.py":10:8 to 12:18)
// CHECK: memref.store{{.*}} loc("r.py":10:8 to 12:18)
// CHECK: memref.load{{.*}} loc(fused<"p">["r.py":7:1, "r.py":10:8 to 12:18])
// CHECK: func.return{{.*}} loc(callsite("g"(fused<{a = 1 : i32}>["r.py":3:1 to :9]) at "r.py":10:8 to 12:18))
// ERROR: at: {{.*}}location_ranges.mlir:15:12 (r.py:10:8): in @ranges
module {
  func.func @ranges(%t: tensor<8xf32> loc("r.py":1:2 to :5), %i: index, %x: f32) -> (tensor<8xf32>, f32) {
    %set = tensor.insert %x into %t[%i] : tensor<8xf32> loc(#loc)
    %old = tensor.extract %t[%i] : tensor<8xf32> loc(#loc1)
    return %set, %old : tensor<8xf32>, f32 loc(callsite("g"(#loc2) at "r.py":10:8 to 12:18))
  } loc("r.py":1:1 to 1:1)
}
#loc = loc("r.py":10:8 to 12:18)
#loc1 = loc(fused<"p">["r.py":7:1, #loc])
#loc2 = loc(fused<{a = 1 : i32}>["r.py":3:1 to :9])
