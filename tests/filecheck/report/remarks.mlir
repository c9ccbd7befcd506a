// RUN: xdsl-opt %s -t 'bufferization-report{format=remarks eliminate-copies=false}' | filecheck %s --match-full-lines
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false}' -t 'bufferization-report{format=remarks}' | filecheck %s --match-full-lines --check-prefix=BUFFERS
// RUN: xdsl-opt %s -p canonicalize -t 'bufferization-report{format=remarks eliminate-copies=false}' | filecheck %s --match-full-lines --check-prefix=CHANGED
// RUN: not xdsl-opt %s -t 'bufferization-report{format=remarks eliminate-copies=false fail-on=avoidable-copies}' 2>&1 | filecheck %s --check-prefix=AVOIDABLE
// RUN: not xdsl-opt %s -t 'bufferization-report{max-bytes-copied=31 eliminate-copies=false}' 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: xdsl-opt %s -t 'bufferization-report{max-bytes-copied=32 eliminate-copies=false}' | filecheck %s --check-prefix=ENOUGH

// A line for each buffer and each copy, in the order of the program.
// CHECK:      {{.*}}remarks.mlir:33:32: remark: allocated, 32 bytes: %set, for tensor.insert: tensor.insert would write it in place, but tensor.extract (line 34) still reads it [B001]
// CHECK-NEXT: {{.*}}remarks.mlir:33:32: remark: copied, 32 bytes: tensor.insert would write it in place, but tensor.extract (line 34) still reads it [B001] [avoidable]

// Behind passes, they are in the lines of the source.
// BUFFERS:      {{.*}}remarks.mlir:33:10: remark: allocated, 32 bytes: %set, heap, returned
// BUFFERS-NEXT: {{.*}}remarks.mlir:33:10: remark: copied, 32 bytes: %t to %set

// So is what they say.
// CHANGED: {{.*}}remarks.mlir:33:10: remark: copied, 32 bytes: tensor.insert would write it in place, but tensor.extract (line 34) still reads it [B001] [avoidable]

// A limit that is exceeded is an error behind the report.
// AVOIDABLE:      remark: copied, 32 bytes
// AVOIDABLE-NOT:  Traceback
// AVOIDABLE:      error: bufferization-report: fail-on=avoidable-copies: 1 copy is avoidable, of 32 bytes

// BYTES:      copy of %t
// BYTES-NOT:  Traceback
// BYTES:      error: bufferization-report: max-bytes-copied=31: 32 bytes are copied

// ENOUGH:     copy of %t
// ENOUGH-NOT: error

func.func @exchange(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %unused = arith.constant 1 : index
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  func.return %set, %old : tensor<8xf32>, f32
}
