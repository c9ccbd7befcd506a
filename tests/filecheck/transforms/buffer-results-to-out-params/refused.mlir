// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{modify-public-functions}' --verify-diagnostics --split-input-file | filecheck %s

func.func private @unknown_size(%m: memref<index>) -> memref<?xf32> {
  %n = memref.load %m[] : memref<index>
  %a = memref.alloc(%n) : memref<?xf32>
  func.return %a : memref<?xf32>
}

func.func private @calls_unknown_size(%m: memref<index>) {
  %r = func.call @unknown_size(%m) : (memref<index>) -> memref<?xf32>
  func.return
}

// CHECK: 'func.call' returns memref<?xf32> as result #0, whose sizes its arguments do not tell, so that it cannot be allocated before
// CHECK-NEXT: at: {{.*}}: in @calls_unknown_size{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.call
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: called function: {{.*}}: in @unknown_size{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: compute the sizes in the caller, and give them to the function as arguments

// -----

func.func private @two_sizes(%c: i1, %n: index, %m: index) -> memref<?xf32> {
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  func.return %a : memref<?xf32>
^bb2:
  %b = memref.alloc(%m) : memref<?xf32>
  func.return %b : memref<?xf32>
}

func.func private @calls_two_sizes(%c: i1, %n: index) {
  %r = func.call @two_sizes(%c, %n, %n) : (i1, index, index) -> memref<?xf32>
  func.return
}

// CHECK: 'func.call' returns memref<?xf32> as result #0, whose sizes its arguments do not tell
// CHECK-NEXT: at: {{.*}}: in @calls_two_sizes{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}

// -----

func.func private @strided() -> memref<4xf32, strided<[2]>> {
  %a = memref.alloc() : memref<4xf32, strided<[2]>>
  func.return %a : memref<4xf32, strided<[2]>>
}

// CHECK: 'func.func' returns memref<4xf32, strided<[2]>> as result #0: no caller can allocate that layout
// CHECK-NEXT: at: {{.*}}: in @strided{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: return a memref without a layout, or one whose strides and offset are unknown; one-shot-bufferize makes such functions with the option function-boundary-type-conversion=identity-layout-map

// -----

func.func @part(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: ?>> {
  %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %c = "memref.cast"(%v) : (memref<4xf32, strided<[1], offset: 2>>) -> memref<4xf32, strided<[1], offset: ?>>
  func.return %c : memref<4xf32, strided<[1], offset: ?>>
}

func.func @calls_part(%m: memref<8xf32>) {
  %r = func.call @part(%m) : (memref<8xf32>) -> memref<4xf32, strided<[1], offset: ?>>
  func.return
}

// CHECK: 'func.func' returns result #0, which may share memory with something that a caller in the module sees
// CHECK-NEXT: at: {{.*}}: in @part{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: called by: {{.*}}: in @calls_part{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: call a private function that does the same instead, or leave public functions as they are
