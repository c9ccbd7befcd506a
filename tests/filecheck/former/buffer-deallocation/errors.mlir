// RUN: xdsl-opt %s -p buffer-deallocation --verify-diagnostics --split-input-file --allow-unregistered-dialect | filecheck %s

// An error names the op, tells where it is, and what to do.

func.func @unknown_effects(%m: memref<4xf32>) {
  "third.party"(%m) : (memref<4xf32>) -> ()
  func.return
}

// CHECK: 'third.party' may allocate or free memory: nothing is known of its effects
// CHECK-NEXT: at: {{.*}}: in @unknown_effects{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}third.party
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: if it does neither, say so with the option touches-only="third.party", or give it the attribute bufferization.touches_only, or register a model of BufferEffectsOpInterface

// -----

func.func @layout(%m: memref<?xf32, strided<[2], offset: 0>>) -> memref<?xf32, strided<[2], offset: 0>> {
  func.return %m : memref<?xf32, strided<[2], offset: 0>>
}

// CHECK: allocates memref<?xf32>, which cannot be cast to memref<?xf32, strided<[2]>>

// -----

func.func @freed_twice() {
  %0 = memref.alloc() : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  func.return
}

// CHECK: 'memref.dealloc' uses memory that is freed already
// CHECK-NEXT: at: {{.*}}: in @freed_twice{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is freed: {{.*}}: in @freed_twice{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: free memory once, after its last use, or leave it to the pass

// -----

func.func @realloc(%n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  %1 = "memref.realloc"(%0, %n) : (memref<?xf32>, index) -> memref<?xf32>
  func.return
}

// CHECK: 'memref.realloc' frees memory and allocates other memory for it, so that it is not known what is left to be freed
// CHECK-NEXT: at: {{.*}}: in @realloc{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.realloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: run expand-realloc with emit-deallocs=false first

// -----

// CHECK: 'scf.yield' hands over fewer values than 'scf.if' takes
func.func @nothing_yielded(%c: i1) -> memref<4xf32> {
  %m = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
  }
  func.return %m : memref<4xf32>
}
