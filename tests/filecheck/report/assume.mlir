// RUN: xdsl-opt -t 'bufferization-report{assume="%x.0=32"}' %s | filecheck %s
// RUN: xdsl-opt -p 'bufferize{arena}' -t 'bufferization-report{assume="%x.0=32"}' %s | filecheck %s --check-prefix=ARENA
// RUN: xdsl-opt -t bufferization-report %s | filecheck %s --check-prefix=UNKNOWN
// RUN: xdsl-opt -t 'bufferization-report{format=json}' %s | filecheck %s --check-prefix=JSON
// RUN: xdsl-opt -t 'bufferization-report{format=remarks}' %s | filecheck %s --check-prefix=REMARKS
// RUN: xdsl-opt -p 'bufferize{arena}' -t bufferization-report %s | filecheck %s --check-prefix=ARENA-OF-N
// RUN: not xdsl-opt -t 'bufferization-report{assume="%x.0=many"}' %s 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not xdsl-opt -t 'bufferization-report{assume="%x.0=32","%y.0=1"}' %s 2>&1 | filecheck %s --check-prefix=NO-SIZE

// One tensor.empty is three buffers: each is named by the op that fills it.
// Sizes are formulas of what the program names.
// Sizes follow from the batch that is assumed, and so do the offsets in an arena of run-time size.

// CHECK:         peak: 6,144 bytes at linalg.matmul (line [[#]])
// CHECK:         buffers: 3, 6,144 bytes
// ARENA:         arena %arena of 4,096 bytes: 2 buffers
// ARENA:         memref<?x16xf32>{{ +}}2,048{{ +}}arena at 0
// ARENA:         memref<?x16xf32>{{ +}}2,048{{ +}}arena at 2,048
// UNKNOWN:       peak: 192*%x.0 bytes at linalg.matmul (line [[#]])
// UNKNOWN-NEXT:    at the peak    bytes  made by                  needed until
// UNKNOWN-NEXT:    %a           64*%x.0  linalg.matmul (line 41)  linalg.add (line 44), returned
// UNKNOWN-NEXT:    %b           64*%x.0  linalg.matmul (line 42)  linalg.matmul (line 43)
// UNKNOWN-NEXT:    %c           64*%x.0  linalg.matmul (line 43)  linalg.add (line 44)
// UNKNOWN:         help: No donation, option or pass that was tried lowers it.
// UNKNOWN:       buffers: 3, 192*%x.0 bytes
// ARENA-OF-N:    peak: 192*%x.0 bytes at memref.alloc
// ARENA-OF-N:    peak in %arena: 128*%x.0 bytes at linalg.fill
// ARENA-OF-N:    arena %arena of 128*%x.0 bytes: 2 buffers
// ARENA-OF-N:    memref<?x16xf32>{{ +}}64*%x.0{{ +}}arena at 0
// ARENA-OF-N:    memref<?x16xf32>{{ +}}64*%x.0{{ +}}arena at 64*%x.0
// JSON:          "bytes": "64*%x.0"
// REMARKS:       remark: allocated, 64*%x.0 bytes: %a
// NO-SIZE:       error: bufferization-report: assume: no size depends on %y.0; there are: %x.0
// ERROR:         error: bufferization-report: '%x.0=many' is not a value of assume; it takes sizes with a number each
func.func @net(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %empty = tensor.empty(%n) : tensor<?x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = linalg.matmul ins(%a, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  %c = linalg.matmul ins(%b, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  %d = linalg.add ins(%a, %c : tensor<?x16xf32>, tensor<?x16xf32>) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %d : tensor<?x16xf32>
}
