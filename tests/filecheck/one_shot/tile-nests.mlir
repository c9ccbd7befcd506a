// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// Each iteration of an `scf.forall` reads the tile that it alone writes.
// CHECK-LABEL: func.func @parallel(%a: tensor<64x64xf32> {bufferization.access = "read-write"}) -> tensor<64x64xf32> {
// CHECK-NEXT:    %r = "scf.forall"(%a) <{staticLowerBound = array<i64: 0, 0>, staticUpperBound = array<i64: 64, 64>, staticStep = array<i64: 8, 8>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %t: tensor<64x64xf32>):
// CHECK-NEXT:      %s = tensor.extract_slice %a[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:      %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:      %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%x, %t, %i, %j) <{static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : (tensor<8x8xf32>, tensor<64x64xf32>, index, index) -> ()
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) {__inplace_operands_attr__ = ["true"]} : (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<64x64xf32>
// CHECK-NEXT:  }
func.func @parallel(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (64, 64) step (8, 8) shared_outs(%t = %a) -> (tensor<64x64xf32>) {
    %s = tensor.extract_slice %a[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
    %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
    %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %t[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
    }
  }
  func.return %r : tensor<64x64xf32>
}

// The iterations of one row of tiles all read what one of them writes.
// CHECK-LABEL: func.func @whole_rows(%a: tensor<64x64xf32> {bufferization.access = "read"}) -> tensor<64x64xf32> {
// CHECK-NEXT:    %r = "scf.forall"(%a) <{staticLowerBound = array<i64: 0, 0>, staticUpperBound = array<i64: 64, 64>, staticStep = array<i64: 8, 8>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %t: tensor<64x64xf32>):
// CHECK-NEXT:      %s = tensor.extract_slice %a[%i, 0] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:      %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:      %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%x, %t, %i, %j) <{static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>}> {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : (tensor<8x8xf32>, tensor<64x64xf32>, index, index) -> ()
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) {__inplace_operands_attr__ = ["false"]} : (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<64x64xf32>
// CHECK-NEXT:  }
func.func @whole_rows(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (64, 64) step (8, 8) shared_outs(%t = %a) -> (tensor<64x64xf32>) {
    %s = tensor.extract_slice %a[%i, 0] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
    %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
    %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %t[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
    }
  }
  func.return %r : tensor<64x64xf32>
}

// What the next iteration writes may have been written already: there is no order.
// CHECK-LABEL: func.func @next_tile(%a: tensor<64xf32> {bufferization.access = "read"}) -> tensor<64xf32> {
// CHECK-NEXT:    %r = "scf.forall"(%a) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 48>, staticStep = array<i64: 8>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
// CHECK-NEXT:    ^bb0(%i: index, %t: tensor<64xf32>):
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      %k = arith.addi %i, %c8 : index
// CHECK-NEXT:      %s = tensor.extract_slice %a[%k] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:      %d = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:      %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%x, %t, %i) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> {__inplace_operands_attr__ = ["true", "true", "none"]} : (tensor<8xf32>, tensor<64xf32>, index) -> ()
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) {__inplace_operands_attr__ = ["false"]} : (tensor<64xf32>) -> tensor<64xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<64xf32>
// CHECK-NEXT:  }
func.func @next_tile(%a: tensor<64xf32>) -> tensor<64xf32> {
  %r = scf.forall (%i) = (0) to (48) step (8) shared_outs(%t = %a) -> (tensor<64xf32>) {
    %c8 = arith.constant 8 : index
    %k = arith.addi %i, %c8 : index
    %s = tensor.extract_slice %a[%k] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %d = tensor.extract_slice %t[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %x = linalg.exp ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %t[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  func.return %r : tensor<64xf32>
}

// Two loops, one for each dimension.
// CHECK-LABEL: func.func @nest(%a: tensor<64x64xf32> {bufferization.access = "read-write"}) -> tensor<64x64xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
// CHECK-NEXT:      %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %u) -> (tensor<64x64xf32>) {
// CHECK-NEXT:        %s = tensor.extract_slice %a[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:        %n = tensor.insert_slice %x into %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : tensor<8x8xf32> into tensor<64x64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %n : tensor<64x64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true"]} %q : tensor<64x64xf32>
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<64x64xf32>
// CHECK-NEXT:  }
func.func @nest(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
    %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %u) -> (tensor<64x64xf32>) {
      %s = tensor.extract_slice %a[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
      %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
      %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
      %n = tensor.insert_slice %x into %t[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    scf.yield %q : tensor<64x64xf32>
  }
  func.return %r : tensor<64x64xf32>
}

// The inner loop works in a row of tiles.
// CHECK-LABEL: func.func @rows(%a: tensor<64x64xf32> {bufferization.access = "read-write"}) -> tensor<64x64xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
// CHECK-NEXT:      %rows = tensor.extract_slice %a[%i, 0] [8, 64] [1, 1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64x64xf32> to tensor<8x64xf32>
// CHECK-NEXT:      %rowd = tensor.extract_slice %u[%i, 0] [8, 64] [1, 1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64x64xf32> to tensor<8x64xf32>
// CHECK-NEXT:      %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %rowd) -> (tensor<8x64xf32>) {
// CHECK-NEXT:        %s = tensor.extract_slice %rows[0, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %t[0, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:        %n = tensor.insert_slice %x into %t[0, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8x8xf32> into tensor<8x64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %n : tensor<8x64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      %n2 = tensor.insert_slice %q into %u[%i, 0] [8, 64] [1, 1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8x64xf32> into tensor<64x64xf32>
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true"]} %n2 : tensor<64x64xf32>
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<64x64xf32>
// CHECK-NEXT:  }
func.func @rows(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
    %rows = tensor.extract_slice %a[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %rowd = tensor.extract_slice %u[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %rowd) -> (tensor<8x64xf32>) {
      %s = tensor.extract_slice %rows[0, %j] [8, 8] [1, 1] : tensor<8x64xf32> to tensor<8x8xf32>
      %d = tensor.extract_slice %t[0, %j] [8, 8] [1, 1] : tensor<8x64xf32> to tensor<8x8xf32>
      %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
      %n = tensor.insert_slice %x into %t[0, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x64xf32>
      scf.yield %n : tensor<8x64xf32>
    }
    %n2 = tensor.insert_slice %q into %u[%i, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<64x64xf32>
    scf.yield %n2 : tensor<64x64xf32>
  }
  func.return %r : tensor<64x64xf32>
}

// The inner loop reads the tiles of a column, the rows of which have been written before.
// CHECK-LABEL: func.func @transposed(%a: tensor<64x64xf32> {bufferization.access = "read"}) -> tensor<64x64xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
// CHECK-NEXT:      %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %u) -> (tensor<64x64xf32>) {
// CHECK-NEXT:        %s = tensor.extract_slice %a[%j, %i] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:        %x = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:        %n = tensor.insert_slice %x into %t[%i, %j] [8, 8] [1, 1] {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : tensor<8x8xf32> into tensor<64x64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %n : tensor<64x64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true"]} %q : tensor<64x64xf32>
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<64x64xf32>
// CHECK-NEXT:  }
func.func @transposed(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
    %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %u) -> (tensor<64x64xf32>) {
      %s = tensor.extract_slice %a[%j, %i] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
      %d = tensor.extract_slice %t[%i, %j] [8, 8] [1, 1] : tensor<64x64xf32> to tensor<8x8xf32>
      %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
      %n = tensor.insert_slice %x into %t[%i, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    scf.yield %q : tensor<64x64xf32>
  }
  func.return %r : tensor<64x64xf32>
}
