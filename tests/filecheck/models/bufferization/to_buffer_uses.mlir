// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries}'
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | sed 's/"false"/"true"/' > %t.decided
// RUN: not xdsl-opt -f mlir -p 'verify-bufferization-decisions{bufferize-function-boundaries}' < %t.decided 2>&1 | filecheck %s --check-prefix=WRONG

// The tensor is read as long as its memref is: the checker sees it if it is written in place.
// WRONG: error: wrong in-place decision: 'memref.load' reads the contents of operand #0 after they have been overwritten

// CHECK-LABEL: func.func @read_behind_the_write
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @read_behind_the_write(%t: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  func.return %x, %u : f32, tensor<4xf32>
}

// CHECK-LABEL: func.func @read_in_front_of_it
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @read_in_front_of_it(%t: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %x, %u : f32, tensor<4xf32>
}

// What only writes the memref, or takes a copy of it in time, reads nothing behind the write.
// CHECK-LABEL: func.func @only_written_behind_it
// CHECK:         bufferization.to_buffer %t {__inplace_operands_attr__ = ["true"]}
// CHECK:         linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
func.func @only_written_behind_it(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  memref.copy %m, %c : memref<4xf32> to memref<4xf32>
  %u = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %u[%i] : tensor<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %x = memref.load %c[%i] : memref<4xf32>
  %s = arith.addf %x, %y : f32
  func.return %s : f32
}

// A view is the memref, and so is what a conditional hands on.
// CHECK-LABEL: func.func @through_views
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
func.func @through_views(%t: tensor<4xf32>, %o: memref<2xf32>, %i: index, %f: f32, %c: i1) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %s = scf.if %c -> (memref<2xf32>) {
    scf.yield %v : memref<2xf32>
  } else {
    scf.yield %o : memref<2xf32>
  }
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = memref.load %s[%i] : memref<2xf32>
  func.return %x, %u : f32, tensor<4xf32>
}

// A memref that may be that of either tensor: both are read where it is.
// CHECK-LABEL: func.func @either
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]}
// CHECK:         bufferization.to_buffer %u read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         tensor.insert %f into %u[%i] {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @either(%t: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (f32, tensor<4xf32>, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %n = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
  %v = tensor.insert %f into %u[%i] : tensor<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  %x = memref.load %s[%i] : memref<4xf32>
  func.return %x, %u, %v : f32, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @read_in_each_iteration
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %x into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @read_in_each_iteration(%t: tensor<4xf32>, %i: index, %n: index) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %r = scf.for %j = %i to %n step %n iter_args(%a = %t) -> tensor<4xf32> {
    %x = memref.load %m[%j] : memref<4xf32>
    %u = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The memref of one iteration is read in the next, behind a write.
// CHECK-LABEL: func.func @carried_by_a_loop
// CHECK:         tensor.insert %f into %a[%j] {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @carried_by_a_loop(%t: tensor<4xf32>, %m0: memref<4xf32>, %i: index, %f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %r, %m, %y = scf.for %j = %i to %n step %n iter_args(%a = %t, %p = %m0, %s = %f) -> (tensor<4xf32>, memref<4xf32>, f32) {
    %u = tensor.insert %f into %a[%j] : tensor<4xf32>
    %x = memref.load %p[%j] : memref<4xf32>
    %q = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
    scf.yield %u, %q, %x : tensor<4xf32>, memref<4xf32>, f32
  }
  func.return %r, %y : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @carried_by_blocks
// CHECK:         tensor.insert %f into %a[%i] {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @carried_by_blocks(%t: tensor<4xf32>, %m0: memref<4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
  cf.br ^loop(%t, %m0 : tensor<4xf32>, memref<4xf32>)
^loop(%a: tensor<4xf32>, %m: memref<4xf32>):
  %u = tensor.insert %f into %a[%i] : tensor<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %q = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
  cf.cond_br %c, ^loop(%u, %q : tensor<4xf32>, memref<4xf32>), ^end
^end:
  func.return %u, %x : tensor<4xf32>, f32
}

// A loop within a block that is a loop itself.
// CHECK-LABEL: func.func @carried_within_a_block
// CHECK:         tensor.insert %f into %b[%j] {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @carried_within_a_block(%t: tensor<4xf32>, %m0: memref<4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
  cf.br ^loop(%t : tensor<4xf32>)
^loop(%a: tensor<4xf32>):
  %r, %m, %y = scf.for %j = %i to %i step %i iter_args(%b = %a, %p = %m0, %s = %f) -> (tensor<4xf32>, memref<4xf32>, f32) {
    %u = tensor.insert %f into %b[%j] : tensor<4xf32>
    %x = memref.load %p[%j] : memref<4xf32>
    %q = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
    scf.yield %u, %q, %x : tensor<4xf32>, memref<4xf32>, f32
  }
  %z = memref.load %m[%i] : memref<4xf32>
  cf.cond_br %c, ^loop(%r : tensor<4xf32>), ^end
^end:
  func.return %a, %z : tensor<4xf32>, f32
}

// The tensor is not read before it is computed, although its memref goes to another block.
// CHECK-LABEL: func.func @branch
// CHECK:         linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK:         bufferization.to_buffer %u read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %f into %u[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @branch(%t: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (f32, f32) {
  %u = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
  cf.cond_br %c, ^a(%m : memref<4xf32>), ^b(%m : memref<4xf32>)
^a(%p: memref<4xf32>):
  %v = tensor.insert %f into %u[%i] : tensor<4xf32>
  %x = memref.load %p[%i] : memref<4xf32>
  %y = tensor.extract %v[%i] : tensor<4xf32>
  func.return %x, %y : f32, f32
^b(%q: memref<4xf32>):
  func.return %f, %f : f32, f32
}

// Two memrefs of one tensor; the one that may be read later counts.
// CHECK-LABEL: func.func @two_memrefs
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @two_memrefs(%t: tensor<4xf32>, %i: index, %f: f32) -> (f32, f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %n = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %y = memref.load %n[%i] : memref<4xf32>
  func.return %x, %y, %u : f32, f32, tensor<4xf32>
}

// Blocks that do not dominate one another, each with a memref that may be the one that is read.
// CHECK-LABEL: func.func @either_block
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         bufferization.to_buffer %o read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %f into %o[%i] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @either_block(%t: tensor<4xf32>, %o: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (f32, tensor<4xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  cf.br ^c(%m, %o : memref<4xf32>, tensor<4xf32>)
^b:
  %n = bufferization.to_buffer %o read_only : tensor<4xf32> to memref<4xf32>
  %u = tensor.insert %f into %o[%i] : tensor<4xf32>
  cf.br ^c(%n, %u : memref<4xf32>, tensor<4xf32>)
^c(%p: memref<4xf32>, %r: tensor<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  func.return %x, %r : f32, tensor<4xf32>
}

// CHECK-LABEL: func.func @read_in_another_block
// CHECK:         linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK:         bufferization.to_buffer %u read_only {__inplace_operands_attr__ = ["true"]}
func.func @read_in_another_block(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %u = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %u read_only : tensor<4xf32> to memref<4xf32>
  cf.br ^a(%m : memref<4xf32>)
^a(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  func.return %x : f32
}

// A caller may read what is returned.
// CHECK-LABEL: func.func @returned
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
func.func @returned(%t: tensor<4xf32>, %i: index, %f: f32) -> (memref<4xf32>, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %m, %u : memref<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @given_to_a_loop
// CHECK:         bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["false"]}
// CHECK:         tensor.insert %f into %a[%j] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @given_to_a_loop(%t: tensor<4xf32>, %i: index, %f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %r, %q, %y = scf.for %j = %i to %n step %n iter_args(%a = %t, %p = %m, %s = %f) -> (tensor<4xf32>, memref<4xf32>, f32) {
    %u = tensor.insert %f into %a[%j] : tensor<4xf32>
    %x = memref.load %p[%j] : memref<4xf32>
    scf.yield %u, %p, %x : tensor<4xf32>, memref<4xf32>, f32
  }
  func.return %r, %y : tensor<4xf32>, f32
}

// What is written through the memref is not seen in a tensor that was written in between.
// CHECK-LABEL: func.func @written_later
// CHECK:         bufferization.to_buffer %t {__inplace_operands_attr__ = ["false"]}
// CHECK:         linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
func.func @written_later(%t: tensor<4xf32>, %i: index, %f: f32, %g: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %u = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  memref.store %g, %m[%i] : memref<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  func.return %x : f32
}

// A block that is its own loop has a memref of its own, and one from the block behind it.
// CHECK-LABEL: func.func @from_the_block_behind
// CHECK:         bufferization.to_buffer %o read_only {__inplace_operands_attr__ = ["true"]}
// CHECK:         bufferization.to_buffer %a read_only {__inplace_operands_attr__ = ["false"]}
func.func @from_the_block_behind(%t: tensor<4xf32>, %o: tensor<4xf32>, %m0: memref<4xf32>, %i: index, %f: f32, %c: i1, %d: i1) -> (f32, tensor<4xf32>) {
  cf.br ^head(%t, %m0 : tensor<4xf32>, memref<4xf32>)
^head(%a: tensor<4xf32>, %p: memref<4xf32>):
  %m = bufferization.to_buffer %o read_only : tensor<4xf32> to memref<4xf32>
  %s = arith.select %d, %m, %p : memref<4xf32>
  %x = memref.load %s[%i] : memref<4xf32>
  cf.cond_br %c, ^tail, ^end
^tail:
  %n = bufferization.to_buffer %a read_only : tensor<4xf32> to memref<4xf32>
  %u = tensor.insert %f into %a[%i] : tensor<4xf32>
  cf.br ^head(%u, %n : tensor<4xf32>, memref<4xf32>)
^end:
  func.return %x, %a : f32, tensor<4xf32>
}
