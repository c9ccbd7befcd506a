// RUN: xdsl-opt %s -p 'plan-static-memory{start-addresses="L1:0x1000" max-sizes="L1:256","2 : i32:64" report}' 2>&1 >/dev/null | filecheck %s --check-prefix=REPORT
// RUN: xdsl-opt %s -p 'plan-static-memory{start-addresses="L1:0x1000"}' | filecheck %s --check-prefix=ARENAS
// RUN: xdsl-opt %s -p 'plan-static-memory{start-addresses="L1:0x1000" offsets-as-attributes}' | filecheck %s --check-prefix=ATTRIBUTES
// RUN: not xdsl-opt %s -p 'plan-static-memory{start-addresses="L1:0x1000" max-sizes="L1:100"}' 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: not xdsl-opt %s -p 'plan-static-memory{max-sizes="L1"}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not xdsl-opt %s -p 'plan-static-memory{start-addresses="L1:0" arena-as-argument}' 2>&1 | filecheck %s --check-prefix=ARGUMENT
// RUN: not xdsl-opt %s -p 'plan-static-memory{offsets-as-attributes arena-as-argument}' 2>&1 | filecheck %s --check-prefix=BOTH

// OPTION:   error: plan-static-memory: 'L1' is not a value of max-sizes; it takes memory spaces with a number each
// ARGUMENT: error: plan-static-memory: with arena-as-argument callers choose the addresses, not start-addresses
// BOTH:     error: plan-static-memory: arena-as-argument and offsets-as-attributes exclude each other

// Where memory spaces start at an address, the arena of a caller is behind those of the
// functions that it calls, so that neither overwrites what the other has there.
// ARENAS-LABEL: func.func @callee() attributes {bufferize.static_memory = {L1 = 64 : i64}} {
// ARENAS-NEXT:    %arena = memref.alloc() {alignment = 16 : i64, bufferize.address = 4096 : i64} : memref<64xi8, "L1">
// ATTRIBUTES-LABEL: func.func @callee()
// ATTRIBUTES-NEXT:    %a = memref.alloc() {bufferize.address = 4096 : i64, bufferization.manual_deallocation} : memref<16xf32, "L1">
// REPORT:      @callee: 64 bytes in memory space L1 for 1 buffer of 64 bytes; 64 bytes are needed at once
// REPORT-NEXT:      address       bytes  life, in numbers of ops
// REPORT-NEXT:       0x1000          64  {{.*}}: %a = memref.alloc
func.func @callee() {
  %a = memref.alloc() : memref<16xf32, "L1">
  "test.op"(%a) : (memref<16xf32, "L1">) -> ()
  func.return
}

// ARENAS-LABEL: func.func @caller() attributes {bufferize.static_memory = {L1 = 132 : i64}} {
// ARENAS-DAG:     memref.alloc() {alignment = 16 : i64} : memref<16xi8, 2 : i32>
// ARENAS-DAG:     memref.alloc() {alignment = 64 : i64, bufferize.address = 4160 : i64} : memref<68xi8, "L1">
// ATTRIBUTES-LABEL: func.func @caller()
// ATTRIBUTES-NEXT:    %a = memref.alloc() {alignment = 64 : i64, bufferize.address = 4160 : i64, bufferization.manual_deallocation} : memref<17xf32, "L1">
// ATTRIBUTES-NEXT:    %b = memref.alloc() {bufferize.offset = 0 : i64, bufferization.manual_deallocation} : memref<4xf32, 2 : i32>
// REPORT:      @caller: 68 bytes in memory space L1 for 1 buffer of 68 bytes
// REPORT:          0x1040          68
// REPORT:      @caller: 16 bytes in memory space 2 : i32 for 1 buffer of 16 bytes
// REPORT:               0          16
// SIZE:      error: 'func.func' needs an arena of 68 bytes in memory space L1 after 64 bytes of the functions that it calls, more than max-sizes=L1:100; at least 68 are needed at once
// SIZE-NEXT:   at: {{.*}}: in @caller
func.func @caller() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<17xf32, "L1">
  %b = memref.alloc() : memref<4xf32, 2 : i32>
  func.call @callee() : () -> ()
  "test.op"(%a, %b) : (memref<17xf32, "L1">, memref<4xf32, 2 : i32>) -> ()
  func.return
}

// What has no place stays allocated, and the report says why.
// ATTRIBUTES-LABEL: func.func @left(
// ATTRIBUTES-NOT:     bufferize.address
// ATTRIBUTES:         func.return
// REPORT:      @left: 3 buffers left as allocated
// REPORT-NEXT:   %dynamic = memref.alloc (line {{[0-9]+}}) in memory space L1: its size is known at run time only, and that of the arena is limited
// REPORT-NEXT:   %freed = memref.alloc (line {{[0-9]+}}): the program frees it
// REPORT-NEXT:   %returned = memref.alloc (line {{[0-9]+}}) in memory space L1: it is returned
func.func @left(%n: index) -> memref<4xf32, "L1"> {
  %dynamic = memref.alloc(%n) : memref<?xf32, "L1">
  "test.op"(%dynamic) : (memref<?xf32, "L1">) -> ()
  %freed = memref.alloc() : memref<4xf32>
  memref.dealloc %freed : memref<4xf32>
  %returned = memref.alloc() : memref<4xf32, "L1">
  func.return %returned : memref<4xf32, "L1">
}

// Calls that may overlap in time cannot all have the same memory.
// ATTRIBUTES-LABEL: func.func private @in_parallel()
// ATTRIBUTES-NEXT:    memref.alloc() : memref<4xf32, "L1">
// REPORT:      @in_parallel: 1 buffer left as allocated
// REPORT-NEXT:   %{{.*}}memref.alloc (line {{[0-9]+}}) in memory space L1: its function is called in parallel, so that several calls need it
func.func private @in_parallel() {
  %a = memref.alloc() : memref<4xf32, "L1">
  "test.op"(%a) : (memref<4xf32, "L1">) -> ()
  func.return
}
func.func @parallel(%l: index, %u: index, %s: index) {
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    func.call @in_parallel() : () -> ()
    scf.reduce
  }
  func.return
}

// ATTRIBUTES-LABEL: func.func @recursive(
// ATTRIBUTES-NEXT:    memref.alloc() : memref<4xf32, "L1">
// REPORT:      @recursive: 1 buffer left as allocated
// REPORT-NEXT:   %{{.*}}memref.alloc (line {{[0-9]+}}) in memory space L1: its function is recursive, so that several calls need it
func.func @recursive() {
  %a = memref.alloc() : memref<4xf32, "L1">
  func.call @recursive() : () -> ()
  "test.op"(%a) : (memref<4xf32, "L1">) -> ()
  func.return
}
