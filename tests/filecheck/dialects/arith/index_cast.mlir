// RUN: xdsl-opt %s --split-input-file --verify-diagnostics | filecheck %s

// xDSL verifies it on scalars only.
// CHECK: %a = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
// CHECK: %b = arith.index_cast %v : vector<4xindex> to vector<4xi64>
// CHECK: %c = arith.index_cast %i : index to i32
func.func @casts(%t: tensor<4xi32>, %v: vector<4xindex>, %i: index) -> tensor<4xindex> {
  %a = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
  %b = arith.index_cast %v : vector<4xindex> to vector<4xi64>
  %c = arith.index_cast %i : index to i32
  func.return %a : tensor<4xindex>
}

// -----

%t = "test.op"() : () -> tensor<4xi32>
%a = arith.index_cast %t : tensor<4xi32> to tensor<5xindex>
// CHECK: 'arith.index_cast' op operand type 'tensor<4xi32>' and result type 'tensor<5xindex>' are cast incompatible

// -----

%t = "test.op"() : () -> tensor<4xindex>
%a = arith.index_cast %t : tensor<4xindex> to tensor<4xindex>
// CHECK: 'arith.index_cast' op operand type 'tensor<4xindex>' and result type 'tensor<4xindex>' are cast incompatible

// -----

%t = "test.op"() : () -> tensor<4xi32>
%a = arith.index_castui %t : tensor<4xi32> to vector<4xindex>
// CHECK: 'arith.index_castui' op operand type 'tensor<4xi32>' and result type 'vector<4xindex>' are cast incompatible
