// RUN: xdsl-opt %s -p buffer-deallocation --verify-diagnostics --split-input-file --allow-unregistered-dialect | filecheck %s

// An error names the op, tells where it is, and what to do.

func.func @loop(%c: i1) {
  cf.br ^bb1
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  func.return
}

// CHECK: 'cf.cond_br' is part of a loop of blocks: this pass knows loops with regions only
// CHECK-NEXT: at: {{.*}}: in @loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}cf.cond_br
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: use ownership-based-buffer-deallocation, or a loop such as scf.while

// -----

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

func.func @layout(%c: i1, %m: memref<2xf32, strided<[2], offset: 0>>) -> memref<2xf32, strided<[2], offset: 0>> {
  func.return %m : memref<2xf32, strided<[2], offset: 0>>
}

// CHECK: 'func.return' hands over a memref<2xf32, strided<[2]>> that has to be copied; memref<2xf32>, which would be allocated, cannot be cast to that
// CHECK-NEXT: at: {{.*}}: in @layout{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.return
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: cast it to a layout with unknown strides and offset first

// -----

func.func @rank(%m: memref<*xf32>) -> memref<*xf32> {
  func.return %m : memref<*xf32>
}

// CHECK: 'func.return' hands over a memref<*xf32> that has to be copied, whose rank is not known
// CHECK-NEXT: at: {{.*}}: in @rank{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.return
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: cast it to a ranked memref first

// -----

func.func @stored(%t: memref<1xmemref<4xf32>>, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %0, %t[%i] : memref<1xmemref<4xf32>>
  func.return
}

// CHECK: 'memref.store' hands over a memref, and its uses cannot be followed: it is stored in memory, from where any op may load it
// CHECK-NEXT: at: {{.*}}: in @stored{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.store
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is defined: {{.*}}: in @stored{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.alloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: hand it over in another way, or use ownership-based-buffer-deallocation, which leaves its memory to the program

// -----

func.func private @stores(%m: memref<4xf32>, %t: memref<1xmemref<4xf32>>, %i: index) {
  memref.store %m, %t[%i] : memref<1xmemref<4xf32>>
  func.return
}

// CHECK: 'memref.store' hands over a memref
// CHECK: it is defined: {{.*}}: in @stores

// -----

func.func private @keep(memref<4xf32>, memref<1xmemref<4xf32>>)
func.func @kept(%t: memref<1xmemref<4xf32>>) {
  %0 = memref.alloc() : memref<4xf32>
  func.call @keep(%0, %t) : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
  func.return
}

// CHECK: 'func.call' hands over a memref, and its uses cannot be followed: it is stored in memory

// -----

func.func @pointer(%p: !llvm.ptr) -> !llvm.ptr {
  %0 = memref.alloc() : memref<4xf32>
  %a = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index
  %b = arith.index_cast %a : index to i64
  %q = "llvm.inttoptr"(%b) : (i64) -> !llvm.ptr
  func.return %q : !llvm.ptr
}

// CHECK: 'func.return' hands over a memref, and its uses cannot be followed: a value that may point to it is returned

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
