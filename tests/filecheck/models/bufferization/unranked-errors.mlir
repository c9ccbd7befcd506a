// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics --split-input-file | filecheck %s

// Nothing can be copied of which the rank is not known.

func.func @alloc_tensor(%t: tensor<*xf32>) -> tensor<*xf32> {
  %a = bufferization.alloc_tensor() copy(%t) : tensor<*xf32>
  func.return %a : tensor<*xf32>
}

// CHECK: 'bufferization.alloc_tensor' cannot copy a tensor of unknown rank
// CHECK-NEXT: at: {{.*}}: in @alloc_tensor{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: cast the tensor to a ranked type

// -----

func.func private @external(tensor<*xf32>)
func.func @call(%t: tensor<*xf32>) -> tensor<*xf32> {
  func.call @external(%t) : (tensor<*xf32>) -> ()
  func.return %t : tensor<*xf32>
}

// CHECK: 'func.call' cannot copy a tensor of unknown rank, but operand #0 needs a copy, as that causes a read-after-write conflict
// CHECK-NEXT: at: {{.*}}: in @call{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the contents are those of block argument #0 of: {{.*}}: in @call{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: they are still to be read by operand #0 of: {{.*}}: in @call{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: but would be destroyed through operand #0 of: {{.*}}: in @call{{$}}
// CHECK-NEXT: hint: cast the tensor to a ranked type

// -----

func.func @to_buffer(%t: tensor<*xf32>) -> (memref<*xf32>, tensor<*xf32>) {
  %m = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32>
  func.return %m, %t : memref<*xf32>, tensor<*xf32>
}

// CHECK: 'bufferization.to_buffer' must have operand #0 in place, but that causes a read-after-write conflict
