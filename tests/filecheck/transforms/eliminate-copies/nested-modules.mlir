// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'eliminate-copies{bufferize-function-boundaries=false}' | filecheck %s --check-prefixes CHECK,WITHIN
// RUN: xdsl-opt %s -p 'bufferize{bufferize-function-boundaries=false}' 2>/dev/null | filecheck %s --check-prefix BUFFERS

// Functions of the same name are told apart. All that are bufferized are changed: those in
// modules within the module only where function boundaries are not bufferized.
// BUFFERS: func.func @twice
// BUFFERS-NOT: memref.copy

// CHECK: builtin.module @nested {
// CHECK-NEXT: func.func @twice
// WITHIN: linalg.fill
// WITHIN: linalg.fill
// WITHIN: func.return
builtin.module @nested {
  func.func @twice(%t: tensor<64xf32>, %x: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r = tensor.insert %x into %f[%i] : tensor<64xf32>
    func.return %f, %r : tensor<64xf32>, tensor<64xf32>
  }
}

// CHECK: "gpu.module"()
// CHECK-NEXT: func.func @twice
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: func.return
"gpu.module"() <{sym_name = "device"}> ({
  func.func @twice(%t: tensor<64xf32>, %x: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r = tensor.insert %x into %f[%i] : tensor<64xf32>
    func.return %f, %r : tensor<64xf32>, tensor<64xf32>
  }
}) : () -> ()

// No copies here.
// CHECK: func.func @twice(%t: tensor<64xf32>) -> tensor<64xf32>
// CHECK-NEXT: func.return
func.func @twice(%t: tensor<64xf32>) -> tensor<64xf32> {
  func.return %t : tensor<64xf32>
}
