// RUN: xdsl-opt %s -p 'verify-bufferization-decisions{bufferize-function-boundaries=true}' --verify-diagnostics --split-input-file | filecheck %s

// A copy of what is read later: the program is printed as it was.

// CHECK-LABEL: func.func @copied
// CHECK: tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @copied(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
  %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %r, %x : tensor<4xf32>, f32
}

// -----

// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after they have been overwritten
// CHECK-NEXT: at: {{.*}}: in @overwritten{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}tensor.extract
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: defined by: {{.*}}: in @overwritten{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: overwritten by: {{.*}}: in @overwritten{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}tensor.insert
// CHECK-NEXT: | {{ *\^+$}}
func.func @overwritten(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
  %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %r, %x : tensor<4xf32>, f32
}

// -----

// Only an earlier iteration overwrites what is read.

// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after an earlier iteration of 'scf.for' has overwritten them
// CHECK-NEXT: at: {{.*}}: in @loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}tensor.extract
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: defined by: {{.*}}: in @loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: overwritten by: {{.*}}: in @loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}tensor.insert
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: on the way back through: {{.*}}: in @loop{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}scf.for
// CHECK-NEXT: | {{ *\^+$}}
func.func @loop(%t: tensor<8xf32>, %l: index, %n: index, %s: index, %j: index) -> tensor<8xf32> {
  %r = scf.for %i = %l to %n step %s iter_args(%a = %t) -> (tensor<8xf32>) {
    %x = tensor.extract %t[%j] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
    %w = tensor.insert %x into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
    scf.yield {__inplace_operands_attr__ = ["true"]} %w : tensor<8xf32>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
}

// -----

// What a called function writes.

// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after they have been overwritten
// CHECK: overwritten by: {{.*}}: in @caller{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.call
// CHECK-NEXT: | {{ *\^+$}}
func.func @callee(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
}

func.func @caller(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = func.call @callee(%t, %f, %i) {__inplace_operands_attr__ = ["true", "none", "none"]} : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %r, %x : tensor<4xf32>, f32
}

// -----

// CHECK: wrong in-place decision: 'tensor.insert' writes operand #1 in place, whose memory must not be written
// CHECK-NEXT: at: {{.*}}: in @constant{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: defined by: {{.*}}: in @constant{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}arith.constant
// CHECK-NEXT: | {{ *\^+$}}
func.func @constant(%f: f32, %i: index) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.insert %f into %k[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
}

// -----

// CHECK: wrong in-place decision: 'linalg.matmul' reads the contents of operand #0 while it writes
func.func @within(%t: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul {__inplace_operands_attr__ = ["true", "true", "true"]} ins(%t, %u : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4x4xf32>
}

// -----

// CHECK: 'tensor.extract' has no in-place decision for operand #0
// CHECK-NEXT: at: {{.*}}: in @undecided{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: run one-shot-bufferize{test-analysis-only=true}, which writes __inplace_operands_attr__
func.func @undecided(%t: tensor<4xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// -----

// Whichever buffers the branches choose, the op reads what it writes, element by element, or
// something else.
// CHECK-LABEL: func.func @nested_choices
// CHECK: linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]}
func.func @nested_choices(%t1: tensor<8xf32>, %i: index, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %p = tensor.extract_slice %t1[4] [4] [1] {__inplace_operands_attr__ = ["true"]} : tensor<8xf32> to tensor<4xf32>
  %a = scf.if %c -> (tensor<4xf32>) {
    %n = scf.if %c -> (tensor<4xf32>) {
      scf.yield {__inplace_operands_attr__ = ["true"]} %p : tensor<4xf32>
    } else {
      scf.yield {__inplace_operands_attr__ = ["true"]} %e : tensor<4xf32>
    }
    scf.yield {__inplace_operands_attr__ = ["true"]} %n : tensor<4xf32>
  } else {
    scf.yield {__inplace_operands_attr__ = ["true"]} %p : tensor<4xf32>
  }
  %b = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield {__inplace_operands_attr__ = ["true"]} %a : tensor<4xf32>
  }
  case 2 {
    scf.yield {__inplace_operands_attr__ = ["true"]} %a : tensor<4xf32>
  }
  default {
    scf.yield {__inplace_operands_attr__ = ["true"]} %e : tensor<4xf32>
  }
  %r = linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]} ins(%b, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// The two tensors are swapped in each iteration, but never in one buffer; so no iteration of
// the second loop overwrites what the next one reads.
// CHECK-LABEL: func.func @swapped_before
// CHECK: linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]}
func.func @swapped_before(%t: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %p, %q = scf.while (%a = %t, %b = %t) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%c) {__inplace_operands_attr__ = ["none", "true", "true"]} %a, %b : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    scf.yield {__inplace_operands_attr__ = ["true", "true"]} %y, %x : tensor<4xf32>, tensor<4xf32>
  } attributes {__inplace_operands_attr__ = ["false", "false"]}
  %r = scf.for %i = %n to %n step %n iter_args(%o = %q) -> (tensor<4xf32>) {
    %s = linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]} ins(%o, %p : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    scf.yield {__inplace_operands_attr__ = ["true"]} %s : tensor<4xf32>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
}

// -----

// Whichever buffer the branches choose, each iteration reads the tile that it writes.
// CHECK-LABEL: func.func @tiles_of_a_choice
// CHECK: tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true", "none"]}
func.func @tiles_of_a_choice(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index, %f: f32, %c: i1) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %x = scf.if %c -> (tensor<8xf32>) {
    %v = tensor.insert %f into %t[%n] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
    scf.yield {__inplace_operands_attr__ = ["true"]} %v : tensor<8xf32>
  } else {
    scf.yield {__inplace_operands_attr__ = ["true"]} %u : tensor<8xf32>
  }
  %r = scf.for %i = %n to %n step %c2 iter_args(%o = %x) -> (tensor<8xf32>) {
    %p = tensor.extract_slice %x[%i] [2] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32> to tensor<2xf32>
    %q = linalg.exp {__inplace_operands_attr__ = ["true", "false"]} ins(%p : tensor<2xf32>) outs(%p : tensor<2xf32>) -> tensor<2xf32>
    %s = tensor.insert_slice %q into %o[%i] [2] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<2xf32> into tensor<8xf32>
    scf.yield {__inplace_operands_attr__ = ["true"]} %s : tensor<8xf32>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
}

// -----

// Whichever buffer is chosen and filled, it is a copy or the part that is replaced.
// CHECK-LABEL: func.func @replaced_if_chosen
// CHECK: tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
func.func @replaced_if_chosen(%t: tensor<8xf32>, %f: f32, %c: i1) -> tensor<8xf32> {
  %p = tensor.extract_slice %t[0] [4] [1] {__inplace_operands_attr__ = ["true"]} : tensor<8xf32> to tensor<4xf32>
  %q = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  %a = scf.if %c -> (tensor<4xf32>) {
    scf.yield {__inplace_operands_attr__ = ["true"]} %q : tensor<4xf32>
  } else {
    scf.yield {__inplace_operands_attr__ = ["true"]} %p : tensor<4xf32>
  }
  %b = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %b into %t[0] [4] [1] {__inplace_operands_attr__ = ["true", "true"]} : tensor<4xf32> into tensor<8xf32>
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
}

// -----

// But not if it may be another part.
// CHECK: wrong in-place decision: 'tensor.insert_slice' reads the contents of operand #1 after they have been overwritten
func.func @another_part_if_chosen(%t: tensor<8xf32>, %f: f32, %c: i1) -> tensor<8xf32> {
  %p = tensor.extract_slice %t[0] [4] [1] {__inplace_operands_attr__ = ["true"]} : tensor<8xf32> to tensor<4xf32>
  %q = tensor.extract_slice %t[2] [4] [1] {__inplace_operands_attr__ = ["true"]} : tensor<8xf32> to tensor<4xf32>
  %a = scf.if %c -> (tensor<4xf32>) {
    scf.yield {__inplace_operands_attr__ = ["true"]} %q : tensor<4xf32>
  } else {
    scf.yield {__inplace_operands_attr__ = ["true"]} %p : tensor<4xf32>
  }
  %b = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %b into %t[0] [4] [1] {__inplace_operands_attr__ = ["true", "true"]} : tensor<4xf32> into tensor<8xf32>
  func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
}

// -----

// The loop swaps two buffers, which are disjoint in each iteration. What is returned may be in
// the first, and what is written is in the second.
// CHECK-LABEL: func.func @result_in_one_of_two
// CHECK: tensor.insert %f into %y[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func private @external(tensor<4xf64> {bufferization.access = "none"}) -> tensor<4xf64>
func.func @result_in_one_of_two(%n: index, %f: f64) -> (tensor<4xf64>, tensor<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.splat %f : tensor<4xf64>
  %b = tensor.empty() : tensor<4xf64>
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xf64>, tensor<4xf64>) {
    scf.yield {__inplace_operands_attr__ = ["true", "true"]} %q, %p : tensor<4xf64>, tensor<4xf64>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true", "true"]}
  %r = func.call @external(%x) {__inplace_operands_attr__ = ["true"]} : (tensor<4xf64>) -> tensor<4xf64>
  %w = tensor.insert %f into %y[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf64>
  %s = tensor.concat dim(0) %x, %r {__inplace_operands_attr__ = ["true", "true"]} : (tensor<4xf64>, tensor<4xf64>) -> tensor<8xf64>
  func.return {__inplace_operands_attr__ = ["true", "true"]} %w, %s : tensor<4xf64>, tensor<8xf64>
}

// -----

// It may be in either.
// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after they have been overwritten
func.func private @external(tensor<4xf64> {bufferization.access = "none"}, tensor<4xf64> {bufferization.access = "none"}) -> tensor<4xf64>
func.func @result_in_either(%n: index, %f: f64) -> (tensor<4xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.splat %f : tensor<4xf64>
  %b = tensor.empty() : tensor<4xf64>
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xf64>, tensor<4xf64>) {
    scf.yield {__inplace_operands_attr__ = ["true", "true"]} %q, %p : tensor<4xf64>, tensor<4xf64>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true", "true"]}
  %r = func.call @external(%x, %y) {__inplace_operands_attr__ = ["true", "true"]} : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %w = tensor.insert %f into %y[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf64>
  %s = tensor.extract %r[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf64>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %w, %s : tensor<4xf64>, f64
}

// -----

// The two results of a function that is not known may be in one buffer.
// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after they have been overwritten
func.func private @external() -> (tensor<4xf64>, tensor<4xf64>)
func.func @results_in_one(%i: index, %f: f64) -> (tensor<4xf64>, f64) {
  %r, %t = func.call @external() : () -> (tensor<4xf64>, tensor<4xf64>)
  %w = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf64>
  %s = tensor.extract %r[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf64>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %w, %s : tensor<4xf64>, f64
}

// -----

// A loop with two entries. What is defined in front of it is the same in each iteration.
// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after an earlier iteration of 'cf.br' has overwritten them
func.func @two_entries(%u: tensor<4xf32>, %v: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^a(%u : tensor<4xf32>), ^b(%v : tensor<4xf32>) {__inplace_operands_attr__ = ["none", "true", "true"]}
^a(%x: tensor<4xf32>):
  %w = tensor.insert %f into %x[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
  cf.br ^b(%w : tensor<4xf32>) {__inplace_operands_attr__ = ["true"]}
^b(%y: tensor<4xf32>):
  %r = tensor.extract %v[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  %d = arith.cmpf "ogt", %r, %f : f32
  cf.cond_br %d, ^a(%y : tensor<4xf32>), ^e {__inplace_operands_attr__ = ["none", "true"]}
^e:
  func.return {__inplace_operands_attr__ = ["none"]} %r : f32
}

// -----

// What is allocated in it is not.
// CHECK-LABEL: func.func @allocated_in_loop_with_two_entries
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
func.func @allocated_in_loop_with_two_entries(%u: tensor<4xf32>, %v: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^a(%u : tensor<4xf32>), ^b(%v : tensor<4xf32>) {__inplace_operands_attr__ = ["none", "true", "true"]}
^a(%x: tensor<4xf32>):
  %n = tensor.empty() : tensor<4xf32>
  %w = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%n : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.extract %x[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  cf.br ^b(%w : tensor<4xf32>) {__inplace_operands_attr__ = ["true"]}
^b(%y: tensor<4xf32>):
  %s = tensor.extract %y[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  %d = arith.cmpf "ogt", %s, %f : f32
  cf.cond_br %d, ^a(%y : tensor<4xf32>), ^e {__inplace_operands_attr__ = ["none", "true"]}
^e:
  func.return {__inplace_operands_attr__ = ["none"]} %s : f32
}

// -----

// What the loop yields in the second place is in the argument's own buffer, or in a copy of it:
// the loop copies it back, and swaps no buffers.
// CHECK-LABEL: func.func @not_swapped
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f64) outs(%a
func.func @not_swapped(%a: tensor<4xf64>, %b: tensor<4xf64>, %n: index, %f: f64) -> (tensor<4xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<4xf64>, tensor<4xf64>) {
    %s = linalg.add {__inplace_operands_attr__ = ["true", "true", "false"]} ins(%q, %q : tensor<4xf64>, tensor<4xf64>) outs(%q : tensor<4xf64>) -> tensor<4xf64>
    scf.yield {__inplace_operands_attr__ = ["true", "true"]} %q, %s : tensor<4xf64>, tensor<4xf64>
  } {__inplace_operands_attr__ = ["none", "none", "none", "true", "true"]}
  %w = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f64) outs(%a : tensor<4xf64>) -> tensor<4xf64>
  %r = tensor.extract %y[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf64>
  func.return {__inplace_operands_attr__ = ["true", "none"]} %w, %r : tensor<4xf64>, f64
}
