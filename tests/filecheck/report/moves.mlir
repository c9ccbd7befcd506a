// RUN: xdsl-opt -t bufferization-report %s | filecheck %s --match-full-lines
// RUN: xdsl-opt -t 'bufferization-report{format=remarks function=moved}' %s | filecheck %s --check-prefix REMARKS
// RUN: xdsl-opt -t 'bufferization-report{format=json function=moved}' %s | filecheck %s --check-prefix JSON

// Two ops that copy, though they are not called so: a library needs the transposed matrix. The
// one in the loop is made in each iteration. %c is not made, since its reader reads %b.
// CHECK:       @moved, {{.*}}moves.mlir:{{[0-9]+}}:1
// CHECK:         copies: 0
// CHECK-NEXT:    moves: 2, 128 bytes
// CHECK:       move to %t (line {{[0-9]+}}), 64 bytes: linalg.generic {{.*}}
// CHECK-NEXT:  {{.*}}operands as they are [B103]
// CHECK-NEXT:    {{[0-9]+}} |   %t = linalg.transpose {{.*}}
// CHECK-NEXT:       |        ^^^^^^^^^^^^^^^^ moved by this
// CHECK-NEXT:    .. |
// CHECK-NEXT:    {{[0-9]+}} |     %z = linalg.generic {{.*}}
// CHECK-NEXT:       |          ^^^^^^^^^^^^^^ read here
// CHECK-NEXT:    help: Without library_call, it reads %x through an indexing map.
// CHECK:       move to %u (line {{[0-9]+}}), 64 bytes, in each run of scf.for {{.*}}
// REMARKS-DAG: moves.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: moved, 64 bytes: linalg.transpose to %t: linalg.generic {{.*}} operands as they are
// REMARKS-DAG: moves.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: moved, 64 bytes: linalg.generic to %u: linalg.generic (line {{[0-9]+}}) calls {{.*}}
// JSON:      "moves": [
// JSON-NEXT:   {
// JSON-NEXT:     "value": "%t",
// JSON-NEXT:     "type": "tensor<4x4xf32>",
// JSON-NEXT:     "bytes": 64,
// JSON-NEXT:     "op": "linalg.transpose",
func.func @moved(%x: tensor<4x4xf32> {bufferization.writable = false}, %b: tensor<4xf32> {bufferization.writable = false}, %m: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %l: index, %h: index, %s: index) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = scf.for %i = %l to %h step %s iter_args(%y = %m) -> (tensor<4x4xf32>) {
    %f = tensor.empty() : tensor<4x4xf32>
    %u = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4xf32>
    %z = linalg.generic {library_call = "product", indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t, %u : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) { ^bb0(%a: f32, %d: f32, %o: f32): linalg.yield %o : f32 } -> tensor<4x4xf32>
    scf.yield %z : tensor<4x4xf32>
  }
  %c = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>) outs(%r : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  func.return %q : tensor<4x4xf32>
}

// The mark is below %x, the third operand, though the op has lost the first.
// CHECK:       copy of %x (line {{[0-9]+}}), 32 bytes: {{.*}}
// CHECK:         {{[0-9]+}} | ...ypes = ["parallel"]} ins(%v, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) {
// CHECK-NEXT:       |                                                                         ^^ copied for this
func.func @dropped_input(%x: tensor<8xf32> {bufferization.writable = false}, %y: tensor<8xf32>) -> tensor<8xf32> {
  %v = arith.constant dense<2.0> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
