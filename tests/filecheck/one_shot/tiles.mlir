// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// Tile by tile, and element by element within it: the loop works in the buffer of %t.
// CHECK-LABEL: func.func @tiles(%t: tensor<64xf32> {bufferization.access = "read-write"}, %u: tensor<8xf32> {bufferization.access = "read"}) -> tensor<64xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      %c64 = arith.constant 64 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64xf32>) {
// CHECK-NEXT:        %x = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %a[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:        %s = linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]} ins(%x, %u : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:        %y = tensor.insert_slice %s into %a[%i] [8] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %y : tensor<64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<64xf32>
func.func @tiles(%t: tensor<64xf32>, %u: tensor<8xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64xf32>) {
    %x = tensor.extract_slice %t[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %d = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %s = linalg.add ins(%x, %u : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.insert_slice %s into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// The last tile is smaller.
// CHECK-LABEL: func.func @partial(%t: tensor<?xf32> {bufferization.access = "read-write"}, %n: index) -> tensor<?xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %t) -> (tensor<?xf32>) {
// CHECK-NEXT:        %z = affine.min affine_map<(d0)[s0] -> (8, ((d0 * -1) + s0))> (%i)[%n]
// CHECK-NEXT:        %x = tensor.extract_slice %t[%i] [%z] [1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %a[%i] [%z] [1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:        %s = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:        %y = tensor.insert_slice %s into %a[%i] [%z] [1] {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %y : tensor<?xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<?xf32>
func.func @partial(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %t) -> (tensor<?xf32>) {
    %z = "affine.min"(%i, %n) <{map = affine_map<(d0)[s0] -> (8, -d0 + s0)>}> : (index, index) -> index
    %x = tensor.extract_slice %t[%i] [%z] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.extract_slice %a[%i] [%z] [1] : tensor<?xf32> to tensor<?xf32>
    %s = linalg.exp ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %y = tensor.insert_slice %s into %a[%i] [%z] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// As long as the step, whatever that is.
// CHECK-LABEL: func.func @dynamic_step(%t: tensor<?xf32> {bufferization.access = "read-write"}, %n: index, %step: index) -> tensor<?xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %step iter_args(%a = %t) -> (tensor<?xf32>) {
// CHECK-NEXT:        %x = tensor.extract_slice %t[%i] [%step] [1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %a[%i] [%step] [1] {__inplace_operands_attr__ = ["true", "none", "none"]} : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:        %s = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:        %y = tensor.insert_slice %s into %a[%i] [%step] [1] {__inplace_operands_attr__ = ["true", "true", "none", "none"]} : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %y : tensor<?xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<?xf32>
func.func @dynamic_step(%t: tensor<?xf32>, %n: index, %step: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %step iter_args(%a = %t) -> (tensor<?xf32>) {
    %x = tensor.extract_slice %t[%i] [%step] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.extract_slice %a[%i] [%step] [1] : tensor<?xf32> to tensor<?xf32>
    %s = linalg.exp ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %y = tensor.insert_slice %s into %a[%i] [%step] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// Single elements, of which the next one is read as well.
// CHECK-LABEL: func.func @elements(%t: tensor<64xf32> {bufferization.access = "read-write"}) -> tensor<64xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c63 = arith.constant 63 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %c63 step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
// CHECK-NEXT:        %j = arith.addi %i, %c1 : index
// CHECK-NEXT:        %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        %y = tensor.extract %t[%j] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        %s = arith.addf %x, %y : f32
// CHECK-NEXT:        %w = tensor.insert %s into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %w : tensor<64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<64xf32>
func.func @elements(%t: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %r = scf.for %i = %c0 to %c63 step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
    %j = arith.addi %i, %c1 : index
    %x = tensor.extract %t[%i] : tensor<64xf32>
    %y = tensor.extract %t[%j] : tensor<64xf32>
    %s = arith.addf %x, %y : f32
    %w = tensor.insert %s into %a[%i] : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// The previous one has been overwritten.
// CHECK-LABEL: func.func @previous(%t: tensor<64xf32> {bufferization.access = "read"}) -> tensor<64xf32> {
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c64 = arith.constant 64 : index
// CHECK-NEXT:      %r = scf.for %i = %c1 to %c64 step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
// CHECK-NEXT:        %j = arith.subi %i, %c1 : index
// CHECK-NEXT:        %x = tensor.extract %t[%j] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        %w = tensor.insert %x into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %w : tensor<64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<64xf32>
func.func @previous(%t: tensor<64xf32>) -> tensor<64xf32> {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c1 to %c64 step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
    %j = arith.subi %i, %c1 : index
    %x = tensor.extract %t[%j] : tensor<64xf32>
    %w = tensor.insert %x into %a[%i] : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// The tile is written before it is read.
// CHECK-LABEL: func.func @written_first(%t: tensor<64xf32> {bufferization.access = "read"}, %f: f32) -> tensor<64xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      %c64 = arith.constant 64 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64xf32>) {
// CHECK-NEXT:        %x = tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %a[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:        %e = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:        %s = linalg.add {__inplace_operands_attr__ = ["true", "true", "true"]} ins(%x, %e : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:        %y = tensor.insert_slice %s into %a[%i] [8] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %y : tensor<64xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<64xf32>
func.func @written_first(%t: tensor<64xf32>, %f: f32) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64xf32>) {
    %x = tensor.extract_slice %t[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %d = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %e = linalg.fill ins(%f : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.add ins(%x, %e : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.insert_slice %s into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// A tile reaches into the next one.
// CHECK-LABEL: func.func @too_long(%t: tensor<72xf32> {bufferization.access = "read"}) -> tensor<72xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      %c64 = arith.constant 64 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<72xf32>) {
// CHECK-NEXT:        %x = tensor.extract_slice %t[%i] [9] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<72xf32> to tensor<9xf32>
// CHECK-NEXT:        %d = tensor.extract_slice %a[%i] [9] [1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<72xf32> to tensor<9xf32>
// CHECK-NEXT:        %s = linalg.exp {__inplace_operands_attr__ = ["true", "true"]} ins(%x : tensor<9xf32>) outs(%d : tensor<9xf32>) -> tensor<9xf32>
// CHECK-NEXT:        %y = tensor.insert_slice %s into %a[%i] [9] [1] {__inplace_operands_attr__ = ["true", "true", "none"]} : tensor<9xf32> into tensor<72xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %y : tensor<72xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<72xf32>
func.func @too_long(%t: tensor<72xf32>) -> tensor<72xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<72xf32>) {
    %x = tensor.extract_slice %t[%i] [9] [1] : tensor<72xf32> to tensor<9xf32>
    %d = tensor.extract_slice %a[%i] [9] [1] : tensor<72xf32> to tensor<9xf32>
    %s = linalg.exp ins(%x : tensor<9xf32>) outs(%d : tensor<9xf32>) -> tensor<9xf32>
    %y = tensor.insert_slice %s into %a[%i] [9] [1] : tensor<9xf32> into tensor<72xf32>
    scf.yield %y : tensor<72xf32>
  }
  func.return %r : tensor<72xf32>
}

// The loop runs again, when all tiles have been overwritten.
// CHECK-LABEL: func.func @runs_again(%t: tensor<64xf32> {bufferization.access = "read"}, %n: index) -> f32 {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %q = scf.for %k = %c0 to %n step %c1 iter_args(%v = %z) -> (f32) {
// CHECK-NEXT:        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
// CHECK-NEXT:          %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32>
// CHECK-NEXT:          %s = arith.addf %x, %x : f32
// CHECK-NEXT:          %w = tensor.insert %s into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<64xf32>
// CHECK-NEXT:          scf.yield {__inplace_operands_attr__ = ["true"]} %w : tensor<64xf32>
// CHECK-NEXT:        } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:        %e = tensor.extract %r[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<64xf32>
// CHECK-NEXT:        scf.yield %e : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %q : f32
func.func @runs_again(%t: tensor<64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %q = scf.for %k = %c0 to %n step %c1 iter_args(%v = %z) -> (f32) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<64xf32>) {
      %x = tensor.extract %t[%i] : tensor<64xf32>
      %s = arith.addf %x, %x : f32
      %w = tensor.insert %s into %a[%i] : tensor<64xf32>
      scf.yield %w : tensor<64xf32>
    }
    %e = tensor.extract %r[%c0] : tensor<64xf32>
    scf.yield %e : f32
  }
  func.return %q : f32
}
