// RUN: not xdsl-opt %s -p 'plan-static-memory{max-size-in-bytes=100}' 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p 'plan-static-memory{max-size-in-bytes=100 arena-as-argument=true}' 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p 'plan-static-memory{method=perfect}' 2>&1 | filecheck %s --check-prefix=METHOD
// RUN: not xdsl-opt %s -p 'plan-static-memory{alignment=-1}' 2>&1 | filecheck %s --check-prefix=ALIGNMENT
// RUN: xdsl-opt %s -p 'plan-static-memory{max-size-in-bytes=128 method=exact time-limit=1 report=true}' 2>&1 | filecheck %s --check-prefix=REPORT

func.func @f(%a: memref<4xf32>) {
  %x = memref.alloc() : memref<16xf32>
  %y = memref.alloc() : memref<16xf32>
  "test.op"(%x, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  %z = memref.alloc() : memref<8xf32>
  "test.op"(%z) : (memref<8xf32>) -> ()
  func.return
}

// CHECK-NOT:  Traceback
// CHECK:      error: 'func.func' needs an arena of 128 bytes, more than max-size-in-bytes=100; at least 128 are needed at once
// CHECK-NEXT:   at: {{.*}}: in @f{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   hint: allow more, or split the function's work in smaller parts

// METHOD: error: plan-static-memory: 'perfect' is not a value of method; it takes one of heuristic, exact
// ALIGNMENT: error: plan-static-memory: alignment must be positive

// REPORT:      @f: 128 bytes for 3 buffers of 160 bytes; 128 bytes are needed at once
// REPORT-NEXT:       offset       bytes  life, in numbers of ops
// REPORT-NEXT:            0          64  3 to 4: %x = memref.alloc (line 8), from test.op (line 10) to test.op (line 10)
// REPORT-NEXT:           64          64  3 to 4: %y = memref.alloc (line 9), from test.op (line 10) to test.op (line 10)
// REPORT-NEXT:            0          32  5 to 6: %z = memref.alloc (line 11), from test.op (line 12) to test.op (line 12)
