// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --verify-diagnostics --split-input-file --allow-unregistered-dialect | filecheck %s

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


func.func @unknown_regions() {
  "third.party"() ({
    %m = memref.alloc() : memref<4xf32>
    "third.yield"() : () -> ()
  }) : () -> ()
  func.return
}

// CHECK: 'third.party' allocates memrefs in a region, but nothing is known of when that runs and what it hands over
// CHECK-NEXT: at: {{.*}}: in @unknown_regions{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}third.party
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: register a model of RegionBranchOpInterface for it

// -----


func.func @unknown_hand_over(%m: memref<4xf32>) {
  "third.party"() ({
    "third.yield"(%m) {bufferization.touches_only} : (memref<4xf32>) -> ()
  }) : () -> ()
  func.return
}

// CHECK: 'third.party' hands over memrefs in a region, but nothing is known of when that runs and what it hands over
// CHECK-NEXT: at: {{.*}}: in @unknown_hand_over{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}third.party
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: register a model of RegionBranchOpInterface for it

// -----


func.func @unknown_branch(%m: memref<4xf32>) {
  "third.branch"(%m) [^end] {bufferization.touches_only} : (memref<4xf32>) -> ()
^end:
  func.return
}

// CHECK: 'third.branch' branches, but nothing is known of what it hands over
// CHECK-NEXT: at: {{.*}}: in @unknown_branch{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}third.branch
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: register a model of BranchOpInterface for it

// -----


func.func @freed_twice() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
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


func.func @used_behind(%i: index, %c: i1) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %v = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  cf.br ^end
^end:
  %f = memref.load %v[%i] : memref<?xf32>
  func.return %f : f32
}

// CHECK: 'memref.load' uses memory that is freed already
// CHECK-NEXT: at: {{.*}}: in @used_behind{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.load
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is freed: {{.*}}: in @used_behind{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: free memory once, after its last use, or leave it to the pass

// -----


func.func @freed_and_returned() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK: 'func.return' uses memory that is freed already
// CHECK-NEXT: at: {{.*}}: in @freed_and_returned{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.return
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is freed: {{.*}}: in @freed_and_returned{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: free memory once, after its last use, or leave it to the pass

// -----


func.func @frees_argument(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  func.return
}

// CHECK: 'memref.dealloc' frees an argument of the function, which its caller has to free
// CHECK-NEXT: at: {{.*}}: in @frees_argument{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: the attribute bufferization.manual_deallocation says that this is meant

// -----


func.func @frees_stack() {
  %m = memref.alloca() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}

// CHECK: 'memref.dealloc' frees memory on the stack
// CHECK-NEXT: at: {{.*}}: in @frees_stack{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: the attribute bufferization.manual_deallocation says that this is meant

// -----


func.func @freed_in_loop(%n: index, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  scf.for %k = %i to %n step %i {
    memref.dealloc %m : memref<4xf32>
  }
  func.return
}

// CHECK: 'memref.dealloc' frees memory in each run of a loop that is allocated once, outside of it
// CHECK-NEXT: at: {{.*}}: in @freed_in_loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.dealloc
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the loop: {{.*}}: in @freed_in_loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}scf.for
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is allocated: {{.*}}: in @freed_in_loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}memref.alloc
// CHECK-NEXT: | {{ *\^+$}}

// -----

func.func @manual_load(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] {bufferization.manual_deallocation} : memref<4xf32>
  func.return %x : f32
}

// CHECK: 'memref.load' has the attribute bufferization.manual_deallocation, but neither allocates nor frees memory
// CHECK: hint: give it to the ops that do

// -----

func.func @misspelt() {
  %m = memref.alloc() {bufferization.manual_dealocation} : memref<4xf32>
  func.return
}

// CHECK: 'memref.alloc' has an attribute bufferization.manual_dealocation, which ops do not have

// -----

func.func @manual_without_buffers() -> i32 {
  %c = arith.constant {bufferization.manual_deallocation} 1 : i32
  func.return %c : i32
}

// CHECK: 'arith.constant' has the attribute bufferization.manual_deallocation, but neither allocates nor frees memory

// -----

func.func @attribute_of_an_argument(%m: memref<4xf32> {bufferization.writeable = false}) {
  func.return
}

// CHECK: 'func.func' has the attribute bufferization.writeable = false for argument #0
