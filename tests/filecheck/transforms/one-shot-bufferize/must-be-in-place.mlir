// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics --split-input-file | filecheck %s

// The attribute is gone when the op is in place.

func.func @in_place(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] {must_be_in_place} : tensor<4xf32>
  %b = linalg.fill {must_be_in_place = [false, true]} ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%c = %b) -> (tensor<4xf32>) {
    %d = tensor.insert %f into %c[%k] : tensor<4xf32>
    scf.yield {must_be_in_place} %d : tensor<4xf32>
  } {must_be_in_place}
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: must_be_in_place
// CHECK-NOT: memref.alloc

// -----

// What is not asked for is copied.

func.func @other_operand(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tensor.insert %f into %t[%i] {must_be_in_place = [true, false, true]} : tensor<4xf32>
  func.return %a, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @other_operand(
// CHECK-NEXT:    memref.alloc
// CHECK-NOT: must_be_in_place

// -----

func.func @conflict(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %e = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %a = tensor.insert %f into %e[%i] {must_be_in_place} : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  func.return %a, %x : tensor<4xf32>, f32
}

// CHECK: 'tensor.insert' must have operand #1 in place, but that causes a read-after-write conflict
// CHECK-NEXT:   at: {{.*}}: in @conflict{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   the contents are those of result #0 of: {{.*}}: in @conflict{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   they are still to be read by operand #0 of: {{.*}}: in @conflict{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   but would be destroyed through operand #1 of: {{.*}}: in @conflict{{$}}
// CHECK-NEXT:   hint: change the order of reads and writes; or, if a copy is fine, take the attribute must_be_in_place away, or make the copy explicit with bufferization.alloc_tensor

// -----

// The write may be another op's.

func.func @later_write(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<2xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %t[0] [2] [1] {must_be_in_place = [true]} : tensor<4xf32> to tensor<2xf32>
  %a = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %t : tensor<2xf32>, tensor<4xf32>
}

// CHECK: 'tensor.extract_slice' must have operand #0 in place, but that causes a read-after-write conflict
// CHECK-NEXT:   at: {{.*}}: in @later_write{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   the contents are those of block argument #0 of: {{.*}}: in @later_write{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   they are still to be read by operand #1 of: {{.*}}: in @later_write{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   but would be destroyed through operand #1 of: {{.*}}: in @later_write{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}

// -----

func.func @not_writable(%f: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %a = tensor.insert %f into %c[%i] {must_be_in_place} : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK: 'tensor.insert' must have operand #1 in place, but its buffer must not be written
// CHECK-NEXT:   at: {{.*}}: in @not_writable{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   the buffer that is not writable is that of result #0 of: {{.*}}: in @not_writable{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}

// -----

func.func @handed_over(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = scf.for %k = %i to %i step %i iter_args(%a = %t) -> (tensor<4xf32>) {
    scf.yield {must_be_in_place} %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK: 'scf.yield' must have operand #0 in place, but it is in another buffer than what follows expects
// CHECK-NEXT:   at: {{.*}}: in @handed_over{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   this takes it over: {{.*}}: in @handed_over{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}
// CHECK-NEXT:   | {{ *\^+$}}

// -----

func.func @wrong_length(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] {must_be_in_place = [true]} : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK: 'tensor.insert' has an attribute must_be_in_place that is neither a unit attribute nor an array with a boolean for each operand

// -----

func.func @wrong_kind(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] {must_be_in_place = "yes"} : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK: 'tensor.insert' has an attribute must_be_in_place that is neither
