// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// A copy for one operand is made in front of the op, and so before the loop writes through
// the other one.
// CHECK-LABEL: func.func @same_tensor_twice(%t: tensor<8xf32> {bufferization.access = "read-write"}, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:      %x = tensor.insert %f into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:      %y = tensor.insert %f into %b[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true", "true"]} %x, %y : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "false", "true"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [-1 : i64, 0 : i64]} %r, %s : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:  }
func.func @same_tensor_twice(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<8xf32>, tensor<8xf32>) {
    %x = tensor.insert %f into %a[%i] : tensor<8xf32>
    %y = tensor.insert %f into %b[%c0] : tensor<8xf32>
    scf.yield %x, %y : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// But if the op is run again, its copy reads what it has written the last time.
// CHECK-LABEL: func.func @run_again(%t: tensor<8xf32> {bufferization.access = "read"}, %f: f32, %n: index) -> f32 {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (f32) {
// CHECK-NEXT:      %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%b = %t, %c = %t) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:        %v = tensor.insert %f into %b[%j] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        %w = tensor.insert %a into %c[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true", "true"]} %v, %w : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false", "false"]}
// CHECK-NEXT:      %p = tensor.extract %x[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// CHECK-NEXT:      %q = tensor.extract %y[%c1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// CHECK-NEXT:      %s = arith.addf %p, %q : f32
// CHECK-NEXT:      scf.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f32
// CHECK-NEXT:  }
func.func @run_again(%t: tensor<8xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (f32) {
    %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%b = %t, %c = %t) -> (tensor<8xf32>, tensor<8xf32>) {
      %v = tensor.insert %f into %b[%j] : tensor<8xf32>
      %w = tensor.insert %a into %c[%c0] : tensor<8xf32>
      scf.yield %v, %w : tensor<8xf32>, tensor<8xf32>
    }
    %p = tensor.extract %x[%c0] : tensor<8xf32>
    %q = tensor.extract %y[%c1] : tensor<8xf32>
    %s = arith.addf %p, %q : f32
    scf.yield %s : f32
  }
  func.return %r : f32
}

// Not the results tell that the two are in each other's way, but what the loop does.
// CHECK-LABEL: func.func @within(%f: f32, %n: index) -> f32 {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %e = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:    %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e, %b = %e, %g = %f) -> (tensor<8xf32>, tensor<8xf32>, f32) {
// CHECK-NEXT:      %v = tensor.extract %b[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// CHECK-NEXT:      %y = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%z : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      %x = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true", "true", "none"]} %x, %y, %v : tensor<8xf32>, tensor<8xf32>, f32
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "true", "false", "none"]}
// CHECK-NEXT:    func.return %t : f32
// CHECK-NEXT:  }
func.func @within(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e, %b = %e, %g = %f) -> (tensor<8xf32>, tensor<8xf32>, f32) {
    %v = tensor.extract %b[%c0] : tensor<8xf32>
    %y = linalg.fill ins(%z : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %x = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x, %y, %v : tensor<8xf32>, tensor<8xf32>, f32
  }
  func.return %t : f32
}

// Ops whose bodies take elements are not loops in this sense.
// CHECK-LABEL: func.func @generic(%t: tensor<8xf32> {bufferization.access = "read"}, %u: tensor<8xf32> {bufferization.access = "read-write"}) {
// CHECK-NEXT:    %r, %s = "linalg.generic"(%t, %u, %u) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 2>}> ({
// CHECK-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:      %w = arith.addf %x, %y : f32
// CHECK-NEXT:      linalg.yield %x, %w : f32, f32
// CHECK-NEXT:    }) {__inplace_operands_attr__ = ["true", "true", "true"]} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @generic(%t: tensor<8xf32>, %u: tensor<8xf32>) {
  %r, %s = "linalg.generic"(%t, %u, %u) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %w = arith.addf %x, %y : f32
    linalg.yield %x, %w : f32, f32
  }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  func.return
}

// The same elements, extracted twice.
// CHECK-LABEL: func.func @same_slice_twice(%t: tensor<16xf32> {bufferization.access = "read-write"}, %i: index) -> tensor<16xf32> {
// CHECK-NEXT:    %s = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:    %d = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:    %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %r = tensor.insert_slice %x into %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8xf32> into tensor<16xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<16xf32>
// CHECK-NEXT:  }
func.func @same_slice_twice(%t: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %s = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %d = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %x = linalg.exp ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %x into %t[%i] [8] [1] : tensor<8xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// Elements that may be others.
// CHECK-LABEL: func.func @two_slices(%t: tensor<16xf32> {bufferization.access = "read-write"}, %i: index, %j: index) -> tensor<16xf32> {
// CHECK-NEXT:    %s = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["false", "none"]} : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:    %d = tensor.extract_slice %t[%j] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:    %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %r = tensor.insert_slice %x into %t[%j] [8] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8xf32> into tensor<16xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<16xf32>
// CHECK-NEXT:  }
func.func @two_slices(%t: tensor<16xf32>, %i: index, %j: index) -> tensor<16xf32> {
  %s = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %d = tensor.extract_slice %t[%j] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %x = linalg.exp ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %x into %t[%j] [8] [1] : tensor<8xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// The function may return either buffer, and has written both before.
func.func private @write(tensor<8xf32> {bufferization.access = "write"}, tensor<4xf32> {bufferization.access = "write"}) -> tensor<8xf32>

// CHECK-LABEL: func.func @may_return_either(%t: tensor<8xf32> {bufferization.access = "write"}, %i: index) -> tensor<8xf32> {
// CHECK-NEXT:      %u = tensor.extract_slice %t[%i] [4] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32> to tensor<4xf32>
// CHECK-NEXT:      %r = func.call @write(%t, %u) {__inplace_operands_attr__ = ["true", "false"]} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
// CHECK-NEXT:    }
func.func @may_return_either(%t: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %u = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = func.call @write(%t, %u) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @may_return_either_part(%t: tensor<16xf32> {bufferization.access = "write"}) -> tensor<8xf32> {
// CHECK-NEXT:      %a = tensor.extract_slice %t[0] [8] [1] {__inplace_operands_attr__ = ["true"]} : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:      %b = tensor.extract_slice %t[8] [4] [1] {__inplace_operands_attr__ = ["true"]} : tensor<16xf32> to tensor<4xf32>
// CHECK-NEXT:      %r = func.call @write(%a, %b) {__inplace_operands_attr__ = ["true", "true"]} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<8xf32>
// CHECK-NEXT:    }
func.func @may_return_either_part(%t: tensor<16xf32>) -> tensor<8xf32> {
  %a = tensor.extract_slice %t[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %b = tensor.extract_slice %t[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r = func.call @write(%a, %b) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The loop does not read what it starts from, but what it has written there itself.
// CHECK-LABEL: func.func @read_where_it_was_written(%t: tensor<8xf32> {bufferization.access = "write"}, %u: tensor<8xf32> {bufferization.access = "read-write"}, %f: f32, %g: f32, %n: index) -> tensor<8xf32> {
// CHECK-NEXT:      %p = tensor.extract_slice %t[4] [4] [1] {__inplace_operands_attr__ = ["false"]} : tensor<8xf32> to tensor<4xf32>
// CHECK-NEXT:      %r, %s = scf.for %i = %n to %n step %n iter_args(%a = %p, %b = %u) -> (tensor<4xf32>, tensor<8xf32>) {
// CHECK-NEXT:        %x = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:        %y = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%g : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:        %z = tensor.insert_slice %x into %b[%i] [4] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true", "true"]} %x, %z : tensor<4xf32>, tensor<8xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [1 : i64]} %s : tensor<8xf32>
// CHECK-NEXT:    }
func.func @read_where_it_was_written(%t: tensor<8xf32>, %u: tensor<8xf32>, %f: f32, %g: f32, %n: index) -> tensor<8xf32> {
  %p = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r, %s = scf.for %i = %n to %n step %n iter_args(%a = %p, %b = %u) -> (tensor<4xf32>, tensor<8xf32>) {
    %x = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %y = linalg.fill ins(%g : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %z = tensor.insert_slice %x into %b[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %x, %z : tensor<4xf32>, tensor<8xf32>
  }
  func.return %s : tensor<8xf32>
}

func.func private @maybe_part(%t: tensor<?xf32>, %n: index, %f: f32, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %p = tensor.extract_slice %t[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// What the call returns may be the end of the slice that is written.
// CHECK-LABEL: func.func @may_be_a_part(%t: tensor<?xf32> {bufferization.access = "read-write"}, %n: index, %f: f32, %c: i1) -> tensor<?xf32> {
// CHECK-NEXT:      %s = tensor.extract_slice %t[0] [%n] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:      %p = func.call @maybe_part(%s, %n, %f, %c) {__inplace_operands_attr__ = ["false", "none", "none", "none"]} : (tensor<?xf32>, index, f32, i1) -> tensor<?xf32>
// CHECK-NEXT:      %r = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%p : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<?xf32>
// CHECK-NEXT:    }
func.func @may_be_a_part(%t: tensor<?xf32>, %n: index, %f: f32, %c: i1) -> tensor<?xf32> {
  %s = tensor.extract_slice %t[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %p = func.call @maybe_part(%s, %n, %f, %c) : (tensor<?xf32>, index, f32, i1) -> tensor<?xf32>
  %r = linalg.exp ins(%p : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
